internal import Curl
internal import CurlURLSession
internal import Foundation

// Jobs that are there already.

extension JournalCore {
    /// The jobs of an earlier start that are to be done, or to be told of.
    func restorableJobs() throws -> [TransferJob] {
        let known = change { $0.known }
        return try jobs { !known.contains($0.sequence) && (!$0.isOver || !$0.isTold) }
    }

    func restore(_ jobs: [TransferJob], _ handlers: [Int: TransferJournal.CompletionHandler]) {
        change { $0.hasEvents = true }
        for job in jobs where !change({ $0.isClosed || $0.known.contains(job.sequence) }) {
            change { state in
                state.known.insert(job.sequence)
                if let handler = handlers[job.sequence] {
                    state.handlers[job.sequence] = [handler]
                }
                if !job.isOver { state.waiting.append(job.sequence) }
            }
            if job.isOver { tell(job) }
        }
        startNext()
    }

    /// Has a job that has failed go on.
    func resume(
        _ job: TransferJob,
        _ handler: TransferJournal.CompletionHandler?
    ) throws -> TransferJob {
        guard job.state == .failed else { return job }
        var job = job
        (job.state, job.isTold) = (.waiting, false)
        try record(job, .recordAttempt)
        change { state in
            state.known.insert(job.sequence)
            state.hasEvents = true
            if let handler { state.handlers[job.sequence] = [handler] }
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
