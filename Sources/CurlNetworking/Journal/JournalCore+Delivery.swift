internal import Dispatch
internal import Foundation

// Delivers the completions of jobs, and the event that no job is left.

extension JournalCore {
    /// Delivers a job's completion, then records that it was delivered. If the program ends in
    /// between, the completion is delivered once more after a restart.
    func deliver(_ job: TransferJob) {
        let audience = change {
            $0.takeAudience(job.sequence, keepsRequest: job.state == .failed)
        }
        for waiter in audience.waiters { waiter.resume(returning: job) }
        guard !audience.handlers.isEmpty else {
            return finishDelivery(job, isDelivered: !audience.waiters.isEmpty)
        }
        onCompletionQueue { [self] in
            for handler in audience.handlers { handler(job) }
            queue.async { [self] in finishDelivery(job, isDelivered: true) }
        }
    }

    /// Delivers the completion of a job that completed earlier to one handler.
    func deliver(_ job: TransferJob, to handler: @escaping TransferJournal.CompletionHandler) {
        onCompletionQueue { [self] in
            handler(job)
            queue.async { [self] in if !job.isDelivered { recordDelivery(job) } }
        }
    }

    private func finishDelivery(_ job: TransferJob, isDelivered: Bool) {
        if isDelivered, job.state != .cancelled, !job.isDelivered { recordDelivery(job) }
        change { $0.endDelivery() }
        notifyIfIdle()
    }

    /// Records that a job's completion was delivered, unless the job was resumed since. If that
    /// fails, the completion is delivered once more after a restart.
    func recordDelivery(_ job: TransferJob) {
        step(.recordDelivery, job)
        try? stored { try $0.noteDelivery(job) }
    }

    /// Calls a user's closure on the queue of the manager's completions.
    func onCompletionQueue(_ body: @escaping @Sendable () -> Void) {
        let core = manager.core
        if let queue = core.read(\.completionQueue) {
            queue.async(execute: body)
        } else {
            core.mainQueue.async(group: DispatchGroup(), isAwaited: true, body)
        }
    }

    /// Reports, once, that no job is left.
    func notifyIfIdle() {
        let (handler, waiters) = change { $0.takeFinish() }
        if let handler { onCompletionQueue { handler() } }
        for waiter in waiters { waiter.resume() }
    }
}
