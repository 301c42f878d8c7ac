import CurlResilience
internal import HTTPSemantics
import Posix
import Synchronization

/// Handles the ends of requests, on event loops and disk threads.
extension RunCore {
    /// Handles the end of a request. Called on an event loop or a disk thread.
    func ended(_ job: FetchJob, _ outcome: AttemptOutcome, queued: Duration) {
        if let segment = job.segment {
            if let next = retryingUnanswered(job, after: outcome) {
                return follow(next, outcome, job)
            }
            return pieceEnded(job, outcome) {
                $0.segments.pieceEnded(segment.group, outcome.ofPiece)
            }
        }
        if case .segment(let file, let end) = outcome.end {
            var own = outcome
            own.end = end
            let main = SegmentGroup.MainEnd(job: job, outcome: own, queued: queued)
            return pieceEnded(job, outcome) { $0.segments.mainEnded(file, main) }
        }
        conclude(job, outcome, queued: queued)
    }

    /// Holds the results of bodies that aren't safe yet. Ends the run if they can't be stored.
    func holdResults() throws(SystemFailure) {
        try sinks.holdResults { [weak self] in
            self?.state.withLock { $0.inFlight == 0 && $0.waitingCount == 0 } ?? true
        } onEnd: { [weak self] failure in
            if let failure, failure.endsRun { self?.endOutput(failure) }
            self?.resultSignal.signal()
        }
    }

    /// Handles the head of the response to a host's probe: after a success the host's other URLs
    /// don't wait for the end of its body.
    func probeAnswered(_ job: FetchJob, status: Int) {
        guard (200..<400).contains(status) else { return }
        let now = MonotonicTime.now
        state.withLock { $0.queues.probeAnswered(host: job.place.hostKey, at: now) }
        notifyLog()
        pump()
    }

    /// Handles the end of one of several requests for a body.
    private func pieceEnded(
        _ job: FetchJob,
        _ outcome: AttemptOutcome,
        _ note: (inout RunState) -> Void
    ) {
        let failure = outcome.failure?.reason
        let pause = pause(outcome)
        if let pause { source.paused(host: job.place.hostKey, for: pause) }
        let feedback = HostFeedback(outcome, requestsPause: pause != nil)
        // Read after the pause: a pause computed from a date would otherwise end too early.
        let now = MonotonicTime.now
        let wakesTimer = change { state in
            state.release(job, feedback: feedback, failure: failure, pause: pause, at: now)
            note(&state)
        }
        proceed(after: outcome, wakesTimer: wakesTimer)
    }

    /// Handles an attempt whose outcome is known.
    ///
    /// - Parameter isReleased: Whether all its requests have ended already, as those for pieces
    ///   have.
    func conclude(
        _ job: FetchJob,
        _ outcome: AttemptOutcome,
        queued: Duration,
        isReleased: Bool = false
    ) {
        if let redirect = outcome.redirect {
            do throws(BatchFailure) {
                let next = try job.following(
                    redirect,
                    outcome,
                    queued: queued,
                    timeout: configuration.timeout
                )
                return follow(next, outcome, job)
            } catch {
                let outcome = outcome.failing((error, .permanent))
                return settle(job, outcome, queued: queued, isReleased: isReleased)
            }
        }
        guard case .partial(let claim) = outcome.end else {
            return continueOrSettle(job, outcome, queued: queued, isReleased: isReleased)
        }
        var job = job
        job.partial = claim
        // Otherwise a server that always sends too little would be asked without end.
        let isShort = outcome.failure == nil && outcome.status != 206 && !isReleased
        let outcome = isShort ? outcome.failing(AttemptOutcome.wrongLength) : outcome
        continueOrSettle(job, outcome, queued: queued, isReleased: isReleased)
    }

    /// Continues a job whose body is incomplete if possible; otherwise ends the attempt.
    private func continueOrSettle(
        _ job: FetchJob,
        _ outcome: AttemptOutcome,
        queued: Duration,
        isReleased: Bool
    ) {
        if let next = remainder(of: job, after: outcome) {
            follow(next, outcome, job, isReleased: isReleased)
        } else if job.isUnchanged(by: outcome) {
            let outcome = outcome.failing(nil)
            let earlier = job.earlier
            settle(job, outcome, queued: queued, isReleased: isReleased, unchangedSince: earlier)
        } else {
            settle(job, outcome, queued: queued, isReleased: isReleased)
        }
    }

