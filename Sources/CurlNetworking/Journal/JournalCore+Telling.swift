internal import Dispatch
internal import Foundation

// Who is told of jobs' ends, and that nothing is left to do.

extension JournalCore {
    /// Tells of the end of a job. What was told is written down afterwards: should the program end in
    /// between, it is told once more.
    func tell(_ job: TransferJob) {
        let audience = change {
            $0.takeAudience(job.sequence, keepsRequest: job.state == .failed)
        }
        for waiter in audience.waiters { waiter.resume(returning: job) }
        guard !audience.handlers.isEmpty else {
            return noteTold(job, isTold: !audience.waiters.isEmpty)
        }
        onCompletionQueue { [self] in
            for handler in audience.handlers { handler(job) }
            queue.async { [self] in noteTold(job, isTold: true) }
        }
    }

    /// Tells one of a job that has been over for a while.
    func tell(_ job: TransferJob, to handler: @escaping TransferJournal.CompletionHandler) {
        onCompletionQueue { [self] in
            handler(job)
            queue.async { [self] in if !job.isTold { recordTold(job) } }
        }
    }

    private func noteTold(_ job: TransferJob, isTold: Bool) {
        if isTold, job.state != .cancelled, !job.isTold { recordTold(job) }
        change { $0.telling -= 1 }
        tellFinish()
    }

    /// Writes down that somebody was told of a job's end, unless the job has gone on since. Should that fail,
    /// it is told once more after another start.
    func recordTold(_ job: TransferJob) {
        step(.recordTold, job)
        try? stored { try $0.noteTold(job) }
    }

    /// Calls something of the user's where the manager's completions are called.
    func onCompletionQueue(_ body: @escaping @Sendable () -> Void) {
        let core = manager.core
        if let queue = core.read(\.completionQueue) {
            queue.async(execute: body)
        } else {
            core.mainQueue.async(group: DispatchGroup(), isAwaited: true, body)
        }
    }

    /// Tells that nothing is left to do, if that is so and wasn't told yet.
    func tellFinish() {
        let (handler, waiters) = change { $0.takeFinish() }
        if let handler { onCompletionQueue { handler() } }
        for waiter in waiters { waiter.resume() }
    }
}
