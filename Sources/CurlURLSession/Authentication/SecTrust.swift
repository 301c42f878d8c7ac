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
    /// Whether ``failure`` is about the name alone: that the chain is one to trust was found before.
    package let failsByName: Bool
    /// Whether libcurl has verified chain and name at all: a configuration may have switched that off.
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

    /// What somebody else made of a chain.
    ///
    /// - Parameter roots: What the chain should have led to, DER-encoded.
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

    /// The certificates that the session's configuration trusts, DER-encoded. Reads files, each time.
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
