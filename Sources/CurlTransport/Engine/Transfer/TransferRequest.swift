public import HTTPTypes
internal import Posix

/// A request with its body and options.
public struct TransferRequest: Sendable {
    /// Method, scheme, authority, path and fields.
    ///
    /// The scheme must be `http` or `https`, and the authority must not be empty. libcurl adds the
    /// fields that HTTP requires: `Host`, `Content-Length` or `Transfer-Encoding`, and a missing
    /// `Accept`.
    public var request: HTTPRequest

    /// The request's body.
    public var body: RequestBody

    /// Timeouts, TLS, proxies and so on.
    public var options: PreparedOptions

    /// The timeout of the whole transfer.
    ///
    /// It applies in addition to ``Timeouts/total`` of the options. Use it if a request has less
    /// time than others with the same options. A value of zero or less has passed already.
    public var timeLimit: Duration?

    /// Creates a request.
    public init(
        _ request: HTTPRequest,
        body: RequestBody = .none,
        options: PreparedOptions,
        timeLimit: Duration? = nil
    ) {
        self.request = request
        self.body = body
        self.options = options
        self.timeLimit = timeLimit
    }
}

/// All data of a transfer that is passed to its loop.
final class TransferPlan: Sendable {
    let id: TransferID
    let request: HTTPRequest
    let body: PlannedBody
    let options: PreparedOptions
    /// The total timeout in nanoseconds since submission; nil for none.
    ///
    /// The shorter one of the request's own and that of its options.
    let totalLimit: Int64?
    let delegate: any TransferDelegate
    let submitted: MonotonicTime

    /// Creates a plan. It opens the file of the body, if any, so it may block on a disk.
    init(
        id: TransferID,
        request: TransferRequest,
        delegate: any TransferDelegate,
        files: BlockingWorker
    ) throws(TransportError) {
        self.id = id
        self.request = request.request
        body = try PlannedBody(
            request.body,
            announced: request.request.headerFields[.contentLength].flatMap { Int64($0) },
            files: files
        )
        options = request.options
        totalLimit = Self.shorter(request.timeLimit?.wholeNanoseconds, options.limits.total)
        self.delegate = delegate
        submitted = .now
    }

    private static func shorter(_ one: Int64?, _ other: Int64?) -> Int64? {
        guard let one, let other else { return one ?? other }
        return min(one, other)
    }

    /// Whether the total timeout has passed.
    func isDeadlinePassed(at now: MonotonicTime) -> Bool {
        guard let totalLimit else { return false }
        // A timeout of zero has always passed.
        return totalLimit <= 0 || submitted.advanced(byNanoseconds: totalLimit) <= now
    }
}

/// The time at which a timeout passes, and the code of its error.
struct Deadline {
    let time: MonotonicTime
    let code: TransportError.Code
}

extension Deadline? {
    /// Changes to the deadline of `limit` nanoseconds since `start`, if that is earlier.
    mutating func consider(
        _ limit: Int64?,
        since start: MonotonicTime,
        _ code: TransportError.Code
    ) {
        guard let limit else { return }
        let time = start.advanced(byNanoseconds: limit)
        if let self, self.time <= time { return }
        self = Deadline(time: time, code: code)
    }
}
