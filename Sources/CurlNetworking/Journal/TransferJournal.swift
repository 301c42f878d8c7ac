public import Foundation

/// A list of downloads and uploads on disk, which go on where they were when the program is started again.
///
/// It is what there is on Linux in the place of background sessions. **Nothing goes on while the program
/// isn't running**: no other process does its work. What the journal gives is that nothing is lost, and
/// nothing that is finished is loaded again, whenever and however the program or the system ends. Have
/// the program started again by something: by systemd, for instance, with `Restart=always`.
///
/// ```swift
/// let journal = try TransferJournal(at: folder, manager: manager)
/// try await journal.restore { job in
///     { job in print(job.id, job.state, job.failure?.message ?? "") }
/// }
/// if try await !journal.jobs().contains(where: { $0.id == "catalogue" }) {
///     try await journal.download(URLRequest(url: url), to: file, id: "catalogue")
/// }
/// await journal.finishEvents()
/// ```
///
/// A download's bytes go into a file beside its destination, named `.journal-….part`; once the body is whole
/// and durable, it is moved there in one step. So there is nothing at the destination, or all of it. A
/// download goes on with `Range` and `If-Range` if the server had a strong validator (`ETag`, or a
/// `Last-Modified` that is one) and doesn't code the content; otherwise it begins anew (RFC 9110, 13.1.5 and
/// 14). An upload always begins anew, since HTTP has no way to go on with one: **it may arrive more than once**
/// if the program ends, or the connection is lost, while the answer is on its way. Servers should be asked
/// with `PUT`, or told by a field of the request which upload it is.
///
/// What is written down is on the disk when a method returns (`fsync`). The folder's files, `journal.db`
/// with its `journal.db-wal`, and `journal.lock`, can be read by their owner alone. **URLs and header
/// fields are stored**, but for those of ``TransferJournalConfiguration/omittedHeaderFields``, and for user
/// name and password of a URL: a secret in the query of a URL is stored. So is what else a request says: whether
/// it handles cookies and may go over a network that costs much, for instance.
///
/// One process at a time may have the journal open, and one object of it. Requests are made by the manager's
/// session: its answers to challenges, its security policy and its handlers for redirects and metrics
/// count; the response serializer and the handlers for data don't. A status from 200 to 299 is a success.
///
/// Jobs stay in the journal, also when they are over, until they are removed. The journal keeps the manager.
/// When the last reference to the journal goes, it is closed: jobs that are under way stop, and go on after
/// another start.
///
/// Every method may be called on any thread.
public final class TransferJournal: Sendable {
    /// Is told what has become of a job that is over: finished, failed or cancelled. It is called on the
    /// manager's `completionQueue`, or the main queue.
    public typealias CompletionHandler = @Sendable (TransferJob) -> Void

    /// See ``setDidFinishEvents(_:)``.
    public typealias FinishHandler = @Sendable () -> Void

    let core: JournalCore

    /// Opens the journal in a folder, or begins one. Waits for the disk: all of a long journal is read, to see
    /// that it is as it was written. Jobs that there are wait for ``restore(_:)``.
    ///
    /// - Parameters:
    ///   - folder: For the journal alone; made if it isn't there. Not on a network file system, whose locks and
    ///     durability can't be relied on.
    ///   - manager: Makes the requests.
    ///   - configuration: How it goes about its jobs.
    /// - Throws: ``TransferJournalError``: ``TransferJournalError/Code/locked`` where another one has it open,
    ///   ``TransferJournalError/Code/damaged`` where it can't be read. What is damaged in one job alone isn't
    ///   thrown, but listed in ``damagedJobs``.
    public init(
        at folder: URL,
        manager: URLSessionManager,
        configuration: TransferJournalConfiguration = TransferJournalConfiguration()
    ) throws {
        core = try JournalCore(folder: folder, manager: manager, configuration: configuration)
    }

    deinit {
        let core = core
        core.queue.async { core.close() }
    }

    // MARK: - New jobs

    /// Adds a download, and begins it when it is its turn.
    ///
    /// - Parameters:
    ///   - request: A `GET` request without a body, to `http` or `https`, and without `Range`.
    ///   - destination: Where the file goes. Its folder has to be there, unless `options` allow to make it.
    ///   - id: The job's name, which no other one has; a new one with `nil`.
    ///   - options: What may be done for the file to get there. By default nothing is replaced.
    ///   - completionHandler: Called once the job is over.
    /// - Returns: The job, which is on the disk then.
    /// - Throws: ``TransferJournalError``; the job isn't in the journal then.
    @discardableResult
    public func download(
        _ request: URLRequest,
        to destination: URL,
        id: String? = nil,
        options: DownloadOptions = [],
        completionHandler: CompletionHandler? = nil
    ) async throws -> TransferJob {
        let job = try newDownload(request, destination, id ?? UUID().uuidString, options)
        return try await core.run { [core] in
            try core.checkFolder(of: job)
            return try core.add(job, request, completionHandler)
        }
    }

    /// Adds an upload of a file, and begins it when it is its turn. What is sent is what the file has then.
    ///
    /// - Parameters:
    ///   - request: Its own body is left out.
    ///   - file: Has to stay until the job is over.
    ///   - id: The job's name, which no other one has; a new one with `nil`.
    ///   - completionHandler: Called once the job is over; ``TransferJob/responseData`` is what the server has
    ///     answered.
    /// - Returns: The job, which is on the disk then.
    /// - Throws: ``TransferJournalError``; the job isn't in the journal then.
    @discardableResult
    public func upload(
        _ request: URLRequest,
        fromFile file: URL,
        id: String? = nil,
        completionHandler: CompletionHandler? = nil
    ) async throws -> TransferJob {
        let job = try newUpload(request, file, id ?? UUID().uuidString)
        return try await core.run { [core] in try core.add(job, request, completionHandler) }
    }

    /// Goes on with the jobs that an earlier start has left, and tells of those that were over then without
    /// anybody having been told. To be called once, after opening, when the program can take what it is told.
    ///
    /// Jobs that have failed don't begin again by themselves; see ``resume(_:completionHandler:)``.
    ///
    /// - Parameter attach: Is asked about each of these jobs, in the order in which they were added, before
    ///   any begins, and returns who is told of its end; `nil` for nobody.
    /// - Returns: These jobs.
    /// - Throws: ``TransferJournalError``.
    @discardableResult
    public func restore(
        _ attach: (TransferJob) -> CompletionHandler? = { _ in nil }
    ) async throws -> [TransferJob] {
        let jobs = try await core.run { [core] in try core.restorableJobs() }
        var handlers: [Int: CompletionHandler] = [:]
        for job in jobs { handlers[job.sequence] = attach(job) }
        try await core.run { [core, handlers] in core.restore(jobs, handlers) }
        return jobs
    }

    // MARK: - The end

    /// Stops what is under way and lets others open the journal. Nothing is lost: unfinished jobs go on after
    /// another start. Nobody is told of them now; who waits in ``outcome(of:)`` is thrown
    /// ``TransferJournalError/Code/closed``.
    public func close() async {
        try? await core.run { [core] in core.close() }
    }
}
