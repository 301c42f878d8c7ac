public import CurlTransport
public import Foundation

/// A server's certificates, and the result of their verification.
///
/// The class has the name of its counterpart in Apple's Security framework. A delegate finds it in
/// ``URLProtectionSpace/serverTrust`` and accepts it with ``URLCredential/init(trust:)``.
public final class SecTrust: Sendable {
    /// The host that the client connected to.
    public let host: String
    /// The port.
    public let port: Int
    /// The certificates, DER-encoded (RFC 5280, 4.1), the server's own first.
    public let certificates: [Data]
    /// Why verification with the configured roots failed; `nil` if it didn't fail.
    public let failure: URLError?
    /// Whether ``failure`` concerns only the host name: the chain was verified before.
    package let failsByName: Bool
    /// Whether libcurl verified the chain and the host name. A configuration may disable that.
    package let isVerified: Bool
    private let roots: Roots

    private enum Roots: Sendable {
        case configured(TrustRoots)
        case certificates([Data])
    }

    init(_ trust: ServerTrust, url: URL?, under configuration: TLSConfiguration) {
        host = trust.host
        port = trust.port
        certificates = trust.certificates.flatMap { PEMCertificates.decoded($0) }
        failure = trust.failure.map { URLError($0, url: url) }
        failsByName = trust.failure?.code == .certificateHostname
        isVerified =
            !configuration.dangerouslyDisablesPeerVerification
            && !configuration.dangerouslyDisablesHostVerification
        roots = .configured(configuration.trustRoots)
    }

    /// Creates a trust from a chain that other code has verified.
    ///
    /// - Parameter roots: The trusted roots, DER-encoded.
    package init(
        host: String,
        port: Int = 443,
        certificates: [Data],
        failure: URLError? = nil,
        failsByName: Bool = false,
        isVerified: Bool = true,
        roots: [Data] = []
    ) {
        self.host = host
        self.port = port
        self.certificates = certificates
        self.failure = failure
        self.failsByName = failsByName
        self.isVerified = isVerified
        self.roots = .certificates(roots)
    }

    /// The certificates that the session's configuration trusts, DER-encoded. Each access reads
    /// files.
    package var trustedRoots: [Data] {
        switch roots {
        case .certificates(let certificates): certificates
        case .configured(.system): SystemTrustStore.path.map(Self.read) ?? []
        case .configured(.file(let path)): Self.read(path)
        case .configured(.directory(let path)): Self.readAll(path)
        case .configured(.pem(let bytes)):
            PEMCertificates.decoded(String(decoding: bytes, as: UTF8.self))
        }
    }

    private static func read(_ path: String) -> [Data] {
        guard let bytes = FileManager.default.contents(atPath: path) else { return [] }
        return PEMCertificates.decoded(String(decoding: bytes, as: UTF8.self))
    }

    private static func readAll(_ folder: String) -> [Data] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.sorted().flatMap { read(folder + "/" + $0) }
    }
}

/// A certificate and its private key, which authenticate a client.
///
/// The class has the name of its counterpart in Apple's Security framework.
public final class SecIdentity: Sendable {
    let content: ClientIdentity

    /// Creates an identity from PEM data.
    ///
    /// - Parameters:
    ///   - certificate: The client's certificate, and the chain to its root.
    ///   - key: The private key.
    ///   - password: The password of the private key; `nil` for none.
    public init(pemCertificate certificate: Data, key: Data, password: String? = nil) {
        content = .pem(certificate: [UInt8](certificate), key: [UInt8](key), password: password)
    }

    /// Creates an identity from the contents of a PKCS#12 file.
    public init(pkcs12 data: Data, password: String? = nil) {
        content = .pkcs12([UInt8](data), password: password)
    }

    /// Creates an identity from files or bytes.
    ///
    /// Files are read for each new connection. If they can't be, the task fails before anything is
    /// sent.
    public init(_ identity: ClientIdentity) {
        content = identity
    }
}

/// Parses certificates in PEM form (RFC 7468).
package enum PEMCertificates {
    /// The ends of the lines around a certificate, with the labels that OpenSSL accepts.
    private static let labels = ["CERTIFICATE-----", "X509 CERTIFICATE-----"]

    /// The certificates in a text, DER-encoded and in order. Invalid base64 is skipped.
    package static func decoded(_ text: String) -> [Data] {
        var certificates: [Data] = []
        var current: [Substring]?
        for line in text.split(whereSeparator: \.isNewline) {
            if labels.contains(where: { line.hasPrefix("-----BEGIN \($0)") }) {
                current = []
            } else if line.hasPrefix("-----END ") {
                let base64 = current?.joined()
                current = nil
                guard let base64, !base64.isEmpty,
                    let bytes = Data(base64Encoded: base64, options: .ignoreUnknownCharacters)
                else { continue }
                certificates.append(bytes)
            } else {
                current?.append(line)
            }
        }
        return certificates
    }
}
