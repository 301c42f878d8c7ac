internal import Curl
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

    /// Whether the connection stays open after the response, for further requests. Default: true.
    ///
    /// With false, it is closed at once, so that the last request to a host leaves no idle
    /// connection. Exceptions are a redirect within the origin, whose target needs the connection,
    /// and a connection that other transfers use. ``TransferOptions/reusesConnection`` also decides
    /// whether an existing connection is used.
    public var keepsConnection = true

    /// Whether the request may be repeated. Default: ``Idempotency/byMethod``.
    ///
    /// ``TransferOptions/retriesOnReusedConnectionLoss`` depends on it, for redirects, too.
    public var idempotency = Idempotency.byMethod

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
    /// Whether the connection stays open after the response.
    let keepsConnection: Bool
    let idempotency: Idempotency
    let delegate: any TransferDelegate
    let submitted: MonotonicTime
    /// Its place on the loop, if its origin uses several. Released with the plan.
    private let place: LoopPlace?

    /// Creates a plan. It opens the file of the body, if any, so it may block on a disk.
    init(
        id: TransferID,
        request: TransferRequest,
        delegate: any TransferDelegate,
        files: BlockingWorker,
        place: LoopPlace?
    ) throws(TransportError) {
        self.id = id
        self.place = place
        self.request = request.request.describing(request.body)
        body = try PlannedBody(
            request.body,
            announced: request.request.headerFields[.contentLength].flatMap { Int64($0) },
            files: files
        )
        options = request.options
        keepsConnection = request.keepsConnection
        idempotency = request.idempotency
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

/// Checks a request, except its authority, before anything is sent.
///
/// `HTTPField` itself rejects line ends and NUL in names and values. The pseudo header fields of an
/// `HTTPRequest` are plain strings that would be sent unchanged.
enum RequestChecks {
    static func check(_ request: HTTPRequest, body: PlannedBody) throws(TransportError) {
        let path = request.path ?? "/"
        guard path.first == "/" || (path == "*" && request.method == .options) else {
            throw .invalidRequest("the path has to begin with a slash", url: nil)
        }
        if let index = path.utf8.firstIndex(where: { $0 <= 0x20 || $0 == 0x7F }) {
            let position = path.utf8.distance(from: path.startIndex, to: index)
            throw .invalidRequest(
                "the path holds a space or control character at byte \(position); "
                    + "it has to be percent-encoded",
                url: nil
            )
        }
        guard request.method != .connect else {
            throw .invalidRequest("CONNECT requests can't be sent; set a proxy in the options")
        }
        try checkTransferEncoding(of: request.headerFields)
        if body.isPresent, request.method == .head || request.method == .trace {
            throw .invalidRequest("a \(request.method) request can't have a body")
        }
    }

    /// libcurl frames the content and supports no coding except `chunked`.
    private static func checkTransferEncoding(of fields: HTTPFields) throws(TransportError) {
        guard let coding = fields[.transferEncoding], coding.lowercased() != "chunked" else {
            return
        }
        throw .invalidRequest(
            "Transfer-Encoding is \"\(coding)\"; only chunked can be sent, which is chosen where the "
                + "content's length isn't known"
        )
    }

    /// Checks that a length in the fields is the body's length.
    static func check(
        length: Int64?,
        against fields: HTTPFields,
        hasBody: Bool
    ) throws(TransportError) {
        guard let text = fields[.contentLength] else { return }
        guard let announced = Int64(text), announced >= 0 else {
            throw .invalidRequest("Content-Length is \"\(text)\", which isn't a length")
        }
        guard hasBody || announced == 0 else {
            throw .invalidRequest("Content-Length is \(announced), but there is no body")
        }
        if let length, length != announced {
            throw .invalidRequest(
                "Content-Length is \(announced), but the body has \(length) bytes"
            )
        }
    }
}

extension EasyHandle {
    /// Sets method, URL, fields and body: everything that isn't an option.
    ///
    /// See <https://curl.se/libcurl/c/CURLOPT_CUSTOMREQUEST.html> for why the method is set twice.
    borrowing func apply(
        _ request: HTTPRequest,
        to endpoint: Endpoint,
        body: BodySource?,
        options: PreparedOptions,
        sendsCredentials: Bool
    ) throws(EasyOptionFailure) {
        let path = request.path ?? "/"
        if path == "*" {
            try set(.url, endpoint.origin + "/")
            try set(.requestTarget, "*")
        } else {
            try set(.url, endpoint.origin + path)
            if path.hasEmptyQuery, !(sendsCredentials && options.mayUseDigest) {
                try keepEmptyQuery(of: path, at: endpoint, options)
            }
            // Newer versions of libcurl refuse an AWS signature together with `PATH_AS_IS`.
            if sendsCredentials, options.isSigned, !path.hasDotSegments {
                try set(.pathAsIs, false)
            }
        }
        let sendsContent = try apply(request.method, body: body)
        try setHeaders { headers in
            headers.append(request.headerFields, options: options)
            if sendsContent {
                headers.appendFraming(
                    request.headerFields,
                    isChunked: body != nil && body?.length == nil,
                    options: options
                )
            }
            // libcurl includes this field in the AWS signature.
            if sendsCredentials, let token = options.securityToken {
                headers.append(name: "X-Amz-Security-Token", value: token)
            }
        }
    }

    // To parse a URL would cost a quarter of a small request.
    /// Sets the path and the fields of a plain GET.
    ///
    /// The handle must have an endpoint. libcurl then parses no URL.
    borrowing func apply(
        path: String,
        _ fields: HTTPFields,
        options: PreparedOptions
    ) throws(EasyOptionFailure) {
        try set(.requestTarget, path)
        try setHeaders { $0.append(fields, options: options) }
    }

    /// Sets the request target separately from the URL, to keep the question mark.
    ///
    /// Since 8.8, libcurl removes the question mark of an empty query from the URL. Older versions
    /// do so if they send the whole URL to a proxy. Not for Digest, whose response contains the
    /// target that libcurl parses from the URL.
    private borrowing func keepEmptyQuery(
        of path: String,
        at endpoint: Endpoint,
        _ options: PreparedOptions
    ) throws(EasyOptionFailure) {
        guard let url = try? CurlURL(parsing: endpoint.origin + path) else { return }
        let isAbsolute = options.asksProxyForURLs && !endpoint.isSecure
        try set(.requestTarget, isAbsolute ? url.string : url.pathAndQuery)
    }

    /// Sets the method and the framing of the content. Returns whether libcurl treats it as a POST.
    private borrowing func apply(
        _ method: HTTPRequest.Method,
        body: BodySource?
    ) throws(EasyOptionFailure) -> Bool {
        guard let body else { return try applyWithoutBody(method) }
        if let bytes = body.smallBytes {
            try set(.copyPostFields, bytes)
        } else {
            try set(.post, true)
            try set(.postFieldSize, body.length ?? -1)
            try set(.uploadBufferSize, body.bufferSize)
        }
        if method != .post {
            try set(.customRequest, method.rawValue)
        }
        return true
    }

    private borrowing func applyWithoutBody(_ method: HTTPRequest.Method) throws(EasyOptionFailure)
        -> Bool
    {
        switch method {
        case .get:
            return false
        case .head:
            try set(.noBody, true)
            return false
        case .post, .put, .patch:
            // These methods anticipate content, so `Content-Length: 0` states its absence (RFC
            // 9110, section 8.6).
            try set(.copyPostFields, [])
            if method != .post {
                try set(.customRequest, method.rawValue)
            }
            return true
        default:
            try set(.customRequest, method.rawValue)
            return false
        }
    }
}

extension String {
    /// Whether a path ends with a question mark, not counting a fragment.
    fileprivate var hasEmptyQuery: Bool {
        let text = prefix { $0 != "#" }
        return text.last == "?" && !text.dropLast().contains("?")
    }

    /// Whether a path has segments `.` or `..`, percent-encoded or not.
    fileprivate var hasDotSegments: Bool {
        prefix { $0 != "?" && $0 != "#" }.lowercased().split(separator: "/").contains { segment in
            [".", "..", "%2e", ".%2e", "%2e.", "%2e%2e"].contains { $0 == segment }
        }
    }
}

extension HeaderList {
    /// Appends the fields in libcurl's form, except those that frame the content.
    ///
    /// libcurl adds the framing itself. The fields of the options come last. libcurl could add
    /// them, too, but its verbose output would contain each of these lines twice.
    fileprivate mutating func append(_ fields: HTTPFields, options: PreparedOptions) {
        var userAgent = options.userAgentField
        var acceptEncoding = options.acceptEncodingField
        var omitsAccept = options.omitsAccept
        for field in fields {
            // Comparing the lengths first avoids most string comparisons.
            let name = field.name.canonicalName
            switch name.utf8.count {
            case 6 where name == "accept": omitsAccept = false
            case 10 where name == "user-agent": userAgent = nil
            case 15 where name == "accept-encoding": acceptEncoding = nil
            case 14 where name == "content-length": continue
            case 17 where name == "transfer-encoding": continue
            default: break
            }
            append(name: field.name.rawName, value: field.value)
        }
        if let userAgent { append(userAgent) }
        if let acceptEncoding { append(acceptEncoding) }
        // Without a value, libcurl doesn't add the field either.
        if omitsAccept { append("Accept:") }
    }

    /// Removes fields that libcurl adds for content, and adds missing ones.
    ///
    /// See <https://curl.se/libcurl/c/CURLOPT_HTTPHEADER.html>.
    fileprivate mutating func appendFraming(
        _ fields: HTTPFields,
        isChunked: Bool,
        options: PreparedOptions
    ) {
        if !fields.contains(.contentType) {
            // Without a line, libcurl sends the type of a form. Where it would sign an empty one, the
            // request has the type of unknown content (RFC 9110, section 8.3).
            let type = options.options.signsRemovedFields ? " application/octet-stream" : ""
            append("Content-Type:\(type)")
        }
        // libcurl sends `Expect` with large content by default; here the options decide.
        if !fields.contains(.expect) {
            if options.options.expectContinue != nil {
                append("Expect: 100-continue")
            } else if !options.options.signsRemovedFields {
                append("Expect:")
            }
        }
        if isChunked { append("Transfer-Encoding: chunked") }
    }
}

extension EasyHandle {
    /// Sets all options that don't depend on the method, header fields or body.
    ///
    /// Called once on the loop thread, with a new handle. Options with libcurl's default aren't
    /// set.
    ///
    /// - Parameters:
    ///   - isSecure: Whether the URL's scheme is `https`.
    ///   - sendsCredentials: Whether credentials may be sent to the URL's origin. False after a
    ///     redirect to another origin.
    ///   - waitsForMultiplexing: Whether to wait for a connection that is being established,
    ///     because it may be able to multiplex; for `https` only.
    borrowing func apply(
        _ options: PreparedOptions,
        isSecure: Bool,
        sendsCredentials: Bool,
        waitsForMultiplexing: Bool = false
    ) throws(InvalidOption) {
        let route = try options.route(isSecure: isSecure)
        do throws(EasyOptionFailure) {
            try set(route.settings)
            if sendsCredentials, !options.credentials.isEmpty { try set(options.credentials) }
            if waitsForMultiplexing, isSecure { try set(.pipeWait, true) }
            if !route.proxyHeaders.isEmpty {
                try set(proxyHeaders: route.proxyHeaders)
            }
            if !options.resolve.isEmpty { try set(resolve: options.resolve) }
            if !options.connectTo.isEmpty { try set(connectTo: options.connectTo) }
        } catch {
            throw InvalidOption(
                "libcurl's option \(error.option)",
                "was refused by libcurl \(CurlVersion.current.text): \(error.code)"
            )
        }
    }
}
