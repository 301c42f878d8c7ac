public import HTTPTypes

extension HTTPClient {
    /// Opens a WebSocket (RFC 6455) over HTTP/1.1.
    ///
    /// Returns when the server has accepted the handshake. Redirects aren't followed: the server
    /// refuses with them. Of the request, scheme, authority, path and fields are used; the handshake
    /// sets its own fields.
    ///
    /// - Parameters:
    ///   - request: for `http` or `https`. A URL with `ws` or `wss` is for
    ///     ``webSocket(url:headerFields:configuration:options:)``.
    ///   - configuration: subprotocols, limits and pings.
    ///   - options: TLS, proxies and timeouts; nil for the client's. ``Timeouts/idle`` applies until
    ///     the server has answered, ``Timeouts/total`` to the whole life of the WebSocket.
    /// - Throws: ``WebSocketError/refused(statusCode:_:)`` if the server answers with another status
    ///   than 101 or doesn't follow the protocol, ``WebSocketError/connection(_:)`` if it can't be
    ///   reached, ``WebSocketError/cancelled`` if the task is cancelled.
    public func webSocket(
        _ request: HTTPRequest,
        configuration: WebSocketConfiguration = WebSocketConfiguration(),
        options: PreparedOptions? = nil
    ) async throws(WebSocketError) -> WebSocket {
        let options = try preparedForWebSocket(options)
        let request = try WebSocketRequest(
            request,
            subprotocols: configuration.subprotocols,
            options: options
        )
        return try await open(request, configuration)
    }

    /// Opens a WebSocket to a URL with the scheme `ws`, `wss`, `http` or `https`.
    ///
    /// - Parameters:
    ///   - url: `ws` and `http` mean the same, as do `wss` and `https`.
    ///   - headerFields: additional fields of the handshake, such as `Authorization`.
    ///   - configuration: see ``webSocket(_:configuration:options:)``.
    ///   - options: see ``webSocket(_:configuration:options:)``.
    /// - Throws: as ``webSocket(_:configuration:options:)``.
    public func webSocket(
        url: String,
        headerFields: HTTPFields = [:],
        configuration: WebSocketConfiguration = WebSocketConfiguration(),
        options: PreparedOptions? = nil
    ) async throws(WebSocketError) -> WebSocket {
        let options = try preparedForWebSocket(options)
        let request = try WebSocketRequest(
            url: url,
            subprotocols: configuration.subprotocols,
            fields: headerFields,
            options: options
        )
        return try await open(request, configuration)
    }

    private func preparedForWebSocket(
        _ options: PreparedOptions?
    ) throws(WebSocketError) -> PreparedOptions {
        if let options { return options }
        do throws(TransportError) {
            return try core.prepared.get()
        } catch {
            throw .connection(error)
        }
    }

    private func open(
        _ request: WebSocketRequest,
        _ configuration: WebSocketConfiguration
    ) async throws(WebSocketError) -> WebSocket {
        guard !Task.isCancelled else { throw .cancelled }
        var request = request
        request.idleLimit = configuration.idleLimit
        request.closingLimits.close = configuration.closeTimeout
        let connection = WebSocketConnection()
        connection.maximumMessageSize = configuration.maximumMessageSize
        let events = WebSocketEvents(hooks: core.hooks, options: request.options.options)
        connection.connect(request, over: core.transport, delegate: events)
        let opening = await withTaskCancellationHandler {
            await Self.opening(events)
        } onCancel: {
            connection.cancel()
        }
        guard !Task.isCancelled else {
            // The task may have been cancelled after the wait.
            connection.cancel()
            throw .cancelled
        }
        return WebSocket(
            try opening.get(),
            connection: connection,
            events: events,
            transport: core.transport,
            pingInterval: configuration.pingInterval
        )
    }

    // The cancellation handler doesn't rethrow a typed error.
    private static func opening(
        _ events: WebSocketEvents
    ) async -> Result<WebSocketEvents.Opening, WebSocketError> {
        do throws(WebSocketError) {
            return .success(try await events.opened())
        } catch {
            return .failure(error)
        }
    }
}
