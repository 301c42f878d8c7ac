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

extension ServerTrust {
    /// The certificate among what libcurl tells of it; empty where there is none.
    static func pem(_ lines: [String]) -> String {
        let prefix = "Cert:"
        guard let line = lines.first(where: { $0.hasPrefix(prefix) }) else { return "" }
        return String(line.dropFirst(prefix.count))
    }
}
