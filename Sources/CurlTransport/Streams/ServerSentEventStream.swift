internal import HTTPSemantics
public import HTTPTypes

extension HTTPExchanging {
    /// Connects to a stream of server-sent events, and reconnects when the connection is lost.
    ///
    /// Each request has the fields `Accept: text/event-stream` and `Cache-Control: no-cache` unless
    /// `request` has others, and a `Last-Event-ID` once the stream has an ID. Timeouts apply as to
    /// other transfers: a stream that is silent for longer than ``Timeouts/idle`` is reconnected.
    ///
    /// - Parameters:
    ///   - request: create one from a URL with `HTTPRequest(url:)`.
    ///   - body: the request's content, as APIs of language models need it.
    ///   - context: options, and the deadline of the whole stream. A request is only repeated if
    ///     ``RequestContext/idempotency`` allows it and the body can be sent again: a `POST` needs
    ///     ``Idempotency/yes``. Otherwise the stream ends with its response, or with its error.
    ///   - lastEventID: the last event ID of an earlier stream; empty for none.
    ///   - reconnection: how often and when to reconnect; nil for never.
    ///   - maximumLength: the maximum length of a line, and of an event's data, in bytes.
    /// - Returns: the stream, after the first response's head. After a 204 it has no events.
    /// - Throws: ``ServerSentEventError/refused(_:)`` for another status than 200 or 204, or another
    ///   media type than `text/event-stream`; its response can be read. Otherwise
    ///   ``ServerSentEventError/transport(_:)``. The first connection isn't tried again.
    public func serverSentEvents(
        for request: HTTPRequest,
        body: RequestBody = .none,
        context: RequestContext = RequestContext(),
        lastEventID: String = "",
        reconnection: ServerSentEventStream.Reconnection? = ServerSentEventStream.Reconnection(),
        maximumLength: Int = ResponseBody.defaultMaximumLength
    ) async throws(ServerSentEventError) -> ServerSentEventStream {
        let connector = ServerSentEventConnector(
            client: self,
            request: request,
            body: body,
            context: context
        )
        return ServerSentEventStream(
            response: try await connector.connect(lastEventID: lastEventID),
            connector: connector,
            lastEventID: lastEventID,
            reconnection: reconnection,
            maximumLength: maximumLength
        )
    }
}

/// Why a stream of server-sent events couldn't be opened, or has ended.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum ServerSentEventError: Error, Sendable {
    /// The server answered with something else than a stream of events.
    ///
    /// The body of the response can still be read.
    case refused(HTTPClientResponse)

    /// The transfer failed, and can't or mustn't be repeated.
    case transport(TransportError)
}

extension ServerSentEventError: CustomStringConvertible {
    /// The reason, in English, on one line.
    public var description: String {
        switch self {
        case .refused(let response):
            "the server answered with the status \(response.statusCode) and the media type "
                + "\(response.headerFields[.contentType] ?? "(none)"), where a stream of events has 200 "
                + "and text/event-stream"
        case .transport(let error): "\(error)"
        }
    }
}

/// The server-sent events of one connection after another, as they arrive.
///
/// One task can read them, once. When a connection ends or is lost, the iterator reconnects after
/// the delay that the server or ``Reconnection`` wants, and passes the last event's ID on. The
/// stream ends with a response whose status is 204. Cancelling the task ends a wait at once.
public struct ServerSentEventStream: AsyncSequence, Sendable {
    /// An event.
    public typealias Element = ServerSentEvent
    /// The error that ended the stream.
    public typealias Failure = ServerSentEventError

    /// When to reconnect, and how often.
    public struct Reconnection: Sendable, Hashable {
        /// The maximum number of attempts in a row. Default: 10.
        ///
        /// A received line resets the count, also a comment. So does a connection that lasted longer
        /// than ``maximumDelay``. After the last attempt the stream throws its error.
        public var maximumAttempts = 10
        /// The delay before the first attempt. Default: 3 seconds.
        ///
        /// The server may request another one (`retry`). The delay doubles with each attempt.
        public var delay = Duration.seconds(3)
        /// The minimum delay, whatever the server requests. Default: half a second.
        public var minimumDelay = Duration.milliseconds(500)
        /// The maximum delay, whatever the server requests. Default: a minute.
        public var maximumDelay = Duration.seconds(60)
        /// The largest random reduction of a delay, from 0 to 1. Default: 0.3.
        ///
        /// Clients that lost their connections together then don't reconnect together.
        public var jitter = 0.3

        /// Creates rules with the defaults.
        public init() {}

        var delays: ReconnectionDelay {
            ReconnectionDelay(
                first: delay,
                minimum: minimumDelay,
                maximum: maximumDelay,
                jitter: jitter
            )
        }
    }

    /// The first response.
    public let response: HTTPClientResponse

    private let connector: ServerSentEventConnector
    private let lastEventID: String
    private let reconnection: Reconnection?
    private let maximumLength: Int

    init(
        response: HTTPClientResponse,
        connector: ServerSentEventConnector,
        lastEventID: String,
        reconnection: Reconnection?,
        maximumLength: Int
    ) {
        self.response = response
        self.connector = connector
        self.lastEventID = lastEventID
        self.reconnection = reconnection
        self.maximumLength = maximumLength
    }

    /// Starts reading.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(
            events: ServerSentEventReader(
                response: response,
                connector: connector,
                lastEventID: lastEventID,
                reconnection: reconnection,
                limit: Swift.max(0, maximumLength)
            )
        )
    }

    /// Reads events.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var events: ServerSentEventReader

        /// The ID of the last event that had one, for a later stream; empty for none.
        public var lastEventID: String { events.lastEventID }

        /// The next event; nil at the end, and after an error.
        ///
        /// - Throws: the error of the last attempt to connect; an error that a repetition doesn't
        ///   repair, such as ``TransportError/Code/responseTooLarge`` for an event that is too long;
        ///   ``TransportError/Code/cancelled`` if the task is cancelled.
        public mutating func next() async throws(ServerSentEventError) -> ServerSentEvent? {
            try await events.next()
        }

        /// The next event; nil at the end. It throws as ``next()``.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(ServerSentEventError) -> ServerSentEvent? {
            try await events.next()
        }
    }
}
