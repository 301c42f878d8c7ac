/// What of a server's certificates is compared with those that a program brings along.
public enum SSLPinningMode: UInt, Sendable, Hashable, Codable, CaseIterable {
    /// Nothing: a certificate is trusted that leads to one of the configured roots.
    case none = 0
    /// The public key: that of a certificate on the path must be the key of a pinned certificate.
    case publicKey = 1
    /// The certificate: the path must lead to a pinned one, whatever else is trusted.
    case certificate = 2
}
