public import CurlTransport
public import CurlURLSession

extension URLSessionConfiguration {
    /// Lets a stub answer the requests of sessions with this configuration, without a network.
    ///
    /// ```swift
    /// let stub = StubClient().on(.get, "/users", reply: .json(#"[{"name": "Ada"}]"#))
    /// let configuration = URLSessionConfiguration.ephemeral
    /// configuration.answerRequests(with: stub)
    /// let manager = HTTPSessionManager(sessionConfiguration: configuration)
    /// ```
    ///
    /// Use a `StubClient`, a `ReplayingClient`, or any other implementation of `HTTPExchanging`. It
    /// gets `http` and `https` requests with their bodies, and its failures become `URLError`s as
    /// those of a connection. Redirects aren't followed. Responses aren't cached, and cookies
    /// and credentials aren't added. WebSocket and stream tasks, and uploads of asynchronous
    /// sequences, aren't answered by a stub.
    ///
    /// Call it before a session is created. The exchanger exists until the process ends.
    public func answerRequests(with exchanger: any HTTPExchanging) {
        var fields = httpAdditionalHeaders ?? [:]
        fields[StubRegistry.fieldName] = StubRegistry.shared.add(exchanger)
        httpAdditionalHeaders = fields
        if protocolClasses?.contains(where: { $0 == StubURLProtocol.self }) != true {
            protocolClasses = [StubURLProtocol.self] + (protocolClasses ?? [])
        }
    }
}
