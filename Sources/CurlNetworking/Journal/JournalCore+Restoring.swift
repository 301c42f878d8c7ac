internal import Curl
internal import CurlURLSession
internal import Foundation

// Jobs that are there already.

extension JournalCore {
    /// The jobs of an earlier start that are to be done, or to be told of.
    func restorableJobs() throws -> [TransferJob] {
        let (known, unrecorded) = change { ($0.known, $0.unrecorded) }
        return try jobs { job in
            guard !known.contains(job.sequence), unrecorded[job.sequence] == nil else {
                return false
            }
            return !job.isOver || !job.isTold
        }
    }

    func restore(_ jobs: [TransferJob], _ handlers: [Int: TransferJournal.CompletionHandler]) {
        change { $0.hasEvents = true }
        for job in jobs where !change({ $0.isClosed || $0.known.contains(job.sequence) }) {
            change { state in
                state.take(job, handlers[job.sequence])
                if !job.isOver { state.waiting.append(job.sequence) }
            }
            if job.isOver { tell(job) }
        }
        startNext()
    }

    /// Has a job go on that has failed, or that nobody has begun since the journal was opened. Of one that is
    /// under way or waits for its turn, `handler` is told with the others; of one that is done, at once.
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
            if let handler { tell(job, to: handler) }
            return job
        }
        var job = job
        // Of what couldn't be written down, what is written down counts.
        if isUnrecorded, let stored = try stored({ [job] in try $0.job(job.sequence) }) {
            job = stored
        }
        // A file that was on its way is neither loaded again, nor in its own way.
        (job.state, job.isTold) = (job.moved == nil ? .waiting : .moving, false)
        try record(job, .recordAttempt)
        change { [job] state in
            state.take(job, handler)
            state.waiting.append(job.sequence)
        }
        startNext()
        return job
    }

    /// Has somebody told of a job's end, at once if it is over.
    func wait(for id: String, _ continuation: CheckedContinuation<TransferJob, any Error>) {
        do {
            let job = try job(named: id)
            guard job.isOver else {
                if let error = change({ $0.unreadable[job.sequence] }) { throw error }
                return change { $0.waiters[job.sequence, default: []].append(continuation) }
            }
            continuation.resume(returning: job)
            guard !job.isTold else { return }
            recordTold(job)
        } catch {
            continuation.resume(throwing: error)
        }
    }

    /// That a download's folder isn't there is told at once, and not when its turn has come.
    func checkFolder(of job: TransferJob) throws {
        do {
            try Self.checkDestination(job)
            guard !job.options.contains(.createIntermediateDirectories) else { return }
            let folder = job.file.deletingLastPathComponent().path
            guard try FileSystem.kind(of: folder) != .directory else { return }
            throw TransferJobFailure(
                "There is no folder “\(folder)”. Make it, or add the job with the option "
                    + "createIntermediateDirectories."
            )
        } catch {
            let failure = TransferJobFailure(journal: error)
            throw TransferJournalError(.invalidDestination, failure.message)
        }
    }
}
