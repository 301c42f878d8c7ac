public import Foundation
internal import Posix

/// A transfer of a ``TransferJournal``: its request, file, progress and failure.
///
/// It is a value, and doesn't change after the journal has returned it. `job(_:)` returns the
/// current one.
public struct TransferJob: Sendable, Hashable, Identifiable {
    /// The direction of a transfer.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Kind: String, Sendable, Hashable, Codable {
        /// From the server into a file.
        case download
        /// From a file to the server.
        case upload
    }

    /// The state of a job.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum State: String, Sendable, Hashable, Codable {
        /// The job is queued, in flight, or waits for its next attempt.
        case waiting
        /// The body is complete and is being moved to its destination.
        case moving
        /// The job has succeeded.
        case finished
        /// The job has failed and isn't retried automatically; see ``TransferJob/failure``.
        case failed
        /// The job was cancelled and is no longer in the journal.
        case cancelled
    }

    /// The job's name, unique within the journal.
    public let id: String
    /// The direction of the transfer.
    public let kind: Kind
    /// The destination of a download, or the file that an upload sends.
    public let file: URL
    /// Where an incomplete download is kept: in the folder of ``file``.
    public let partFile: URL?
    /// How a download may get to its destination.
    public let options: DownloadOptions
    /// When the job was added.
    public let created: Date

    /// The stored parts of the request.
    let request: StorableRequest

    /// The job's state.
    public internal(set) var state = State.waiting
    /// The durable bytes of a download, or the sent bytes of an upload.
    public internal(set) var bytes: Int64 = 0
    /// The size of the whole body in bytes; `nil` if unknown.
    public internal(set) var expectedBytes: Int64?
    /// The response's `ETag`, weak or strong.
    public internal(set) var entityTag: String?
    /// The response's `Last-Modified`.
    public internal(set) var lastModified: String?
    /// How many attempts were made.
    public internal(set) var attempts = 0
    /// The last failure; `nil` if there was none.
    public internal(set) var failure: TransferJobFailure?
    /// The status of the last response; `nil` if there was none.
    public internal(set) var statusCode: Int?
    /// The body of the response to an upload: the first 64 KiB at most.
    public internal(set) var responseData: Data?

    /// The strong validator that identifies the content; `nil` if there is none, so that the
    /// download restarts.
    var validator: String?
    /// The boot in which the bytes were written; see `SystemBoot`.
    var boot = ""
    /// The identity of the file that is being moved to its destination.
    var moved: FileIdentity?
    /// Whether the completion was delivered.
    var isDelivered = false
    /// The job's number in the journal.
    var sequence = 0

    /// Whether the job has completed: it is finished, has failed or was cancelled.
    public var isOver: Bool { state == .finished || state == .failed || state == .cancelled }

    init(
        id: String,
        kind: Kind,
        request: StorableRequest,
        file: URL,
        partFile: URL?,
        options: DownloadOptions,
        created: Date = Date()
    ) {
        self.id = id
        self.kind = kind
        self.request = request
        self.file = file
        self.partFile = partFile
        self.options = options
        self.created = created
    }
}

extension TransferJob {
    /// The URL of the download or upload, without user name and password.
    public var url: URL { request.url }
    /// The request's method.
    public var httpMethod: String { request.method }
    /// The request's stored header fields.
    ///
    /// Those that may be secret aren't stored; see ``omittedHeaderFields``.
    public var httpHeaderFields: [String: String] { request.fields }
    /// The names of the request's header fields that aren't stored.
    ///
    /// After a restart of the program, the journal gets their values again; see
    /// ``TransferJournalConfiguration/omittedHeaderFields``.
    public var omittedHeaderFields: [String] { request.omitted }
    /// The request's timeout, in seconds.
    public var timeoutInterval: TimeInterval { request.timeout }
}

extension TransferJob {
    /// How many bytes of a part file count when a job resumes.
    ///
    /// After the end of the program, all written bytes count: the kernel has them. After a crash of
    /// the system, only durable bytes count. Without a validator no bytes count, unless the body is
    /// complete.
    func usableBytes(of size: Int64) -> Int64 {
        let certain = SystemBoot.isCurrent(boot) ? size : min(size, bytes)
        if let expectedBytes {
            if certain == expectedBytes { return certain }
            if certain > expectedBytes { return 0 }
        }
        return validator == nil ? 0 : certain
    }
}
