internal import CurlURLSession
internal import Dispatch
internal import Foundation
internal import Posix
internal import Synchronization

/// The state and the queue of a journal.
///
/// All disk access and every decision happen on its queue. The locks are there for the compiler and
/// for callers on other threads. No lock is held while code of the user's runs.
final class JournalCore: Sendable {
    let manager: URLSessionManager
    let configuration: TransferJournalConfiguration
    let folder: String
    let queue = DispatchQueue(label: "curl-networking-journal")
    private let database: Mutex<JournalDatabase?>
    private let lock: Mutex<JournalLock?>
    private let state: Mutex<JournalState>

    init(
        folder: URL,
        manager: URLSessionManager,
        configuration: TransferJournalConfiguration
    ) throws {
        self.manager = manager
        self.configuration = configuration
        self.folder = folder.path
        try FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        let lock = try JournalLock(folder: folder.path)
        let path = folder.appendingPathComponent("journal.db").path
        do {
            let database = try JournalDatabase(path: path)
            let damaged = try database.damagedJobs()
            try database.compact()
            try FileSystem.synchronizeDirectory(folder.path)
            state = Mutex(JournalState(damaged: damaged))
            self.database = Mutex(database)
            self.lock = Mutex(lock)
        } catch let error as SQLiteError {
            throw TransferJournalError(error, path: path)
        }
    }

    // MARK: - Access

    /// Runs a closure on the queue. The caller waits without blocking a thread.
    func run<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try body() }) }
        }
    }

    /// Runs a closure with the database.
    func stored<Value: Sendable>(
        _ body: @Sendable (borrowing JournalDatabase) throws -> Value
    ) throws -> Value {
        let value = try database.withLock { try $0?.perform(body) }
        guard let value else { throw TransferJournalError.closed }
        return value
    }

    @discardableResult
    func change<Value: Sendable>(_ change: (inout JournalState) throws -> Value) rethrows -> Value {
        try state.withLock { try change(&$0) }
    }

    /// Announces a step that is about to be taken.
    func step(_ step: JournalStep, _ job: TransferJob) {
        configuration.willTakeStep?(step, job.id)
    }

    /// Records a job's current state.
    func record(_ job: TransferJob, _ step: JournalStep) throws {
        self.step(step, job)
        try stored { try $0.update(job) }
    }

    // MARK: - Jobs

    func add(
        _ job: TransferJob,
        _ request: URLRequest,
        _ handler: TransferJournal.CompletionHandler?
    ) throws -> TransferJob {
        step(.addJob, job)
        let job = try stored { try $0.add(job) }
        change { state in
            state.take(job, handler)
            if !job.omittedHeaderFields.isEmpty || request.url != job.url {
                state.requests[job.sequence] = request
            }
            state.waiting.append(job.sequence)
        }
        startNext()
        return job
    }

    /// A job's current value, which may be newer than its record.
    func current(_ job: TransferJob) -> TransferJob {
        let (transfer, end) = change { ($0.active[job.sequence], $0.unrecorded[job.sequence]) }
        return transfer?.job ?? end ?? job
    }

    func job(named id: String) throws -> TransferJob {
        guard let job = try stored({ try $0.job(named: id) }) else {
            throw TransferJournalError.noJob(id)
        }
        return current(job)
    }

    func jobs(
        where fits: @escaping @Sendable (TransferJob) -> Bool = { _ in true }
    ) throws -> [TransferJob] {
        try stored { try $0.jobs(where: fits) }.map { current($0) }
    }

    /// Removes a job in any state, together with its part file. If the job can't be removed, it
    /// continues unchanged.
    func remove(_ job: TransferJob) throws {
        try stored { try $0.remove(job.sequence) }
        let transfer = change { $0.active[job.sequence] }
        transfer?.stop(.dropped)
        transfer?.change { $0.part = nil }
        if let part = job.partFile { try? FileSystem.remove(part.path) }
        let isAwaited = change { state in
            state.requests[job.sequence] = nil
            (state.unrecorded[job.sequence], state.unreadable[job.sequence]) = (nil, nil)
            return state.isAwaited(job.sequence)
        }
        guard isAwaited else { return }
        var job = job
        job.state = .cancelled
        deliver(job)
        startNext()
    }

    func close() {
        let (transfers, waiters) = change { $0.close() }
        for transfer in transfers {
            transfer.stop(.dropped)
            try? recordBytes(of: transfer)
            transfer.change { $0.part = nil }
        }
        database.withLock { $0 = nil }
        lock.withLock { $0 = nil }
        for waiter in waiters { waiter.resume(throwing: TransferJournalError.closed) }
        notifyIfIdle()
    }
}
