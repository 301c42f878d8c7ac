internal import Dispatch
internal import Foundation
internal import Synchronization

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
