internal import HTTPSemantics

extension ResponseBody {
    /// The content as server-sent events, whatever its media type is; see ``BodyEvents``.
    ///
    /// Lines and the data of events have at most ``defaultMaximumLength`` bytes.
    public var serverSentEvents: BodyEvents {
        serverSentEvents(maximumLength: Self.defaultMaximumLength)
    }

    /// The content as server-sent events, whatever its media type is; see ``BodyEvents``.
    ///
    /// - Parameter maximumLength: the maximum length of a line, and of an event's data, in bytes.
    public func serverSentEvents(maximumLength: Int) -> BodyEvents {
        BodyEvents(body: self, maximumLength: maximumLength)
    }
}

/// An event that a server sends as `text/event-stream`.
///
/// Source: <https://html.spec.whatwg.org/multipage/server-sent-events.html>.
public struct ServerSentEvent: Sendable, Hashable {
    /// The type; `message` if the server names none.
    public let event: String
    /// The data. Several lines are separated by line feeds.
    public let data: String
    /// The last event ID of the stream at this event; empty if the stream has set none.
    ///
    /// An earlier event may have set it.
    public let id: String
    /// The reconnection time in this event's `retry` field, at most a day; nil if it has none.
    public let retry: Duration?

    /// Creates an event.
    public init(event: String = "message", data: String, id: String = "", retry: Duration? = nil) {
        self.event = event
        self.data = data
        self.id = id
        self.retry = retry
    }

    init(_ event: ServerSentEventParser.Event) {
        self.init(event: event.type, data: event.data, id: event.id, retry: event.retry)
    }
}

/// The server-sent events of one response, as they arrive.
///
/// They are parsed as the WHATWG HTML standard says: lines end with LF, CR or CR LF, comments and
/// unknown fields are ignored, a byte order mark at the start is removed, invalid UTF-8 becomes
/// U+FFFD, and an event that isn't complete at the end is dropped. One task can read them, once.
/// For a stream that reconnects, see
/// ``HTTPExchanging/serverSentEvents(for:body:context:lastEventID:reconnection:maximumLength:)``.
public struct BodyEvents: AsyncSequence, Sendable {
    /// An event.
    public typealias Element = ServerSentEvent
    /// The error that ended the transfer.
    public typealias Failure = TransportError

    private let body: ResponseBody
    private let maximumLength: Int

    init(body: ResponseBody, maximumLength: Int) {
        self.body = body
        self.maximumLength = maximumLength
    }

    /// Starts reading.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(
            events: BodyEventReader(
                body,
                parser: ServerSentEventParser(limit: Swift.max(0, maximumLength)),
                limit: maximumLength
            )
        )
    }

    /// Reads events.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var events: BodyEventReader

        /// The `Last-Event-ID` to send when reconnecting; empty for none.
        public var lastEventID: String { events.parser.lastEventID }

        /// The reconnection time that the server has requested; nil for none.
        public var reconnectionTime: Duration? { events.parser.reconnectionTime }

        /// The next event; nil at the end, and after an error.
        ///
        /// - Throws: ``TransportError/Code/responseTooLarge`` for a line or an event that is too
        ///   long, which cancels the transfer, or the error that ended the transfer.
        public mutating func next() async throws(TransportError) -> ServerSentEvent? {
            try await events.next()
        }

        /// The next event; nil at the end. It throws as ``next()``.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(TransportError) -> ServerSentEvent? {
            try await events.next()
        }
    }
}

/// Reads the events of one response.
struct BodyEventReader {
    private(set) var parser: ServerSentEventParser
    /// Whether a line has arrived. A comment also shows that the connection works.
    private(set) var hasReceivedLine = false
    private var lines: BodyLineReader

    init(_ body: ResponseBody, parser: ServerSentEventParser, limit: Int) {
        self.parser = parser
        lines = BodyLineReader(body, limit: limit)
    }

    /// The next event; nil at the end, and after an error.
    mutating func next() async throws(TransportError) -> ServerSentEvent? {
        while let line = try await lines.next() {
            // A field that was cut off, such as the digits of `retry`, isn't one.
            guard !lines.isOver else { return nil }
            hasReceivedLine = true
            if let event = try take(line) { return event }
        }
        return nil
    }

    private mutating func take(_ line: [UInt8]) throws(TransportError) -> ServerSentEvent? {
        do throws(ServerSentEventParser.EventTooLong) {
            return try parser.take(line).map { ServerSentEvent($0) }
        } catch {
            throw lines.end(.partTooLarge("an event", limit: error.limit))
        }
    }
}
