internal import HTTPTypes

extension HTTPClient {
    /// Opens connections to a server before requests need them.
    ///
    /// libcurl opens a connection only for a request. So this sends as many `HEAD` requests at once
    /// as there shall be connections, whatever their statuses are, without the client's middleware.
    /// The connections stay idle until requests use them, for
    /// ``TransportConfiguration/idleConnectionLifetime`` at most. Idle connections count: if there
    /// are some already, fewer are opened. A server with HTTP/2 gets one connection.
    ///
    /// - Parameters:
    ///   - url: The server, such as `https://api.example`; or a URL of it that is cheap to respond
    ///     to, such as `https://api.example/health`.
    ///   - count: The number of connections, limited by
    ///     ``TransportConfiguration/maximumConnectionsPerHost``.
    ///   - options: Those of the later requests, if they aren't the client's: requests share only
    ///     connections that were opened with the same options for TLS, proxies and addresses.
    ///   - deadline: When the connections must have been opened; nil for no deadline.
    /// - Returns: The number of connections that were opened.
    /// - Throws: The first error, if no request was answered. No request remains then.
    @discardableResult
    public func warmUp(
        _ url: String,
        count: Int = 1,
        options: PreparedOptions? = nil,
        deadline: ContinuousClock.Instant? = nil
    ) async throws(TransportError) -> Int {
        let request = try HTTPRequest(method: .head, url: url)
        // All start before any of them can end and leave its connection to another one.
        var exchanges: [ClientExchange] = []
        do throws(TransportError) {
            for _ in 0..<max(0, count) {
                exchanges.append(
                    try core.begin(request, body: .none, options: options, deadline: deadline)
                )
            }
        } catch {
            // The task was cancelled meanwhile, or the deadline has passed.
            for exchange in exchanges { exchange.abandon() }
            for exchange in exchanges { _ = try? await exchange.emptyResponse() }
            throw error
        }
        var opened = 0
        var answered = 0
        var firstError: TransportError?
        for exchange in exchanges {
            do throws(TransportError) {
                let response = try await exchange.emptyResponse()
                answered += 1
                if response.metrics?.isConnectionReused == false { opened += 1 }
            } catch {
                firstError = firstError ?? error
            }
        }
        if let firstError, answered == 0 { throw firstError }
        return opened
    }
}

extension ClientExchange {
    /// Waits until the transfer has ended. The response to `HEAD` has no body.
    fileprivate func emptyResponse() async throws(TransportError) -> HTTPClientResponse {
        let response = try await response()
        _ = try await response.body.collect(upTo: 0)
        return response
    }
}
