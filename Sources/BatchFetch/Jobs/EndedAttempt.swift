/// The end of an attempt with everything that its job needs.
///
/// It is large and exists for each URL, so it is passed by reference.
final class EndedAttempt: Sendable {
    let job: FetchJob
    /// The result of the URL if the job isn't retried.
    let result: BatchResult
    let decision: RetryDecision
    /// The host feedback of the attempt.
    let feedback: HostFeedback
    /// The pause that the host requested.
    let pause: Duration?
    /// Whether all its requests have ended already, as those for pieces have.
    let isReleased: Bool

    init(
        of job: FetchJob,
        result: BatchResult,
        decision: RetryDecision,
        feedback: HostFeedback = .neutral,
        pause: Duration? = nil,
        isReleased: Bool = false
    ) {
        self.job = job
        self.result = result
        self.decision = decision
        self.feedback = feedback
        self.pause = pause
        self.isReleased = isReleased
    }
}
