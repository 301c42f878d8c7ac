internal import Synchronization

/// A WebSocket: the handshake, frames and closing of RFC 6455 over a ``ByteConnection``.
///
/// Every method may be called on any thread, before it is connected as well: what is sent and asked for
/// waits until it is open. Completions are called once each, on the connection's loop thread or on the
/// caller's, without a lock held: they must do no more than hand over.
package final class WebSocketConnection: Sendable {
    private let state: Mutex<WebSocketState>

    /// Prepares a WebSocket. Nothing happens before it is connected.
    ///
    /// - Parameter outlastsAttempts: What becomes of it when it can't be connected, or the server
    ///   refuses. By default that is its end; with `true` the delegate alone is told, those who wait for
    ///   something go on waiting, and it may be connected anew, until somebody cancels it.
    package init(outlastsAttempts: Bool = false) {
        state = Mutex(WebSocketState(outlastsAttempts: outlastsAttempts))
    }

    /// How large a message from the server may be, in bytes; by default 1 MiB. One that is larger ends
    /// the WebSocket.
    package var maximumMessageSize: Int {
        get { state.withLock { $0.maximumMessageSize } }
        set { state.withLock { $0.maximumMessageSize = newValue } }
    }

    /// What it was closed with; nil as long as it isn't, or where it never was open.
    package var closing: (status: WebSocketStatus, reason: String)? {
        state.withLock { $0.closed }
    }

    // MARK: What the user does

    /// Connects, once at a time. False if it is connected, or has ended: then nobody is told anything.
    ///
    /// - Parameter delegate: Is held until it was told the completion.
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

    /// Sends a message behind those before it. `completion` is told when it was handed to the system.
    package func send(
        _ message: WebSocketMessage,
        completion: @escaping @Sendable (WebSocketError?) -> Void
    ) {
        carryOut { $0.send(message, completion) }
    }

    /// Asks for the next message that nobody has had.
    package func receive(
        completion: @escaping @Sendable (Result<WebSocketMessage, WebSocketError>) -> Void
    ) {
        carryOut { $0.receive(completion) }
    }

    /// Sends a ping. `pong` is told when its answer comes.
    package func ping(pong: @escaping @Sendable (WebSocketError?) -> Void) {
        carryOut { $0.ping(pong) }
    }

    /// Lets nothing flow in either direction, or lets it flow again. Closing isn't held up by it. Nobody
    /// is told anything from here, so that the caller may hold a lock.
    package func setSuspended(_ isSuspended: Bool) {
        state.withLock { $0.setSuspended(isSuspended) }
    }

    /// Closes it: sends what waits, then a close frame, and waits a while for the server to do the same.
    /// Who waits for messages waits no longer. One that isn't open yet is cancelled, and the answer is
    /// false.
    @discardableResult
    package func close(_ status: WebSocketStatus?, reason: String) -> Bool {
        carryOut { $0.close(status, reason: reason) }
    }

    /// Ends it at once, with an empty close frame if that can be sent without waiting.
    package func cancel() {
        carryOut { $0.cancel() }
    }

    /// Answers a server's trust to which the delegate had said ``TrustDecision/later``.
    package func answer(trust decision: TrustDecision) {
        state.withLock { $0.connection?.answer(trust: decision) }
    }

    /// A number for somebody who will wait for a message.
    func makeTicket() -> UInt64 {
        state.withLock { $0.makeTicket() }
    }

    // MARK: What comes of it

    /// Changes the state, and tells outside the lock what there is to tell.
    ///
    /// Where another thread is telling, that one tells this, too: whoever waits is told in the order in
    /// which it came.
    @discardableResult
    func carryOut<Value: Sendable>(_ change: (inout WebSocketState) -> Value) -> Value {
        var (value, news) = state.withLock { state in (change(&state), state.news.begin()) }
        while let current = news {
            for tell in current { tell(self) }
            news = state.withLock { $0.news.next() }
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
            // The answer may come before the connection is known here.
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

    /// The server has ended its side, which a WebSocket doesn't outlive.
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
