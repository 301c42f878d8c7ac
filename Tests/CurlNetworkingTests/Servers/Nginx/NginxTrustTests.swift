internal import CurlTransport
internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CurlNetworking

/// Server trust and client certificates, with nginx as the server.
@Suite(.enabled(if: NginxPeer.isAvailable), .timeLimit(.minutes(10)))
struct NginxTrustTests {
    @Test(arguments: [NginxPeer.Port.https, .tls12, .tls13, .http1Only])
    func serverOfTrustedAuthorityIsLoaded(_ port: NginxPeer.Port) async throws {
        let manager = try await NginxPeer.shared().manager(port)
        #expect(try await manager.text("hello.txt") == "hello, world\n")
    }

    @Test(arguments: [
        (NginxPeer.Port.expired, ServerTrustFailure.expired), (.notYetValid, .notYetValid),
        (.otherHost, .hostName("localhost")), (.selfSigned, .unknownAuthority),
    ])
    func untrustedServerIsRefusedWithReason(
        _ row: (NginxPeer.Port, ServerTrustFailure)
    ) async throws {
        let (port, reason) = row
        let manager = try await NginxPeer.shared().manager(port)
        let error = try await #require(throws: (any Error).self) {
            try await manager.get("hello.txt")
        }
        #expect((error as NSError).code == URLError.serverCertificateUntrusted.rawValue)
        #expect(NetworkingError(error).kind == .serverTrust(reason))
    }

    /// Pins the leaf certificate and the authority's, which the server also sends.
    @Test(arguments: [SSLPinningMode.certificate, .publicKey])
    func onlyPinnedServerIsLoaded(_ mode: SSLPinningMode) async throws {
        let peer = try await NginxPeer.shared()
        let manager = peer.manager(.https)
        let leaf = try peer.certificate { $0.server.certificate }
        let authority = try peer.certificate { $0.authority }
        let other = try peer.certificate { $0.selfSigned.certificate }
        for pins in [[leaf], [authority], [other, leaf]] as [Set<Data>] {
            try manager.setSecurityPolicy(
                SecurityPolicy(pinningMode: mode, withPinnedCertificates: pins)
            )
            #expect(try await manager.text("hello.txt") == "hello, world\n")
        }
        for pins in [[other], []] as [Set<Data>] {
            try manager.setSecurityPolicy(
                SecurityPolicy(pinningMode: mode, withPinnedCertificates: pins)
            )
            let error = try await #require(throws: (any Error).self) {
                try await manager.get("hello.txt")
            }
            #expect(NetworkingError(error).isServerTrust)
        }
    }

    /// Without custom roots in the session: the pins replace them.
    @Test func pinnedSelfSignedServerIsTrusted() async throws {
        let peer = try await NginxPeer.shared()
        let manager = peer.manager(.selfSigned)
        let own = try peer.certificate { $0.selfSigned.certificate }
        let policy = SecurityPolicy(pinningMode: .certificate, withPinnedCertificates: [own])
        policy.allowInvalidCertificates = true
        manager.securityPolicy = policy
        #expect(try await manager.text("hello.txt") == "hello, world\n")
    }

    // MARK: Client certificates

    @Test func clientCertificateAuthenticates() async throws {
        let peer = try await NginxPeer.shared()
        let made = peer.certificates
        let stranger = peer.manager(.clientCertificate)
        let error = try await #require(throws: (any Error).self) {
            try await stranger.get("client")
        }
        #expect(NetworkingError(error).responseCode == 400)
        for identity in [
            ClientIdentity.pemFiles(certificate: made.client.certificate, key: made.client.key),
            .pemFiles(
                certificate: made.client.certificate,
                key: made.clientEncryptedKey,
                password: made.password
            ),
            .pkcs12File(made.clientPKCS12, password: made.password),
        ] {
            let known = peer.manager(.clientCertificate) { configuration in
                configuration.tlsConfiguration.clientIdentity = identity
            }
            #expect(try await known.text("client") == "SUCCESS CN=Test Client\n")
        }
    }

    /// nginx requests a certificate. It accepts clients without one and answers with a status.
    @Test("A challenge handler provides the certificate that a server requests")
    func handlerProvidesRequestedClientCertificate() async throws {
        let peer = try await NginxPeer.shared()
        let made = peer.certificates
        let identity = SecIdentity(
            pkcs12: try Data(contentsOf: URL(fileURLWithPath: made.clientPKCS12)),
            password: made.password
        )
        let manager = peer.manager(.clientCertificate)
        manager.setAuthenticationChallengeHandler { _, _, challenge, _ in
            let method = challenge.protectionSpace.authenticationMethod
            guard method == NSURLAuthenticationMethodClientCertificate else {
                return .performDefaultHandling
            }
            return .use(URLCredential(identity: identity, certificates: nil, persistence: .none))
        }
        let text = try await manager.text("client")
        #expect(text == "SUCCESS CN=Test Client\n")
    }

    /// This server aborts the handshake if the client has no certificate.
    @Test(.enabled(if: OpenSSLPeer.isAvailable))
    func handlerProvidesRequiredClientCertificate() async throws {
        let nginx = try await NginxPeer.shared()
        let made = nginx.certificates
        let peer = try await OpenSSLPeer.start([
            "-tls1_3", "-Verify", "1", "-verify_return_error", "-CAfile", made.authority,
        ])
        defer { peer.stop() }
        let identity = SecIdentity(
            pkcs12: try Data(contentsOf: URL(fileURLWithPath: made.clientPKCS12)),
            password: made.password
        )
        let manager = nginx.manager(.https)
        let asked = EventRecorder<String>()
        manager.setAuthenticationChallengeHandler { _, _, challenge, _ in
            let method = challenge.protectionSpace.authenticationMethod
            asked.record(method)
            guard method == NSURLAuthenticationMethodClientCertificate else {
                return .performDefaultHandling
            }
            let credential = URLCredential(
                identity: identity,
                certificates: nil,
                persistence: .none
            )
            return .use(credential)
        }
        let page = try await manager.text(peer.url)
        #expect(page.contains("Test Client"))
        #expect(asked.events.contains(NSURLAuthenticationMethodClientCertificate))
    }
}
