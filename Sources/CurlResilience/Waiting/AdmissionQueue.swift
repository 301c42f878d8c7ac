internal import Posix
internal import Synchronization

/// Admits a limited number of requests to each origin. The others wait in order.
final class AdmissionQueue: Sendable {
    /// How a request got through the queue.
    enum Admission: Sendable {
        case admitted
        /// As many wait already as may.
        case refused
        /// The task was cancelled.
        case cancelled
        /// The deadline passed.
        case late
    }

    private struct Line: Sendable {
        var line = WaitingLine()
        var waiters: [WaitingLine.Ticket: Waiter] = [:]
    }

    private enum Waiter: Sendable {
        /// Admitted before its task suspended.
        case admitted
        case suspended(CheckedContinuation<Bool, Never>)
    }

    private let lines = Mutex(OriginTable<Line>(isForgettable: { $0.line.isIdle }))
    private let clock: ResilienceClock

    init(clock: ResilienceClock) {
        self.clock = clock
    }

    /// How many requests to an origin wait or were admitted.
    func count(of origin: String) -> Int {
        lines.withLock {
            $0.change(origin, new: Line()) { $0.line.inFlight + $0.line.waitingCount }
        }
    }

    /// Waits until the request may start. After `.admitted`, ``leave(_:limit:)`` must be called.
    func enter(
        _ origin: String,
        limit: Int,
        maximumQueued: Int,
        deadline: MonotonicTime
    ) async -> Admission {
        guard !Task.isCancelled else { return .cancelled }
        let entrance = lines.withLock {
            $0.change(origin, new: Line()) {
                $0.line.enter(limit: limit, maximumQueued: maximumQueued)
            }
        }
        switch entrance {
        case .admitted: return .admitted
        case .refused: return .refused
        case .queued(let ticket):
            let isAdmitted = await clock.limit(until: deadline) {
                await self.suspend(ticket, at: origin) ? true : nil
            }
            if isAdmitted == true { return .admitted }
            return Task.isCancelled ? .cancelled : .late
        }
    }

    /// Ends a request, or only applies another limit to those that wait.
    ///
    /// - Parameter isEnd: Whether a request has ended.
    func leave(_ origin: String, limit: Int, isEnd: Bool = true) {
        let admitted = lines.withLock {
            $0.change(origin, new: Line()) { line in
                if isEnd { line.line.leave() }
                return Self.admit(&line, limit: limit)
            }
        }
        for waiter in admitted { waiter.resume(returning: true) }
    }

    private static func admit(
        _ line: inout Line,
        limit: Int
    ) -> [CheckedContinuation<Bool, Never>] {
        var admitted: [CheckedContinuation<Bool, Never>] = []
        while let ticket = line.line.admitNext(limit: limit) {
            if case .suspended(let waiter) = line.waiters.removeValue(forKey: ticket) {
                admitted.append(waiter)
            } else {
                line.waiters[ticket] = .admitted
            }
        }
        return admitted
    }

    /// Waits for a ticket's turn. Returns false if the task is cancelled before it.
    private func suspend(_ ticket: WaitingLine.Ticket, at origin: String) async -> Bool {
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let answer: Bool? = lines.withLock {
                    $0.change(origin, new: Line()) { line in
                        if case .admitted = line.waiters.removeValue(forKey: ticket) { return true }
                        if Task.isCancelled { return !line.line.withdraw(ticket) }
                        line.waiters[ticket] = .suspended(waiter)
                        return nil
                    }
                }
                if let answer { waiter.resume(returning: answer) }
            }
        } onCancel: {
            withdraw(ticket, from: origin)
        }
    }

    private func withdraw(_ ticket: WaitingLine.Ticket, from origin: String) {
        let waiter = lines.withLock {
            $0.change(origin, new: Line()) { line -> CheckedContinuation<Bool, Never>? in
                guard case .suspended(let waiter) = line.waiters[ticket],
                    line.line.withdraw(ticket)
                else { return nil }
                line.waiters[ticket] = nil
                return waiter
            }
        }
        waiter?.resume(returning: false)
    }
}
