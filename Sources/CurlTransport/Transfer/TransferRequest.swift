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

    /// Creates a request.
    public init(_ request: HTTPRequest, body: RequestBody = .none, options: PreparedOptions) {
        self.request = request
        self.body = body
        self.options = options
    }
}
