internal import CurlTransport
public import Foundation

/// The certificates that a server presented, and what verification made of them.
///
/// The class has the name that Apple's Security framework gives to what it stands for. A delegate finds
/// it in ``URLProtectionSpace/serverTrust``, and says yes to it with ``URLCredential/init(trust:)``.
public final class SecTrust: Sendable {
    /// The host that was asked for.
    public let host: String
    /// The port.
    public let port: Int
    /// The certificates, DER-encoded (RFC 5280, 4.1), the server's own first.
    public let certificates: [Data]
    /// Why the verification with the configured roots failed; `nil` where it didn't.
    public let failure: URLError?

    init(_ trust: ServerTrust, url: URL?) {
        host = trust.host
        port = trust.port
        certificates = trust.certificates.compactMap { Self.decoded($0) }
        failure = trust.failure.map { URLError($0, url: url) }
    }

    /// What a PEM encoding (RFC 7468) has between its first and last line.
    private static func decoded(_ text: String) -> Data? {
        let lines = text.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("-----") }
        return Data(base64Encoded: lines.joined(), options: .ignoreUnknownCharacters)
    }
}
