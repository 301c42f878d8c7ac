/// What an attempt has come to for its job. That is much, for each URL: it is handed on as one reference.
final class EndedAttempt: Sendable {
    let job: FetchJob
    /// What is written where the job isn't tried again.
    let result: BatchResult
    let decision: RetryDecision
    /// What it says of its host.
    let sign: HostSign
    /// For how long the host has asked to be left alone.
    let pause: Duration?
    /// Whether its requests, several of them, have ended before.
    let isReleased: Bool

    init(
        of job: FetchJob,
        result: BatchResult,
        decision: RetryDecision,
        sign: HostSign = .neutral,
        pause: Duration? = nil,
        isReleased: Bool = false
    ) {
        self.job = job
        self.result = result
        self.decision = decision
        self.sign = sign
        self.pause = pause
        self.isReleased = isReleased
    }
}
