/// Receives the events of a connection for bytes.
///
/// **Thread.** Every method is called on the connection's loop thread, which other connections
/// share: record the event and return. Never block, and never wait for a lock that is held for
/// long. One exception: if the connection can't be handed to a loop, metrics and completion are
/// reported on the thread that starts it.
///
/// **Order.** Possibly the trust question; then open; then received bytes and sending progress, in
/// any order; possibly the peer's end; then metrics once; and always completion, once and last.
/// After ``ByteConnection/cancel()`` only metrics and completion follow.
///
/// **Lifetime.** The transport holds the delegate until it has called the completion.
public protocol ByteConnectionDelegate: AnyObject, Sendable {
    /// Asks whether to trust the server's certificates. No bytes are sent before the answer.
    ///
    /// Called once for each TLS connection if ``TLSConfiguration/evaluatesServerTrust`` is set.
    func connection(_ connection: ByteConnection, didReceive trust: ServerTrust) -> TrustDecision

    /// The connection is open, including proxies and the TLS handshake.
    func connectionDidOpen(_ connection: ByteConnection)

    /// Delivers received bytes, which are valid only during the call.
    func connection(
        _ connection: ByteConnection,
        didReceive bytes: Span<UInt8>
    ) -> DeliveryDecision

    /// The peer has ended its side. Bytes can still be sent to it.
    func connectionDidReceiveEnd(_ connection: ByteConnection)

    /// Reports the total number of bytes handed to the system; the send buffer has room again.
    ///
    /// Called at most once per turn of the loop.
    func connection(_ connection: ByteConnection, didSend count: Int64)

    /// A turn of the loop that delivered something is over.
    ///
    /// Wake a consumer here, once per turn instead of once per piece.
    func connectionDidEndTurn(_ connection: ByteConnection)

    /// Delivers a line of libcurl's log, without credentials, if ``TransferOptions/isVerbose`` is
    /// set.
    func connection(_ connection: ByteConnection, didLog line: TransferLogLine)

    /// Reports the duration of each phase and the connection's addresses, after failures too.
    func connection(_ connection: ByteConnection, didFinishCollecting metrics: TransferMetrics)

    /// Reports the end of the connection. Called exactly once, as the last method.
    ///
    /// The error is nil if both sides ended the connection in order, or
    /// ``ByteConnection/close(within:awaitsPeer:)`` did.
    func connection(_ connection: ByteConnection, didCompleteWith error: TransportError?)
}

extension ByteConnectionDelegate {
    /// Follows the result of the certificate verification.
    public func connection(
        _ connection: ByteConnection,
        didReceive trust: ServerTrust
    ) -> TrustDecision {
        .performDefaultHandling
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
