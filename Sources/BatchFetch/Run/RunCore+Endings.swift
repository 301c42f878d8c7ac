import Curl
import Synchronization

/// What follows from the end of a request: on event loops and disk threads.
extension RunCore {
    /// On an event loop, or a disk thread.
    func ended(_ job: FetchJob, _ outcome: AttemptOutcome, queued: Duration) {
        if let segment = job.segment {
            if let next = askingAgain(job, after: outcome) { return follow(next, outcome, job) }
            return pieceEnded(job, outcome) {
                $0.pieceEnded(segment.group, outcome.ofPiece)
            }
        }
        if case .segment(let group, let end) = outcome.end {
            var own = outcome
            own.end = end
            let main = SegmentGroup.MainEnd(job: job, outcome: own, queued: queued)
            return pieceEnded(job, outcome) { $0.mainEnded(group, main) }
        }
        conclude(job, outcome, queued: queued)
    }

    /// One of several requests for a body has ended.
    private func pieceEnded(
        _ job: FetchJob,
        _ outcome: AttemptOutcome,
        _ note: (inout RunState) -> Void
    ) {
        let failure = outcome.failure?.reason
        let pause = pause(outcome)
        let sign = HostSign(outcome, asksForPause: pause != nil)
        // Not before the moment at which the pause was read from a date: it would end too early.
        let now = MonotonicTime.now
        let wakesTimer = change { state in
            state.release(job, sign: sign, failure: failure, pause: pause, at: now)
            note(&state)
        }
        proceed(after: outcome, wakesTimer: wakesTimer)
    }

    /// What has come of an attempt is known.
    ///
    /// - Parameter isReleased: Whether its requests, several of them, have ended before.
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
            return goOn(job, outcome, queued: queued, isReleased: isReleased)
        }
        var job = job
        job.partial = claim
        // Else whoever sends less than all each time would be asked without end.
        let isShort = outcome.failure == nil && outcome.status != 206 && !isReleased
        let outcome = isShort ? outcome.failing(AttemptOutcome.short) : outcome
        goOn(job, outcome, queued: queued, isReleased: isReleased)
    }

    /// Goes on with a job whose body isn't whole, where that can be, and else is done with the attempt.
    private func goOn(
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

    /// Takes note of an attempt that has ended and leads nowhere else: its job is tried again or done with.
    ///
    /// What an attempt ended with is large, and copied as seldom as can be: this runs for each URL.
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
            let answer = RobotsAnswer(outcome, token: configuration.politeness.token)
            let now = MonotonicTime.now
            wakesTimer = change { $0.endedRobots(job, answer, decision: decision, at: now) }
        } else {
            let pause = pause(outcome)
            let attempt = EndedAttempt(
                of: outcome.failure?.cause == .mismatch ? job.mismatching : job,
                result: job.result(of: outcome, queued: queued, unchangedSince: earlier),
                decision: decision,
                sign: HostSign(outcome, asksForPause: pause != nil),
                pause: pause,
                isReleased: isReleased
            )
            // Not before the moment at which a pause was read from a date: it would end too early.
            let now = MonotonicTime.now
            wakesTimer = change { $0.ended(attempt, at: now) }
        }
        proceed(after: outcome, wakesTimer: wakesTimer)
    }

    /// Starts what may be started now.
    private func proceed(after outcome: AttemptOutcome, wakesTimer: Bool) {
        tellLog()
        if let reason = outcome.failure?.reason, reason.endsRun { endOutput(reason) }
        stopAtTotal()
        if wakesTimer { timer.signal() }
        bell.ring()
        pump()
    }

    /// Lets the other pieces of a body wait for their turns.
    func split(_ job: FetchJob, _ group: SegmentGroup) {
        state.withLock { $0.split(job, group) }
        pump()
    }

    /// What is to be asked for at once, where a job's part of the body can't be completed like this, or more
    /// of it is missing.
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
        if let next = job.askingForWhole(after: outcome, configuration.retry) { return next }
        if let next = askingAgain(job, after: outcome) { return next }
        guard outcome.failure == nil, case .partial = outcome.end else {
            // The whole came, and went elsewhere.
            if outcome.failure == nil, let claim = job.partial, claim.content != nil {
                sinks.discard(claim)
            }
            return nil
        }
        return job.continuing
    }

    private func askingAgain(_ job: FetchJob, after outcome: AttemptOutcome) -> FetchJob? {
        job.askingAgain(after: outcome, always: configuration.retry.repeatsUnsafeRequests)
    }

    /// Lets a job that was redirected, or goes on, wait for its turn where that leads.
    private func follow(
        _ next: FetchJob,
        _ outcome: AttemptOutcome,
        _ job: FetchJob,
        isReleased: Bool = false
    ) {
        let now = MonotonicTime.now
        var next = next
        next.waitingSince = now
        let sign = HostSign(outcome)
        let wakesTimer = change {
            $0.redirected(job, to: next, sign: sign, isReleased: isReleased, at: now)
        }
        proceed(after: outcome, wakesTimer: wakesTimer)
    }

    private func decision(for job: FetchJob, _ outcome: AttemptOutcome) -> RetryDecision {
        guard let failure = outcome.failure else { return .giveUp }
        // A body that is wrong twice is not damaged on the way.
        if failure.cause == .mismatch, job.hasMismatched { return .giveUp }
        let repeatsUnsafe = configuration.retry.repeatsUnsafeRequests
        return configuration.retry.decision(
            afterAttempt: job.attempts,
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

    /// For how long the host has asked to be left alone, whether or not this URL is tried again.
    private func pause(_ outcome: AttemptOutcome) -> Duration? {
        guard let cause = outcome.failure?.cause, cause.isRetryable(isIdempotent: true) else {
            return nil
        }
        return retryAfter(outcome).flatMap { configuration.retry.pause($0) }
    }
}
