/// An open WebSocket (RFC 6455) of a client.
///
/// ``HTTPClient/webSocket(_:configuration:options:)`` opens one. Any thread and any number of tasks
/// may use it. Each message goes to one receiver. If no task receives, the client buffers about
/// 256 KiB of messages, and the server has to wait. Releasing the last reference to the WebSocket
/// and to its ``messages`` ends the connection. <doc:UsingWebSockets> has examples.
public final class WebSocket: Sendable {
    /// The head of the response that accepted the handshake.
    public let head: ResponseHead

    /// The subprotocol that the server has chosen; nil for none.
    public let subprotocol: String?

    let connection: WebSocketConnection
    let events: WebSocketEvents
    /// Keeps the event loops running.
    private let transport: Transport
    private let pinging: Task<Void, Never>?

    init(
        _ opening: WebSocketEvents.Opening,
        connection: WebSocketConnection,
        events: WebSocketEvents,
        transport: Transport,
        pingInterval: Duration?
    ) {
        head = opening.head
        subprotocol = opening.subprotocol
        self.connection = connection
        self.events = events
        self.transport = transport
        pinging = pingInterval.map { interval in
            let pings = WebSocketKeepAlive(connection, events, interval: interval)
            return Task { await pings.run() }
        }
    }

    deinit {
        pinging?.cancel()
        connection.cancel()
    }

    // MARK: Receiving

    /// The messages from the server, as they arrive.
    ///
    /// Each access makes a sequence over the same messages; two readers share them.
    public var messages: WebSocketMessages { WebSocketMessages(self) }

    /// Waits for the next message.
    ///
    /// After the server has closed, the messages before its close frame can still be received.
    ///
    /// - Throws: ``WebSocketError/closed(_:)`` after an orderly close, ``WebSocketError/cancelled``
    ///   while this side closes it, after ``cancel()`` or if the task is cancelled, or the error
    ///   that ended it. If the task is cancelled, the WebSocket stays open and the message goes to
    ///   the next receiver.
    public func receive() async throws(WebSocketError) -> WebSocketMessage {
        do throws(WebSocketError) {
            return try await connection.receive()
        } catch {
            throw events.reported(error)
        }
    }

    // MARK: Sending

    /// Sends a message after all earlier ones; returns when the system has it.
    ///
    /// So a sender is only as fast as the connection. If the task is cancelled before any part of
    /// the message was sent, it isn't sent; otherwise this waits until it is.
    ///
    /// - Throws: as ``receive()``.
    public func send(_ message: WebSocketMessage) async throws(WebSocketError) {
        do throws(WebSocketError) {
            try await connection.send(message)
        } catch {
            throw events.reported(error)
        }
    }

    /// Sends a text message; see ``send(_:)-(WebSocketMessage)``.
    public func send(_ text: String) async throws(WebSocketError) {
        try await send(.text(text))
    }

    /// Sends a binary message; see ``send(_:)-(WebSocketMessage)``.
    public func send(_ bytes: [UInt8]) async throws(WebSocketError) {
        try await send(.binary(bytes))
    }

    /// Sends a ping and waits for the server's answer.
    ///
    /// The answer comes after all messages that the server has sent before it. So it doesn't arrive
    /// while the program leaves messages unread that fill the buffer.
    ///
    /// - Returns: the time from the call to the answer.
    /// - Throws: as ``receive()``.
    @discardableResult
    public func ping() async throws(WebSocketError) -> Duration {
        let start = ContinuousClock.now
        do throws(WebSocketError) {
            try await connection.ping()
        } catch {
            throw events.reported(error)
        }
        return start.duration(to: .now)
    }

    // MARK: Closing

    /// Closes the WebSocket after all messages that were sent before, and waits for its end.
    ///
    /// Pending and later calls of ``receive()`` throw ``WebSocketError/cancelled``, and ``messages``
    /// end: messages that weren't received are dropped. The wait for the server's answer takes at
    /// most ``WebSocketConfiguration/closeTimeout``. If the task is cancelled, the connection ends at
    /// once. A WebSocket that has ended stays as it is.
    ///
    /// - Parameters:
    ///   - status: one of RFC 6455, or from 3000 to 4999.
    ///   - reason: at most 123 bytes of UTF-8.
    /// - Throws: ``WebSocketError/invalidRequest(_:)`` if the status mustn't be sent or the reason is
    ///   too long. The WebSocket is unchanged then.
    public func close(
        _ status: WebSocketStatus = .normalClosure,
        reason: String = ""
    ) async throws(WebSocketError) {
        guard status.isSendable else {
            throw .invalidRequest("a close frame can't have the status \(status.rawValue)")
        }
        guard reason.utf8.count <= WebSocketFrame.maximumReasonLength else {
            throw .invalidRequest(
                "the reason has \(reason.utf8.count) bytes; a close frame has room for "
                    + "\(WebSocketFrame.maximumReasonLength)"
            )
        }
        events.beginClosing()
        connection.close(status, reason: reason)
        await withTaskCancellationHandler {
            await events.ended()
        } onCancel: {
            connection.cancel()
        }
    }

    /// Ends the WebSocket at once, without waiting for the server.
    ///
    /// Sends an empty close frame if that doesn't have to wait. Messages that weren't received are
    /// dropped.
    public func cancel() {
        events.beginClosing()
        connection.cancel()
    }

    /// How the WebSocket was closed.
    public struct Closure: Sendable, Hashable {
        /// The server's status; this side's if the server hasn't sent one.
        ///
        /// ``WebSocketStatus/abnormalClosure`` if the connection ended without a close frame.
        public let status: WebSocketStatus
        /// The reason that came with it; empty for none.
        public let reason: String
    }

    /// The status and reason with which it was closed; nil while it is open.
    public var closure: Closure? {
        connection.closing.map { Closure(status: $0.status, reason: $0.reason) }
    }

    /// The duration of each phase, the bytes moved and the connection used; nil before the end.
    public var metrics: TransferMetrics? { events.metrics }
}

/// The messages of a ``WebSocket``.
///
/// The sequence ends when one of the sides closes the WebSocket; ``WebSocket/closure`` has the
/// status. It throws the error that ended the WebSocket otherwise, and ``WebSocketError/cancelled``
/// if the task is cancelled, which leaves the WebSocket open.
public struct WebSocketMessages: AsyncSequence, Sendable {
    /// A message.
    public typealias Element = WebSocketMessage
    /// The error that ended the WebSocket.
    public typealias Failure = WebSocketError

    private let socket: WebSocket

    init(_ socket: WebSocket) {
        self.socket = socket
    }

    /// Starts reading, from the next message that wasn't received yet.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(socket: socket) }

    /// Receives messages one by one.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let socket: WebSocket

        /// The next message; nil after the WebSocket was closed.
        public mutating func next() async throws(WebSocketError) -> WebSocketMessage? {
            try await socket.nextMessage()
        }

        /// The next message; nil after the WebSocket was closed.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(WebSocketError) -> WebSocketMessage? {
            try await socket.nextMessage()
        }
    }
}

extension WebSocket {
    fileprivate func nextMessage() async throws(WebSocketError) -> WebSocketMessage? {
        do throws(WebSocketError) {
            return try await receive()
        } catch {
            switch error {
            case .closed: return nil
            case .cancelled where events.isClosing && !Task.isCancelled: return nil
            default: throw error
            }
        }
    }
}
