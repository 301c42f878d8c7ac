/// What a connection for bytes tells, to the object that was given when it was begun.
///
/// **Thread.** Every method is called on the connection's loop thread, on which others wait: record
/// and return. Never block, never wait for a lock that is held for long. The one exception: the last
/// two words of a connection that can't even be handed to a loop are told on the thread that begins
/// it.
///
/// **Order.** Perhaps the question of trust; then open; then bytes and how far sending has come, in
/// any order; perhaps the peer's end; then once metrics, and last, once and always, completion. After
/// ``ByteConnection/cancel()`` nothing but metrics and completion follows.
///
/// **Lifetime.** The transport holds the delegate until it was told the completion.
public protocol ByteConnectionDelegate: AnyObject, Sendable {
    /// The server presented its certificates, and nothing is sent before there is an answer. Asked
    /// only where ``TLSConfiguration/evaluatesServerTrust`` is set, once for each new chain of an
    /// origin.
    func connection(_ connection: ByteConnection, didReceive trust: ServerTrust) -> TrustDecision

    /// The connection stands: through proxies, and through the TLS handshake.
    func connectionDidOpen(_ connection: ByteConnection)

    /// Bytes came. They are gone when the method returns.
    func connection(
        _ connection: ByteConnection,
        didReceive bytes: Span<UInt8>
    ) -> DeliveryDecision

    /// The peer sends nothing more. Bytes may still be sent to it.
    func connectionDidReceiveEnd(_ connection: ByteConnection)

    /// So many bytes in all were handed to the system to be sent; there is room for more. Told once
    /// in a turn of the loop in which some were.
    func connection(_ connection: ByteConnection, didSend count: Int64)

    /// One turn of the loop that delivered something is over: the moment to wake a consumer once,
    /// instead of once for each piece.
    func connectionDidEndTurn(_ connection: ByteConnection)

    /// What libcurl said about its work, without credentials. Only where
    /// ``TransferOptions/isVerbose`` is set.
    func connection(_ connection: ByteConnection, didLog line: TransferLogLine)

    /// How long each phase took, and where the connection led; told for failures too.
    func connection(_ connection: ByteConnection, didFinishCollecting metrics: TransferMetrics)

    /// The connection is over: nil where both sides ended it in order, or ``ByteConnection/close``
    /// did. Told exactly once, as the last word.
    func connection(_ connection: ByteConnection, didCompleteWith error: TransportError?)
}

extension ByteConnectionDelegate {
    /// Goes by the verdict.
    public func connection(
        _ connection: ByteConnection,
        didReceive trust: ServerTrust
    ) -> TrustDecision {
        .useVerdict
    }

    /// Does nothing.
    public func connectionDidReceiveEnd(_ connection: ByteConnection) {}

    /// Does nothing.
    public func connection(_ connection: ByteConnection, didSend count: Int64) {}

    /// Does nothing.
    public func connectionDidEndTurn(_ connection: ByteConnection) {}

    /// Does nothing.
    public func connection(_ connection: ByteConnection, didLog line: TransferLogLine) {}

    /// Does nothing.
    public func connection(
        _ connection: ByteConnection,
        didFinishCollecting metrics: TransferMetrics
    ) {}
}
