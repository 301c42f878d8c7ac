/// What a WebSocket tells, to the object that was given when it was made.
///
/// **Thread.** Called on the connection's loop thread, or on the thread that ends a WebSocket which was
/// never connected: record and return. No lock of the WebSocket is held meanwhile.
///
/// **Order.** Perhaps the question of trust; then open, or refused; perhaps the server's closing; then
/// once metrics where there was a connection, and last, once and always, completion.
///
/// **Lifetime.** The WebSocket holds the delegate until it was told the completion.
package protocol WebSocketDelegate: AnyObject, Sendable {
    /// The server presented its certificates, and nothing is sent before there is an answer. A later
    /// answer goes to ``WebSocketConnection/answer(trust:)``.
    func webSocket(_ socket: WebSocketConnection, didReceive trust: ServerTrust) -> TrustDecision

    /// The server has agreed, and has chosen this subprotocol, or none.
    func webSocket(
        _ socket: WebSocketConnection,
        didOpenWith subprotocol: String?,
        head: ResponseHead
    )

    /// The server has answered something else.
    func webSocket(_ socket: WebSocketConnection, wasRefusedWith head: ResponseHead)

    /// The server closes, or has answered this side's closing.
    func webSocket(
        _ socket: WebSocketConnection,
        didReceiveClose status: WebSocketStatus,
        reason: String
    )

    /// How long it took to connect, and what was moved.
    func webSocket(
        _ socket: WebSocketConnection,
        didFinishCollecting metrics: TransferMetrics
    )

    /// It is over: without an error where it was closed in order. Told exactly once, as the last word.
    ///
    /// - Parameter status: The server's status, or this side's where it failed the WebSocket, or
    ///   ``WebSocketStatus/abnormalClosure``; nil where it never was open.
    func webSocket(
        _ socket: WebSocketConnection,
        didCompleteWith error: WebSocketError?,
        status: WebSocketStatus?
    )
}

extension WebSocketDelegate {
    /// Goes by the verdict.
    package func webSocket(
        _ socket: WebSocketConnection,
        didReceive trust: ServerTrust
    ) -> TrustDecision {
        .useVerdict
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
