internal import CurlURLSession
internal import Foundation

// Lists, awaits, cancels, removes and resumes jobs.

extension TransferJournal {
    /// Returns all jobs that can be read, in the order they were added.
    ///
    /// - Throws: ``TransferJournalError``.
    public func jobs() async throws -> [TransferJob] {
        try await core.run { [core] in try core.jobs() }
    }

    /// Returns a job's current value.
    ///
    /// - Throws: ``TransferJournalError/Code/noSuchJob`` if there is no job of this name.
    public func job(_ id: String) async throws -> TransferJob {
        try await core.run { [core] in try core.job(named: id) }
    }

    /// Waits until a job completes, and returns it.
    ///
    /// It doesn't start the job: a job that was neither added nor restored since the journal was
    /// opened stays idle. Cancelling the Swift task neither cancels the job nor ends the wait.
    ///
    /// - Throws: ``TransferJournalError/Code/noSuchJob`` if there is no job of this name;
    ///   ``TransferJournalError/Code/closed`` if the journal is closed first.
    public func outcome(of id: String) async throws -> TransferJob {
        try await withCheckedThrowingContinuation { continuation in
            core.queue.async { [core] in core.wait(for: id, continuation) }
        }
    }

    /// Cancels a job that hasn't completed, and removes it with its part file.
    ///
    /// Its handlers are called with the state ``TransferJob/State/cancelled``. A job that has
    /// completed doesn't change.
    ///
    /// - Throws: ``TransferJournalError/Code/noSuchJob`` if there is no job of this name.
    public func cancel(_ id: String) async throws {
        try await core.run { [core] in
            let job = try core.job(named: id)
            if !job.isOver { try core.remove(job) }
        }
    }

    /// Removes a job from the journal, whatever its state.
    ///
    /// A job that hasn't completed is cancelled. The part file of a failed download is removed; the
    /// file of a finished one stays.
    ///
    /// - Throws: ``TransferJournalError/Code/noSuchJob`` if there is no job of this name.
    public func remove(_ id: String) async throws {
        try await core.run { [core] in try core.remove(core.job(named: id)) }
    }

    /// Removes all finished jobs, and shrinks the journal's file.
    ///
    /// Jobs whose completion wasn't delivered yet stay.
    ///
    /// - Throws: ``TransferJournalError``.
    public func removeFinishedJobs() async throws {
        try await core.run { [core] in
            let jobs = try core.jobs { $0.state == .finished && $0.isDelivered }
            try core.stored { database in
                try database.transaction { database in
                    for job in jobs { try database.remove(job.sequence) }
                }
                try database.compact()
            }
        }
    }

    /// Resumes a job that has failed or wasn't restored.
    ///
    /// A download resumes where it was, if possible. A job that is queued, in flight or finished
    /// doesn't change.
    ///
    /// - Parameter completionHandler: Called when the job completes, in addition to existing
    ///   handlers; at once if the job is finished.
    /// - Throws: ``TransferJournalError/Code/noSuchJob`` if there is no job of this name.
    @discardableResult
    public func resume(
        _ id: String,
        completionHandler: CompletionHandler? = nil
    ) async throws -> TransferJob {
        try await core.run { [core] in try core.resume(core.job(named: id), completionHandler) }
    }

    // MARK: - Damage

    /// The jobs whose records couldn't be read on opening.
    ///
    /// The journal skips them; all other jobs run.
    public var damagedJobs: [DamagedJob] { core.change { $0.damaged } }

    /// Removes the record of a job that can't be read.
    ///
    /// Its part file, if it has one, stays: `.journal-….part` in the destination's folder.
    ///
    /// - Throws: ``TransferJournalError``.
    public func removeDamaged(_ job: DamagedJob) async throws {
        try await core.run { [core] in
            guard core.change({ $0.damaged.contains(job) }) else {
                throw TransferJournalError.noJob(job.id)
            }
            try core.stored { try $0.remove(job.number) }
            core.change { state in state.damaged.removeAll { $0 == job } }
        }
    }

    // MARK: - Completion of all jobs

    /// Sets the handler to call when no job is left.
    ///
    /// It is called each time the last job that was added or restored has completed and its handler
    /// has returned; also after ``restore(_:)`` if there was no job. A job that waits for its next
    /// attempt hasn't completed. The handler is called on the manager's `completionQueue`, or the
    /// main queue.
    ///
    /// It corresponds to AFNetworking's `setDidFinishEventsForBackgroundURLSessionBlock:`, in a
    /// running program.
    public func setDidFinishEvents(_ handler: FinishHandler?) {
        let former = core.change { state in
            defer { state.finishHandler = handler }
            return state.finishHandler
        }
        extendLifetime(former)
    }

    /// Waits until no job that was added or restored is left.
    ///
    /// It also returns when the journal is closed; see ``setDidFinishEvents(_:)``.
    public func finishEvents() async {
        await withCheckedContinuation { continuation in
            core.queue.async { [core] in
                core.change { $0.finishWaiters.append(continuation) }
                core.notifyIfIdle()
            }
        }
    }
}

/// A job whose record can't be read.
///
/// The journal skips it; all other jobs run.
public struct DamagedJob: Sendable, Hashable {
    /// The job's position in the journal, from 1; ``TransferJournal/removeDamaged(_:)`` identifies
    /// the job by it.
    public let number: Int
    /// The job's name as it can be read; it may be wrong.
    public let id: String
    /// What is wrong and how to fix it, in English.
    public let message: String
}
