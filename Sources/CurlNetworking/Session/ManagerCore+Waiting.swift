internal import Dispatch
internal import Foundation
internal import Synchronization

// Who waits for completions.

extension ManagerCore {
    /// A task's completion has run.
    func leave(_ age: Int?) {
        guard let age else { return }
        let waiters = ledger.withLock { $0.leave(age) }
        for waiter in waiters { waiter.resume(nil) }
    }

    /// Has something called once the completions of all tasks have run that are under way; at once if none
    /// is.
    func whenSettled(_ body: @escaping @Sendable () -> Void) {
        let isSettled = ledger.withLock { ledger in
            let ticket = ledger.ticket()
            return ledger.wait(ticket) { _ in body() }
        }
        if isSettled { body() }
    }

    /// Has something called where completions are.
    func call(_ body: @escaping @Sendable () -> Void) {
        if let queue = read(\.completionQueue) {
            queue.async(execute: body)
        } else {
            mainQueue.async(group: DispatchGroup(), isAwaited: true, body)
        }
    }

    /// Returns once the completions of all tasks have run that are under way.
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
