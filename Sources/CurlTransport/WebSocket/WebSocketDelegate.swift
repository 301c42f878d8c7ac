/// Receives the events of a WebSocket.
///
/// **Thread.** Called on the connection's loop thread, or on the thread that ends a WebSocket
/// without a connection: record the event and return. No lock of the WebSocket is held during the
/// calls.
///
/// **Order.** Possibly the trust question; then open or refused; possibly the server's close; then
/// metrics once if there was a connection; and always completion, once and last.
///
/// **Lifetime.** The WebSocket holds the delegate until it has called the completion.
package protocol WebSocketDelegate: AnyObject, Sendable {
    /// Asks whether to trust the server's certificates. No bytes are sent before the answer.
    ///
    /// For ``TrustDecision/later``, answer with ``WebSocketConnection/answer(trust:)``.
    func webSocket(_ socket: WebSocketConnection, didReceive trust: ServerTrust) -> TrustDecision

    /// The server has accepted the handshake, and has chosen this subprotocol, or none.
    func webSocket(
        _ socket: WebSocketConnection,
        didOpenWith subprotocol: String?,
        head: ResponseHead
    )

    /// The server has sent a response that refuses the handshake.
    func webSocket(_ socket: WebSocketConnection, wasRefusedWith head: ResponseHead)

    /// The server has sent a close frame, or has answered this side's.
    func webSocket(
        _ socket: WebSocketConnection,
        didReceiveClose status: WebSocketStatus,
        reason: String
    )

    /// Reports the duration of each phase, and the number of bytes moved.
    func webSocket(
        _ socket: WebSocketConnection,
        didFinishCollecting metrics: TransferMetrics
    )

    /// Reports the end; the error is nil after an orderly close. Called exactly once, as the last
    /// method.
    ///
    /// - Parameter status: the server's status; this side's if it failed the WebSocket;
    ///   ``WebSocketStatus/abnormalClosure`` if there is neither; nil if it never was open.
    func webSocket(
        _ socket: WebSocketConnection,
        didCompleteWith error: WebSocketError?,
        status: WebSocketStatus?
    )
}

extension WebSocketDelegate {
    /// Follows the result of the certificate verification.
    package func webSocket(
        _ socket: WebSocketConnection,
        didReceive trust: ServerTrust
    ) -> TrustDecision {
        .performDefaultHandling
    }

    /// Does nothing.
    package func webSocket(
        _ socket: WebSocketConnection,
        wasRefusedWith head: ResponseHead
    ) {}

    /// Does nothing.
    package func webSocket(
        _ socket: WebSocketConnection,
        didFinishCollecting metrics: TransferMetrics
    ) {}
}
