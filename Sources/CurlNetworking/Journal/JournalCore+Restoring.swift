internal import CurlURLSession
internal import Foundation
internal import Posix

// Jobs that are in the journal already.

extension JournalCore {
    /// The jobs of earlier runs that haven't completed, or whose completion wasn't reported.
    func restorableJobs() throws -> [TransferJob] {
        let (known, unrecorded) = change { ($0.known, $0.unrecorded) }
        return try jobs { job in
            guard !known.contains(job.sequence), unrecorded[job.sequence] == nil else {
                return false
            }
            return !job.isOver || !job.isDelivered
        }
    }

    func restore(_ jobs: [TransferJob], _ handlers: [Int: TransferJournal.CompletionHandler]) {
        change { $0.hasEvents = true }
        for job in jobs where !change({ $0.isClosed || $0.known.contains(job.sequence) }) {
            change { state in
                state.take(job, handlers[job.sequence])
                if !job.isOver { state.waiting.append(job.sequence) }
            }
            if job.isOver { deliver(job) }
        }
        startNext()
    }

    /// Resumes a job that has failed or wasn't restored. If the job is in flight or queued,
    /// `handler` is called together with the other handlers; if the job is finished, it is called
    /// at once.
    func resume(
        _ job: TransferJob,
        _ handler: TransferJournal.CompletionHandler?
    ) throws -> TransferJob {
        let (isKnown, isUnrecorded) = change { state in
            let sequence = job.sequence
            return (state.known.contains(sequence), state.unrecorded[sequence] != nil)
        }
        guard !isKnown else {
            if let handler { change { $0.attach(handler, to: job) } }
            return job
        }
        guard job.state == .failed || !job.isOver else {
            if let handler { deliver(job, to: handler) }
            return job
        }
        var job = job
        // If the end couldn't be recorded, the stored record applies.
        if isUnrecorded, let stored = try stored({ [job] in try $0.job(job.sequence) }) {
            job = stored
        }
        // A file whose move had begun isn't downloaded again, and isn't taken for an existing
        // destination.
        (job.state, job.isDelivered) = (job.moved == nil ? .waiting : .moving, false)
        try record(job, .recordAttempt)
        change { [job] state in
            state.take(job, handler)
            state.waiting.append(job.sequence)
        }
        startNext()
        return job
    }

    /// Resumes a continuation with a job when that completes; at once if it has completed.
    func wait(for id: String, _ continuation: CheckedContinuation<TransferJob, any Error>) {
        do {
            let job = try job(named: id)
            guard job.isOver else {
                if let error = change({ $0.unreadable[job.sequence] }) { throw error }
                return change { $0.waiters[job.sequence, default: []].append(continuation) }
            }
            continuation.resume(returning: job)
            guard !job.isDelivered else { return }
            recordDelivery(job)
        } catch {
            continuation.resume(throwing: error)
        }
    }

    /// Throws if a download's folder doesn't exist. New jobs are checked at once, and not only when
    /// they start.
    func checkFolder(of job: TransferJob) throws {
        do {
            try Self.checkDestination(job)
            guard !job.options.contains(.createIntermediateDirectories) else { return }
            let folder = job.file.deletingLastPathComponent().path
            guard try FileSystem.kind(of: folder) != .directory else { return }
            throw TransferJobFailure(
                "The folder “\(folder)” doesn't exist. Create it, or add the job with the option "
                    + "createIntermediateDirectories."
            )
        } catch {
            let failure = TransferJobFailure(journal: error)
            throw TransferJournalError(.invalidDestination, failure.message)
        }
    }
}
