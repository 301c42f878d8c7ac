public import HTTPTypes

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
