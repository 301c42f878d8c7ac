public import CurlURLSession
internal import Foundation

extension ResponseStream {
    /// The body as server-sent events, whatever its media type says. It isn't connected with again; see
    /// ``URLSessionManager/events(for:lastEventID:reconnection:maximumLength:)``.
    ///
    /// - Parameter maximumLength: How many bytes a line, and an event's data, may have.
    public func events(maximumLength: Int = defaultMaximumLength) -> ServerSentEvents {
        ServerSentEvents(
            stream: self,
            connector: nil,
            lastEventID: "",
            maximumLength: maximumLength
        )
    }
}

/// The events that a server sends as `text/event-stream`, as they come.
///
/// It can be read once, by one Swift task; what is said of ``ResponseStream`` holds for it. An event that
/// the stream breaks off in isn't one.
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

    /// Starts reading.
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

        /// What the server is told when it is connected with again: the ID of the last event that had
        /// one, or empty.
        public var lastEventID: String { reader.lastEventID }

        /// The next event; `nil` at the end.
        ///
        /// - Throws: The transport's error, if it isn't tried again; `URLError.networkConnectionLost`, if
        ///   a server has ended one connection after the other; why a further response is refused;
        ///   or, for a line or an event that is too long, an error of
        ///   ``URLResponseSerializationErrorDomain``.
        public mutating func next() async throws -> ServerSentEvent? {
            try await reader.next()
        }

        /// The next event; `nil` at the end. It throws as ``next()`` does.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws -> ServerSentEvent? {
            try await reader.next()
        }
    }
}
