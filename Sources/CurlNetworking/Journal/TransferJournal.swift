public import Foundation

/// A persistent list of downloads and uploads that resume after a restart.
///
/// It replaces background sessions on Linux. **Nothing is transferred while the program isn't
/// running**: no other process does its work. The journal guarantees that no job is lost, and that
/// no finished file is loaded again, however the program or the system ends. Have a supervisor
/// restart the program: systemd, for instance, with `Restart=always`.
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
/// A download's bytes go into a file in the destination's folder, named `.journal-….part`. Once the
/// body is complete and durable, it is renamed to the destination in one step, so the destination
/// never holds an incomplete file. A download resumes with `Range` and `If-Range` if the server
/// sent a strong validator (`ETag`, or a `Last-Modified` that is one) and doesn't encode the
/// content; otherwise it restarts (RFC 9110, 13.1.5 and 14). An upload always restarts, since HTTP
/// has no standard way to resume one. **An upload may arrive more than once** if the program ends,
/// or the connection is lost, before the response has arrived. Use `PUT`, or identify the upload in
/// a header field.
///
/// When a method returns, its changes are durable (`fsync`). Only the owner can read the folder's
/// files: `journal.db` with its `journal.db-wal`, and `journal.lock`. **URLs and header fields are
/// stored**, except the fields in ``TransferJournalConfiguration/omittedHeaderFields`` and the user
/// name and password of a URL: a secret in a URL's query is stored. The request's other properties
/// are stored too, for instance whether it handles cookies and may use an expensive network.
///
/// Only one process at a time may have the journal open, with one `TransferJournal` object. The
/// manager's session makes the requests. Its challenge handlers, its security policy, and its
/// handlers for redirects and metrics apply; the response serializer and the handlers for data
/// don't. A status from 200 to 299 is a success.
///
/// Jobs stay in the journal until they are removed, also after they have completed. The journal
/// retains the manager. The release of the last reference to the journal closes it: jobs in flight
/// stop, and resume after a restart.
///
/// Every method may be called on any thread.
public final class TransferJournal: Sendable {
    /// Called with a job that has completed: finished, failed or cancelled.
    ///
    /// It runs on the manager's `completionQueue`, or the main queue. It runs once more after a
    /// restart if the program ends while it runs.
    public typealias CompletionHandler = @Sendable (TransferJob) -> Void

    /// See ``setDidFinishEvents(_:)``.
    public typealias FinishHandler = @Sendable () -> Void

    let core: JournalCore

    /// Opens the journal in a folder, or creates it.
    ///
    /// Blocks on the disk: a whole journal is read to verify its records. Existing jobs start with
    /// ``restore(_:)``.
    ///
    /// - Parameters:
    ///   - folder: A folder for this journal alone; created if it doesn't exist. It must not be on
    ///     a network file system, whose locks and durability aren't reliable.
    ///   - manager: Makes the requests.
    ///   - configuration: Limits, retries, and which header fields are stored.
    /// - Throws: ``TransferJournalError``: ``TransferJournalError/Code/locked`` if another journal
    ///   has the folder open, ``TransferJournalError/Code/damaged`` if the file can't be read.
    ///   Damage to single jobs isn't thrown, but listed in ``damagedJobs``.
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

    /// Adds a download, and starts it when the concurrency limit allows.
    ///
    /// - Parameters:
    ///   - request: A `GET` request without a body, to `http` or `https`, and without `Range`.
    ///   - destination: The file to create. Its folder must exist, unless `options` allow to create
    ///     it.
    ///   - id: The job's name, unique within the journal; a new UUID if `nil`.
    ///   - options: How the file may get to its destination. By default nothing is replaced.
    ///   - completionHandler: Called when the job completes.
    /// - Returns: The job, which is on disk by then.
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

    /// Adds a file upload, and starts it when the concurrency limit allows.
    ///
    /// The upload sends the file's content at that time.
    ///
    /// - Parameters:
    ///   - request: The request; its own body is ignored.
    ///   - file: The file to send. It must exist until the job completes.
    ///   - id: The job's name, unique within the journal; a new UUID if `nil`.
    ///   - completionHandler: Called when the job completes; ``TransferJob/responseData`` is the
    ///     server's response.
    /// - Returns: The job, which is on disk by then.
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

    /// Resumes the jobs of earlier runs, and delivers completions that weren't delivered.
    ///
    /// Call it once after opening, when the program is ready for completions. Failed jobs don't
    /// restart by themselves; see ``resume(_:completionHandler:)``.
    ///
    /// - Parameter attach: Called for each of these jobs, in the order they were added, before any
    ///   starts. It returns the job's completion handler, or `nil` for none.
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

    // MARK: - Closing

    /// Stops jobs in flight and releases the journal for other processes.
    ///
    /// Nothing is lost: incomplete jobs resume after a restart. No completion handler is called;
    /// callers that wait in ``outcome(of:)`` get ``TransferJournalError/Code/closed``.
    public func close() async {
        try? await core.run { [core] in core.close() }
    }
}
