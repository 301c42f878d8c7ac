internal import Dispatch
internal import Foundation
internal import Synchronization

/// Counts the tasks whose completions haven't run yet: a pure value.
///
/// Tasks are counted by the age in which they started. A wait starts a new age, and lasts until the
/// tasks of earlier ages are done. Tasks that start meanwhile don't prolong it.
struct TaskLedger: Sendable {
    /// A caller that waits.
    struct Waiter: Sendable {
        let resume: @Sendable ((any Error)?) -> Void
        fileprivate let age: Int
    }

    private var age = 0
    /// The number of tasks of the current age.
    private var current = 0
    /// The numbers of tasks of earlier ages; no entry for an age whose tasks are all done.
    private var former: [Int: Int] = [:]
    private var waiters: [Int: Waiter] = [:]
    private var lastTicket = 0

    /// Counts a task that starts, and returns its age.
    mutating func enter() -> Int {
        current += 1
        return age
    }

    /// Counts a completion as done. Returns the waiters for which it was the last one.
    mutating func leave(_ age: Int) -> [Waiter] {
        assert(age == self.age ? current > 0 : former[age] != nil, "a completion is counted twice")
        guard age != self.age else {
            current -= 1
            return []
        }
        let left = (former[age] ?? 1) - 1
        former[age] = left > 0 ? left : nil
        guard left <= 0, !waiters.isEmpty else { return [] }
        let oldest = former.keys.min() ?? self.age
        let done = waiters.filter { $0.value.age < oldest }
        for ticket in done.keys { waiters[ticket] = nil }
        return done.sorted { $0.key < $1.key }.map(\.value)
    }

    /// A new identifier for a waiter.
    mutating func ticket() -> Int {
        lastTicket += 1
        return lastTicket
    }

    /// Waits for all current tasks. Returns true if there are none.
    mutating func wait(
        _ ticket: Int,
        _ resume: @escaping @Sendable ((any Error)?) -> Void
    ) -> Bool {
        if current > 0 {
            former[age] = current
            (age, current) = (age + 1, 0)
        }
        guard !former.isEmpty else { return true }
        waiters[ticket] = Waiter(resume: resume, age: age - 1)
        return false
    }

    /// Removes a waiter, and returns it if it was waiting.
    mutating func leaveWaiting(_ ticket: Int) -> Waiter? {
        waiters.removeValue(forKey: ticket)
    }
}

// Waits for completions.

extension ManagerCore {
    /// Counts a task's completion as done.
    func leave(_ age: Int?) {
        guard let age else { return }
        let waiters = ledger.withLock { $0.leave(age) }
        for waiter in waiters { waiter.resume(nil) }
    }

    /// Calls `body` when the completions of all tasks in flight have run; at once if none is in
    /// flight.
    func whenSettled(_ body: @escaping @Sendable () -> Void) {
        let isSettled = ledger.withLock { ledger in
            let ticket = ledger.ticket()
            return ledger.wait(ticket) { _ in body() }
        }
        if isSettled { body() }
    }

    /// Calls `body` on the queue of the completion handlers.
    func call(_ body: @escaping @Sendable () -> Void) {
        if let queue = read(\.completionQueue) {
            queue.async(execute: body)
        } else {
            mainQueue.async(group: DispatchGroup(), isAwaited: true, body)
        }
    }

    /// Returns when the completions of all tasks in flight have run.
    ///
    /// - Throws: `CancellationError`, if the Swift task is cancelled before that.
    func settle() async throws {
        let ticket = ledger.withLock { $0.ticket() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation {
                (continuation: CheckedContinuation<Void, any Error>) in
                let resume: @Sendable ((any Error)?) -> Void = { error in
                    if let error {
                        continuation.resume(throwing: error)
                    } else {
                        continuation.resume()
                    }
                }
                if ledger.withLock({ $0.wait(ticket, resume) }) { resume(nil) }
                if Task.isCancelled { stopWaiting(ticket) }
            }
        } onCancel: {
            stopWaiting(ticket)
        }
    }

    private func stopWaiting(_ ticket: Int) {
        ledger.withLock { $0.leaveWaiting(ticket) }?.resume(CancellationError())
    }
}
