public import CurlURLSession
internal import Foundation
internal import HTTPSemantics

extension ResponseStream {
    /// The body as server-sent events, regardless of its media type.
    ///
    /// It doesn't reconnect; see
    /// ``URLSessionManager/events(for:lastEventID:reconnection:maximumLength:)``.
    ///
    /// - Parameter maximumLength: The maximum length of a line, and of an event's data, in bytes.
    public func events(maximumLength: Int = defaultMaximumLength) -> ServerSentEvents {
        ServerSentEvents(
            stream: self,
            connector: nil,
            lastEventID: "",
            maximumLength: maximumLength
        )
    }
}

/// The events that a server sends as `text/event-stream`, as they arrive.
///
/// They can be read once, by one Swift task, as described for ``ResponseStream``. An incomplete
/// event at the end of a connection is discarded.
public struct ServerSentEvents: AsyncSequence, Sendable {
    /// An event.
    public typealias Element = ServerSentEvent

    private let stream: ResponseStream
    private let connector: ServerSentEventConnector?
    private let lastEventID: String
    private let maximumLength: Int

    init(
        stream: ResponseStream,
        connector: ServerSentEventConnector?,
        lastEventID: String,
        maximumLength: Int
    ) {
        self.stream = stream
        self.connector = connector
        self.lastEventID = lastEventID
        self.maximumLength = maximumLength
    }

    /// The first response.
    public var response: URLResponse { stream.response }

    /// Creates an iterator, which reads the events.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(
            reader: ServerSentEventReader(
                stream: stream,
                connector: connector,
                lastEventID: lastEventID,
                limit: maximumLength
            )
        )
    }

    /// Reads events.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var reader: ServerSentEventReader

        fileprivate init(reader: ServerSentEventReader) {
            self.reader = reader
        }

        /// The `Last-Event-ID` to send when reconnecting; empty for none.
        ///
        /// It is the ID of the last event that had one.
        public var lastEventID: String { reader.lastEventID }

        /// Returns the next event; `nil` at the end.
        ///
        /// - Throws: The transport's error, if there is no reconnection;
        ///   `URLError.networkConnectionLost`, if the server repeatedly ended connections; the
        ///   error of an unacceptable later response; for a line or an event that is too long, an
        ///   error of ``URLResponseSerializationErrorDomain``.
        public mutating func next() async throws -> ServerSentEvent? {
            try await reader.next()
        }

        /// Returns the next event; `nil` at the end.
        ///
        /// It throws the same errors as ``next()``.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws -> ServerSentEvent? {
            try await reader.next()
        }
    }
}

/// An event that a server sends as `text/event-stream`.
///
/// See <https://html.spec.whatwg.org/multipage/server-sent-events.html>.
public struct ServerSentEvent: Sendable, Hashable {
    /// The event's type; `message` if the server names none.
    public let event: String
    /// The event's data. Several lines are separated by line feeds.
    public let data: String
    /// The last event ID of the stream at this event.
    ///
    /// An earlier event may have set it. Empty if the stream has set none.
    public let id: String
    /// The reconnection time in this event's `retry` field, if it has one.
    public let retry: Duration?

    /// Creates an event.
    public init(event: String = "message", data: String, id: String = "", retry: Duration? = nil) {
        self.event = event
        self.data = data
        self.id = id
        self.retry = retry
    }
}

extension ServerSentEvent {
    init(_ event: ServerSentEventParser.Event) {
        self.init(event: event.type, data: event.data, id: event.id, retry: event.retry)
    }
}
