internal import CurlURLSession
internal import Foundation

// Which jobs there are, and what is to become of them.

extension TransferJournal {
    /// All jobs that can be read, in the order in which they were added.
    ///
    /// - Throws: ``TransferJournalError``.
    public func jobs() async throws -> [TransferJob] {
        try await core.run { [core] in try core.jobs() }
    }

    /// The job of a name, as far as it has come.
    ///
    /// - Throws: ``TransferJournalError/Code/noSuchJob`` if there is none.
    public func job(_ id: String) async throws -> TransferJob {
        try await core.run { [core] in try core.job(named: id) }
    }

    /// Waits until a job is over, and says what has become of it. Cancelling the Swift task doesn't cancel
    /// the job, and ends the waiting with the job only.
    ///
    /// A job that neither was added nor restored since the journal was opened isn't begun by this.
    ///
    /// - Throws: ``TransferJournalError/Code/noSuchJob`` if there is none;
    ///   ``TransferJournalError/Code/closed`` if the journal is closed before.
    public func outcome(of id: String) async throws -> TransferJob {
        try await withCheckedThrowingContinuation { continuation in
            core.queue.async { [core] in core.wait(for: id, continuation) }
        }
    }

    /// Cancels a job that isn't over: it is stopped and removed, with what has come of it. Who is told of its
    /// end is told ``TransferJob/State/cancelled``. Of a job that is over, nothing changes.
    ///
    /// - Throws: ``TransferJournalError/Code/noSuchJob`` if there is none.
    public func cancel(_ id: String) async throws {
        try await core.run { [core] in
            let job = try core.job(named: id)
            if !job.isOver { try core.remove(job) }
        }
    }

    /// Removes a job from the journal, whatever has become of it. One that isn't over is cancelled; of one that
    /// has failed, what has come is removed, too. The file of a finished one stays.
    ///
    /// - Throws: ``TransferJournalError/Code/noSuchJob`` if there is none.
    public func remove(_ id: String) async throws {
        try await core.run { [core] in try core.remove(core.job(named: id)) }
    }

    /// Removes all jobs that are finished, and gives back the room of the journal's file. Those that nobody
    /// was told of stay.
    ///
    /// - Throws: ``TransferJournalError``.
    public func removeFinishedJobs() async throws {
        try await core.run { [core] in
            let jobs = try core.jobs { $0.state == .finished && $0.isTold }
            try core.stored { database in
                try database.transaction { database in
                    for job in jobs { try database.remove(job.sequence) }
                }
                try database.compact()
            }
        }
    }

    /// Has a job that has failed go on: where it was, if it can. So does one that wasn't restored. A job that is
    /// under way or waits for its turn does so already, and one that is finished stays so.
    ///
    /// - Parameter completionHandler: Called once the job is over, beside those that are there; at once for one
    ///   that is finished.
    /// - Throws: ``TransferJournalError/Code/noSuchJob`` if there is none.
    @discardableResult
    public func resume(
        _ id: String,
        completionHandler: CompletionHandler? = nil
    ) async throws -> TransferJob {
        try await core.run { [core] in try core.resume(core.job(named: id), completionHandler) }
    }

    // MARK: - Damage

    /// The jobs whose records couldn't be read when the journal was opened. They aren't done; all others are.
    public var damagedJobs: [DamagedJob] { core.change { $0.damaged } }

    /// Removes the record of a job that can't be read. Its part file, if it had one, stays where it is: a
    /// `.journal-….part` beside its destination.
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

    // MARK: - Nothing left to do

    /// Sets who is told, each time, that the last of the jobs that were added or restored is over and its
    /// handler has returned; and after ``restore(_:)`` if there was none. AFNetworking's
    /// `setDidFinishEventsForBackgroundURLSessionBlock:`, in a program that runs.
    ///
    /// Jobs that wait for another attempt aren't over. The handler is called on the manager's
    /// `completionQueue`, or the main queue.
    public func setDidFinishEvents(_ handler: FinishHandler?) {
        let former = core.change { state in
            defer { state.finishHandler = handler }
            return state.finishHandler
        }
        extendLifetime(former)
    }

    /// Waits until no job that was added or restored is left to do, or the journal is closed; see
    /// ``setDidFinishEvents(_:)``.
    public func finishEvents() async {
        await withCheckedContinuation { continuation in
            core.queue.async { [core] in
                core.change { $0.finishWaiters.append(continuation) }
                core.tellFinish()
            }
        }
    }
}
