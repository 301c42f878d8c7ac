internal import Synchronization

/// A WebSocket (RFC 6455) over a ``ByteConnection``: handshake, frames and closing.
///
/// Every method may be called on any thread, also before the WebSocket is connected: sending and
/// receiving wait until it is open. Each completion is called once, on the connection's loop thread
/// or on the caller's, without a lock held. It must only pass the result on.
package final class WebSocketConnection: Sendable {
    private let state: Mutex<WebSocketState>

    /// Prepares a WebSocket, which does nothing until it is connected.
    ///
    /// - Parameter allowsReconnecting: whether it stays usable if the connection fails or the server
    ///   refuses. With `false`, the default, that ends it. With `true`, only the delegate is
    ///   notified, pending operations keep waiting, and it may be connected again until it is
    ///   cancelled.
    package init(allowsReconnecting: Bool = false) {
        state = Mutex(WebSocketState(allowsReconnecting: allowsReconnecting))
    }

    /// The maximum size of a message from the server, in bytes; 1 MiB by default.
    ///
    /// A larger message ends the WebSocket.
    package var maximumMessageSize: Int {
        get { state.withLock { $0.maximumMessageSize } }
        set { state.withLock { $0.maximumMessageSize = newValue } }
    }

    /// The status and reason it was closed with; nil before that, or if it never was open.
    ///
    /// They are this side's if the server hasn't answered this side's close frame.
    package var closing: (status: WebSocketStatus, reason: String)? {
        state.withLock { $0.closed }
    }

    /// Whether messages have arrived that weren't received yet.
    ///
    /// Takes the lock of the WebSocket, and calls nothing.
    package var hasUnreadMessages: Bool {
        state.withLock { !$0.inbox.isEmpty }
    }

    // MARK: User

    /// Connects. Returns false, and calls no method of the delegate, if it is connected or has
    /// ended.
    ///
    /// - Parameter delegate: held until its completion has been called.
    @discardableResult
    package func connect(
        _ request: WebSocketRequest,
        over transport: Transport,
        delegate: any WebSocketDelegate
    ) -> Bool {
        let begun = state.withLock { state in
            state.begin(request, delegate: delegate).map { (target: $0, attempt: state.attempt) }
        }
        guard let begun else { return false }
        let connection = transport.connect(begun.target, delegate: self)
        state.withLock { state in
            if state.attempt == begun.attempt { state.keep(connection) }
        }
        return true
    }

    /// Sends a message after all earlier ones.
    ///
    /// `completion` is called when the message was handed to the system.
    package func send(
        _ message: WebSocketMessage,
        completion: @escaping @Sendable (WebSocketError?) -> Void
    ) {
        carryOut { $0.send(message, completion) }
    }

    /// Receives the next message.
    ///
    /// After the server's close frame, the messages before it can still be received, and then it
    /// fails. Messages are dropped only if this side closes or cancels first.
    package func receive(
        completion: @escaping @Sendable (Result<WebSocketMessage, WebSocketError>) -> Void
    ) {
        carryOut { $0.receive(completion) }
    }

    /// Sends a ping. `pong` is called when the server has answered it.
    package func ping(pong: @escaping @Sendable (WebSocketError?) -> Void) {
        carryOut { $0.ping(pong) }
    }

    /// Pauses or resumes both directions. Closing isn't affected.
    ///
    /// Calls no completion and no delegate, so the caller may hold a lock.
    package func setSuspended(_ isSuspended: Bool) {
        state.withLock { $0.setSuspended(isSuspended) }
    }

    /// Closes the WebSocket after all queued messages.
    ///
    /// It sends the messages and a close frame, and waits for the server's close frame. This wait
    /// is limited, see ``WebSocketRequest/closingLimits``. Pending receives fail at once, and
    /// messages that weren't received are dropped, unless the server's close frame has come before.
    /// A WebSocket that isn't open yet is cancelled, and the result is false.
    @discardableResult
    package func close(_ status: WebSocketStatus?, reason: String) -> Bool {
        carryOut { $0.close(status, reason: reason) }
    }

    /// Ends the WebSocket at once. Sends an empty close frame if that doesn't have to wait.
    ///
    /// Drops messages that weren't received, except those before the server's close frame.
    package func cancel() {
        carryOut { $0.cancel() }
    }

    /// Answers a trust question for which the delegate returned ``TrustDecision/later``.
    package func answer(trust decision: TrustDecision) {
        state.withLock { $0.connection?.answer(trust: decision) }
    }

    /// Returns a new ticket, by which a pending operation can be withdrawn.
    func makeTicket() -> UInt64 {
        state.withLock { $0.makeTicket() }
    }

    // MARK: Events

    /// Changes the state, and delivers the resulting notifications outside the lock.
    ///
    /// If another thread is delivering, it delivers these too, so that they keep their order.
    @discardableResult
    func carryOut<Value: Sendable>(_ change: (inout WebSocketState) -> Value) -> Value {
        var (value, callbacks) = state.withLock { state in
            (change(&state), state.callbacks.begin())
        }
        while let current = callbacks {
            for callback in current { callback(self) }
            callbacks = state.withLock { $0.callbacks.next() }
        }
        return value
    }
}

extension WebSocketConnection: ByteConnectionDelegate {
    package func connection(
        _ connection: ByteConnection,
        didReceive trust: ServerTrust
    ) -> TrustDecision {
        let delegate = state.withLock { state in
            // The answer may come before ``connect(_:over:delegate:)`` has stored the connection.
            state.keep(connection)
            return state.delegate
        }
        return delegate?.webSocket(self, didReceive: trust) ?? .reject
    }

    package func connectionDidOpen(_ connection: ByteConnection) {
        carryOut { $0.connected(connection) }
    }

    package func connection(
        _ connection: ByteConnection,
        didReceive bytes: Span<UInt8>
    ) -> DeliveryDecision {
        carryOut { $0.received(bytes) }
    }

    package func connection(_ connection: ByteConnection, didSend count: Int64) {
        carryOut { $0.sent(upTo: count) }
    }

    /// The server has ended its side of the connection, which ends a WebSocket.
    package func connectionDidReceiveEnd(_ connection: ByteConnection) {
        connection.close(within: .zero)
    }

    package func connection(
        _ connection: ByteConnection,
        didFinishCollecting metrics: TransferMetrics
    ) {
        let delegate = state.withLock { $0.delegate }
        delegate?.webSocket(self, didFinishCollecting: metrics)
    }

    package func connection(
        _ connection: ByteConnection,
        didCompleteWith error: TransportError?
    ) {
        carryOut { $0.ended(error) }
    }
}

/// A message that is sent or received over a WebSocket.
public enum WebSocketMessage: Sendable, Hashable {
    /// Text, sent as UTF-8.
    case text(String)
    /// Any bytes.
    case binary([UInt8])
}
