public import HTTPTypes

/// One request, with its body and the options under which it is made.
public struct TransferRequest: Sendable {
    /// Method, scheme, authority, path and fields.
    ///
    /// The scheme must be `http` or `https`, and the authority must not be empty. What HTTP itself
    /// needs is added by libcurl: `Host`, `Content-Length` or `Transfer-Encoding`, `Accept` where
    /// there is none.
    public var request: HTTPRequest

    /// The request's content.
    public var body: RequestBody

    /// Time limits, TLS, proxies and so on.
    public var options: PreparedOptions

    /// From the start to the end of this transfer, beside ``Timeouts/total`` of the options: for who
    /// has less time than other requests with the same options. What is zero or less has passed
    /// already.
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
