/// The certificates that a server presented, and what verification made of them.
public struct ServerTrust: Sendable, Hashable {
    /// The host that was asked for, without a port.
    public let host: String

    /// The port.
    public let port: Int

    /// The certificates in PEM, the server's own first.
    public let certificates: [String]

    /// Why the verification with the configured roots failed; nil where it did not.
    public let failure: TransportError?
}