    /// Ends an attempt that leads to no further request: its job is retried or completed.
    ///
    /// The outcome is large and this runs for each URL, so it is copied as rarely as possible.
    private func settle(
        _ job: FetchJob,
        _ outcome: AttemptOutcome,
        queued: Duration,
        isReleased: Bool,
        unchangedSince earlier: EarlierResponse? = nil
    ) {
        let decision = decision(for: job, outcome)
        let wakesTimer: Bool
        if job.isRobots {
            let token = configuration.politeness.token
            let answer = RobotsAnswer(outcome, token: token)
            if case .file(let file) = answer {
                source.robotsRead(RobotsHandover(file, token: token), of: job.place.hostKey)
            }
            let now = MonotonicTime.now
            wakesTimer = change { $0.endedRobots(job, answer, decision: decision, at: now) }
        } else {
            let pause = pause(outcome)
            if let pause { source.paused(host: job.place.hostKey, for: pause) }
            let attempt = EndedAttempt(
                of: outcome.failure?.cause == .mismatch ? job.mismatching : job,
                result: job.result(of: outcome, queued: queued, unchangedSince: earlier),
                decision: decision,
                feedback: HostFeedback(outcome, requestsPause: pause != nil),
                pause: pause,
                isReleased: isReleased
            )
            // Read after the pause: a pause computed from a date would otherwise end too early.
            let now = MonotonicTime.now
            if case .retry(let delay, _) = decision, let next = retryElsewhere(job) {
                source.take(WorkItem(next), after: delay)
                wakesTimer = change { $0.handedOver(attempt, at: now) }
            } else {
                wakesTimer = change { $0.ended(attempt, at: now) }
            }
        }
        proceed(after: outcome, wakesTimer: wakesTimer)
    }

    /// Ends the run if necessary, and starts jobs that may start now.
    private func proceed(after outcome: AttemptOutcome, wakesTimer: Bool) {
        notifyLog()
        if let reason = outcome.failure?.reason, reason.endsRun { endOutput(reason) }
        stopAtTotal()
        if wakesTimer { timer.signal() }
        resultSignal.signal()
        pump()
    }

    /// Queues the other pieces of a body.
    func split(_ job: FetchJob, _ file: SegmentedFile) {
        let group = SegmentGroup(file)
        state.withLock { $0.split(job, group) }
        pump()
    }

    /// The job that continues at once; `nil` if the attempt is over.
    ///
    /// A job continues if its body is incomplete, its part was refused, or its request got no
    /// answer.
    private func remainder(
        of job: FetchJob,
        after outcome: AttemptOutcome
    ) -> FetchJob? {
        if outcome.isPartRefused {
            if let claim = job.partial { sinks.discard(claim) }
            var next = job.continuing
            next.partial = nil
            return next
        }
        if let next = job.restartingWhole(after: outcome, configuration.retry) { return next }
        if let next = retryingUnanswered(job, after: outcome) { return next }
        guard outcome.failure == nil, case .partial = outcome.end else {
            // The complete body arrived and was stored elsewhere.
            if outcome.failure == nil, let claim = job.partial, claim.content != nil {
                sinks.discard(claim)
            }
            return nil
        }
        return job.continuing
    }

    /// The job as it is retried, if that begins at a host that the run may not use.
    private func retryElsewhere(_ job: FetchJob) -> FetchJob? {
        guard job.redirects != nil else { return nil }
        let next = job.repeated(always: configuration.retry.repeatsUnsafeRequests)
        let host = next.place.hostKey
        return host == job.place.hostKey || source.holds(host: host) ? nil : next
    }

    private func retryingUnanswered(_ job: FetchJob, after outcome: AttemptOutcome) -> FetchJob? {
        job.retryingUnanswered(after: outcome, always: configuration.retry.repeatsUnsafeRequests)
    }

    /// Queues a job that continues, at the host of its next request.
    private func follow(
        _ next: FetchJob,
        _ outcome: AttemptOutcome,
        _ job: FetchJob,
        isReleased: Bool = false
    ) {
        let now = MonotonicTime.now
        var next = next
        next.waitingSince = now
        let feedback = HostFeedback(outcome)
        let host = next.place.hostKey
        if host != job.place.hostKey, !next.isRobots, !source.holds(host: host) {
            // Handed over first: the end of the run could overtake it otherwise.
            source.take(WorkItem(next), after: .zero)
            let wakesTimer = change {
                $0.handedOver(job, feedback: feedback, isReleased: isReleased, at: now)
            }
            return proceed(after: outcome, wakesTimer: wakesTimer)
        }
        let wakesTimer = change {
            $0.redirected(job, to: next, feedback: feedback, isReleased: isReleased, at: now)
        }
        proceed(after: outcome, wakesTimer: wakesTimer)
    }

    private func decision(for job: FetchJob, _ outcome: AttemptOutcome) -> RetryDecision {
        guard let failure = outcome.failure else { return .giveUp }
        // A body with a wrong checksum in two attempts wasn't damaged in transit.
        if failure.cause == .mismatch, job.hasMismatched { return .giveUp }
        let repeatsUnsafe = configuration.retry.repeatsUnsafeRequests
        return configuration.retry.rules.decision(
            afterAttempt: job.attemptsAtSource,
            cause: failure.cause,
            isIdempotent: repeatsUnsafe
                || job.repeated(always: repeatsUnsafe).place.isIdempotent,
            retryAfter: retryAfter(outcome),
            share: .random(in: 0...1)
        )
    }

    private func retryAfter(_ outcome: AttemptOutcome) -> Duration? {
        outcome.retryAfter.flatMap {
            RetryAfter.delay(from: $0, now: WallClock.secondsSince1970)
        }
    }

    /// The pause that the host requested, even without a retry.
    private func pause(_ outcome: AttemptOutcome) -> Duration? {
        guard let cause = outcome.failure?.cause, cause.isRetryable(isIdempotent: true) else {
            return nil
        }
        return retryAfter(outcome).flatMap { configuration.retry.rules.pause($0) }
    }
}

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
