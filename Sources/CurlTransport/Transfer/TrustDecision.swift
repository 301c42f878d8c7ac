/// A delegate's answer to the certificates that a server presented.
public enum TrustDecision: Sendable, Hashable {
    /// Do as the verification with the configured roots says.
    case useVerdict

    /// Send the request, whatever the verification said.
    case accept

    /// Don't send the request: the transfer ends with ``TransportError/Code/certificateUntrusted``.
    case reject

    /// The answer comes through ``TransferHandle/answer(trust:)``.
    case later
}
