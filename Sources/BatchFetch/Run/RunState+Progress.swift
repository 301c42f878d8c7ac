import Posix

// The questions that a run's state answers, without changing it.

extension RunState {
    var waitingCount: Int { queues.waitingCount + retries.count + robots.waiting.count }
    var resultLimit: Int { Self.resultLimit(configuration) }

    /// The maximum number of pending results: few if they contain bodies.
    static func resultLimit(_ configuration: BatchConfiguration) -> Int {
        let few = min(configuration.concurrency, .max / 2) * 2
        return switch configuration.output.kind {
        case .memory, .stored: few
        default: max(few, 1024)
        }
    }

    /// Whether the reader may add jobs.
    var hasRoom: Bool {
        waitingCount < configuration.lookAhead && results.count < resultLimit
            && heldBytes < Self.maximumHeldBytes
    }

    /// Whether the run has no more work.
    var isFinished: Bool {
        // A stopping run doesn't wait for `robots.txt`.
        let awaited = isStopping ? inFlight - robots.inFlight : inFlight
        return isInputEnded && awaited == 0 && waitingCount == 0 && segments.openCount == 0
    }

    /// Whether the consumer has results to take.
    var hasResults: Bool { !results.isEmpty }

    var isStopping: Bool { phase == .stopping }

    /// When the next request to a host may start that has to wait, or had to when the run was stopped.
    func nextStart(of host: String) -> MonotonicTime? {
        queues.nextStart(of: host) ?? pausesAtStop[host]
    }

    /// The next time at which a job is due without an event; `nil` in a run that is ending.
    var nextDeadline: MonotonicTime? {
        // A circuit breaker may still open, but no start ends its pause.
        guard !isStopping else { return nil }
        let queued: MonotonicTime? =
            switch (retries.nextTime, queues.nextHoldEnd) {
            case (let retry?, let hold?): min(retry, hold)
            case (let retry, let hold): retry ?? hold
            }
        guard let gateDeadline else { return queued }
        return queued.map { min($0, gateDeadline) } ?? gateDeadline
    }

    /// Whether the next deadline is earlier than `deadline`, the timer's current one.
    func isSooner(than deadline: MonotonicTime?) -> Bool {
        guard let next = nextDeadline else { return false }
        return deadline.map { next < $0 } ?? true
    }

    var progress: BatchProgress {
        var progress = summary.progress
        progress.inFlight = inFlight - robots.inFlight
        progress.waiting = waitingCount - robots.waiting.count + spilledCount
        if phase == .stopping {
            // Queued jobs are dropped, and the number of unread URLs is unknown.
            progress.expected = countAtStop
        } else if isInputEnded {
            progress.expected = progress.done + progress.remaining
        }
        progress.isExpectedExact = progress.expected != nil
        return progress
    }

    /// The progress with the time until the next start.
    func progress(at now: MonotonicTime) -> BatchProgress {
        var progress = progress
        if progress.inFlight == 0, progress.waiting > 0, let next = nextDeadline, next > now {
            progress.nextStart = .nanoseconds(next.nanoseconds(since: now))
        }
        return progress
    }

    /// Whether more jobs are known.
    var hasMore: Bool { waitingCount + spilledCount > 0 }
}
