internal import Curl
public import Foundation

/// A transfer as a ``TransferJournal`` knows it: what is to be loaded or sent, where to or from, how far it
/// has come, and what was wrong.
///
/// It is a value: what the journal knew when it was asked. Another look at it is `job(_:)`.
public struct TransferJob: Sendable, Hashable, Identifiable {
    /// Which way the bytes go.
    public enum Kind: String, Sendable, Hashable, Codable {
        /// From the server into a file.
        case download
        /// From a file to the server.
        case upload
    }

    /// What has become of a job.
    public enum State: String, Sendable, Hashable, Codable {
        /// It is to be done, or done on.
        case waiting
        /// The body is whole and on its way to its destination.
        case moving
        /// It is done.
        case finished
        /// It has failed, and isn't tried again by itself; see ``TransferJob/failure``.
        case failed
        /// It was cancelled, and is no longer in the journal.
        case cancelled
    }

    /// The name of the job, which no other one of the journal has.
    public let id: String
    /// Which way the bytes go.
    public let kind: Kind
    /// What is loaded, or where the file is sent. User name and password are left out.
    public let url: URL
    /// The request's method.
    public let httpMethod: String
    /// The request's header fields that are stored. Those that may be secret are left out; see
    /// ``omittedHeaderFields``.
    public let httpHeaderFields: [String: String]
    /// The names of the request's header fields that aren't stored, and are asked for again after the
    /// program has been started anew; see ``TransferJournalConfiguration/omittedHeaderFields``.
    public let omittedHeaderFields: [String]
    /// In seconds; the request's.
    public let timeoutInterval: TimeInterval
    /// Where a download goes, or what file an upload sends.
    public let file: URL
    /// Where a download's bytes are until it is whole: beside ``file``.
    public let partFile: URL?
    /// What may be done for a download to get to its destination.
    public let options: DownloadOptions
    /// When the job was added.
    public let created: Date

    /// What else of the request is stored.
    let traits: RequestTraits

    /// What has become of it.
    public internal(set) var state = State.waiting
    /// How many bytes of a download are on the disk for certain, or how many an upload has sent.
    public internal(set) var bytes: Int64 = 0
    /// How many bytes there will be; `nil` where it isn't known.
    public internal(set) var expectedBytes: Int64?
    /// The response's `ETag`, weak or strong.
    public internal(set) var entityTag: String?
    /// The response's `Last-Modified`.
    public internal(set) var lastModified: String?
    /// How often a request was made for it.
    public internal(set) var attempts = 0
    /// What was wrong the last time; `nil` if nothing was.
    public internal(set) var failure: TransferJobFailure?
    /// The status of the last response; `nil` without one.
    public internal(set) var statusCode: Int?
    /// What the server has answered to an upload: 64 KiB at most.
    public internal(set) var responseData: Data?

    /// By what the same content is known again; `nil` where it can't be, and begins anew.
    var validator: String?
    /// Which start of the system the bytes were written in.
    var boot = ""
    /// Which file is moved to its destination.
    var moved: FileIdentity?
    /// Whether somebody was told of its end.
    var isTold = false
    /// Where it stands among the jobs of the journal.
    var sequence = 0

    /// Whether nothing more is done about it.
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
        url = request.url
        httpMethod = request.method
        httpHeaderFields = request.fields
        omittedHeaderFields = request.omitted
        timeoutInterval = request.timeout
        traits = request.traits
        self.file = file
        self.partFile = partFile
        self.options = options
        self.created = created
    }
}
