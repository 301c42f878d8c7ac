internal import HTTPSemantics
internal import HTTPTypes

/// Connects to a stream of server-sent events, as often as needed.
struct ServerSentEventConnector: Sendable {
    let client: any HTTPExchanging
    let request: HTTPRequest
    let body: RequestBody
    let context: RequestContext

    /// Sends the request, and returns its response with the status 200 or 204.
    ///
    /// - Parameter lastEventID: empty for none.
    func connect(
        lastEventID: String
    ) async throws(ServerSentEventError) -> HTTPClientResponse {
        var request = request
        if !request.headerFields.contains(.accept) {
            request.headerFields[.accept] = "text/event-stream"
        }
        if !request.headerFields.contains(.cacheControl) {
            request.headerFields[.cacheControl] = "no-cache"
        }
        if !lastEventID.isEmpty, let name = HTTPField.Name("Last-Event-ID") {
            request.headerFields[name] = lastEventID
        }
        let response: HTTPClientResponse
        do throws(TransportError) {
            response = try await client.send(request, body: body, context: context)
        } catch {
            throw .transport(error)
        }
        guard Self.isAcceptable(response) else { throw .refused(response) }
        return response
    }

    /// Whether the request may be sent again after an error, or after its response.
    ///
    /// - Parameter error: nil after a response that has ended.
    func mayRepeat(after error: TransportError?) -> Bool {
        guard body.isReplayable else { return false }
        if let deadline = context.deadline, deadline <= .now { return false }
        return switch error?.retry ?? .idempotentOnly {
        case .never: false
        case .idempotentOnly: context.idempotency.allowsRepeating(request)
        case .always: true
        }
    }

    /// Another status or media type ends the stream, as the standard says.
    private static func isAcceptable(_ response: HTTPClientResponse) -> Bool {
        guard response.statusCode != 204 else { return true }
        guard response.statusCode == 200, let type = response.headerFields[.contentType] else {
            return false
        }
        return ParameterizedValue(type).value.lowercased() == "text/event-stream"
    }
}

/// Reads events from one connection after another.
struct ServerSentEventReader {
    private let connector: ServerSentEventConnector
    private let reconnection: ServerSentEventStream.Reconnection?
    private let limit: Int
    private var events: BodyEventReader
    /// The number of attempts in a row.
    private var attempts = 0
    private var connected = ContinuousClock.now
    private var isOver: Bool

    init(
        response: HTTPClientResponse,
        connector: ServerSentEventConnector,
        lastEventID: String,
        reconnection: ServerSentEventStream.Reconnection?,
        limit: Int
    ) {
        self.connector = connector
        self.reconnection = reconnection
        self.limit = limit
        events = BodyEventReader(
            response.body,
            parser: ServerSentEventParser(limit: limit, lastEventID: lastEventID),
            limit: limit
        )
        isOver = response.statusCode == 204
    }

    var lastEventID: String { events.parser.lastEventID }

    /// The next event; nil at the end, and after an error.
    mutating func next() async throws(ServerSentEventError) -> ServerSentEvent? {
        while !isOver {
            let error: TransportError?
            do throws(TransportError) {
                if let event = try await events.next() {
                    attempts = 0
                    return event
                }
                error = nil
            } catch let failure {
                error = failure
            }
            try await reconnect(after: error)
        }
        return nil
    }

    /// Reconnects as often as the rules allow. Otherwise the stream is over.
    ///
    /// - Throws: the last error. A response that has ended, of a request that mustn't be repeated, is
    ///   no error.
    private mutating func reconnect(
        after first: TransportError?
    ) async throws(ServerSentEventError) {
        var error = first
        if events.hasReceivedLine || hasLasted { attempts = 0 }
        while true {
            guard let reconnection, connector.mayRepeat(after: error),
                attempts < reconnection.maximumAttempts
            else {
                isOver = true
                if let error { throw .transport(error) }
                if attempts > 0 { throw .transport(.silentEventStream(attempts: attempts)) }
                return
            }
            attempts += 1
            do throws(ServerSentEventError) {
                try await wait(reconnection)
                try await connect()
                return
            } catch let failure {
                guard case .transport(let cause) = failure, !cause.isCancelled else {
                    isOver = true
                    throw failure
                }
                error = cause
            }
        }
    }

    /// Whether the connection lasted long enough to count as a success.
    private var hasLasted: Bool {
        guard let reconnection else { return false }
        return connected.duration(to: .now) > reconnection.maximumDelay
    }

    private mutating func connect() async throws(ServerSentEventError) {
        let response = try await connector.connect(lastEventID: lastEventID)
        var parser = events.parser
        parser.restart()
        events = BodyEventReader(response.body, parser: parser, limit: limit)
        connected = .now
        isOver = response.statusCode == 204
    }

    private func wait(
        _ reconnection: ServerSentEventStream.Reconnection
    ) async throws(ServerSentEventError) {
        let delay = reconnection.delays.delay(
            attempt: attempts,
            wanted: events.parser.reconnectionTime,
            chance: .random(in: 0...1)
        )
        if let deadline = connector.context.deadline, deadline <= .now + delay {
            throw .transport(.deadlinePassed(connector.request.url))
        }
        do {
            try await Task.sleep(for: delay)
        } catch {
            throw .transport(.cancelled)
        }
    }
}

extension TransportError {
    /// The server has ended each connection without sending a line.
    fileprivate static func silentEventStream(attempts: Int) -> TransportError {
        TransportError(
            .connectionLost,
            phase: .receiving,
            message: "the stream of events ended \(attempts + 1) times in a row without a line. "
                + "Look at the server, or raise the maximum number of attempts."
        )
    }
}
