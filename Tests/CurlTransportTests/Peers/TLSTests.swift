import CurlTransport
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// Server trust and client certificates, with nginx as the server.
@Suite(.enabled(if: NginxPeer.isAvailable), .timeLimit(.minutes(10)))
struct TLSTests {
    private func certificates() throws -> Certificates { try Certificates.shared() }

    private func authorityBytes() throws -> [UInt8] {
        try TemporaryDirectory.bytes(ofFile: try certificates().authority)
    }

    @Test func trustRootsAreFileDirectoryOrBytes() async throws {
        let nginx = try await NginxPeer.shared()
        let roots: [TrustRoots] = [
            .file(try certificates().authority), .directory(try certificates().authorityDirectory),
            .pem(try authorityBytes()),
        ]
        for roots in roots {
            let client = try PeerClient { $0.tls.trustRoots = roots }
            #expect(try await client.fetch(nginx.url(.https)).text == "hello, world\n")
        }
    }

    @Test func systemStoreRejectsTestAuthority() async throws {
        let nginx = try await NginxPeer.shared()
        let client = try PeerClient { $0.tls.trustRoots = .system }
        let error = try #require(await client.failure(nginx.url(.https)))
        #expect(error.code == .certificateUntrusted)
        #expect(error.phase == .tls && error.isTLS && !error.isTimeout)
    }

    @Test func otherAuthorityIsNotTrusted() async throws {
        let nginx = try await NginxPeer.shared()
        let other = try certificates().selfSigned.certificate
        let client = try PeerClient { $0.tls.trustRoots = .file(other) }
        #expect(await client.failure(nginx.url(.https))?.code == .certificateUntrusted)
    }

    @Test(arguments: [
        (NginxPeer.Port.expired, TransportError.Code.certificateExpired),
        (.notYetValid, .certificateNotYetValid),
        (.otherHost, .certificateHostname),
        (.selfSigned, .certificateUntrusted),
    ])
    func certificateFaultsHaveTheirCodes(
        port: NginxPeer.Port,
        code: TransportError.Code
    ) async throws {
        let nginx = try await NginxPeer.shared()
        let error = try #require(await PeerClient().failure(nginx.url(port)))
        #expect(error.code == code)
        #expect(error.isTLS && error.bytesSent == 0)
    }

    @Test func peerAndHostVerificationAreDisabledSeparately() async throws {
        let nginx = try await NginxPeer.shared()
        let withoutPeer = try PeerClient { $0.tls.dangerouslyDisablesPeerVerification = true }
        for port in [NginxPeer.Port.selfSigned, .expired] {
            #expect(try await withoutPeer.fetch(nginx.url(port)).status == 200)
        }
        let stranger = await withoutPeer.failure(nginx.url(.otherHost))
        #expect(stranger?.code == .certificateHostname)

        let withoutHost = try PeerClient { $0.tls.dangerouslyDisablesHostVerification = true }
        #expect(try await withoutHost.fetch(nginx.url(.otherHost)).status == 200)
        let unknown = await withoutHost.failure(nginx.url(.selfSigned))
        #expect(unknown?.code == .certificateUntrusted)
    }

    @Test func disabledVerificationIsNotShared() async throws {
        let nginx = try await NginxPeer.shared()
        let client = try PeerClient()
        let lax = try PeerClient.options { $0.tls.dangerouslyDisablesPeerVerification = true }
        #expect(try await client.fetch(nginx.url(.selfSigned), options: lax).status == 200)
        let strict = await client.failure(nginx.url(.selfSigned))
        #expect(strict?.code == .certificateUntrusted)
    }

    @Test func pinsMatchPublicKey() async throws {
        let nginx = try await NginxPeer.shared()
        let right = try certificates().serverPin
        let wrong = String(repeating: "A", count: 43) + "="
        let lists: [([String], Bool)] = [
            ([right], true), ([wrong, right], true), ([String(right.dropFirst(8))], true),
            ([wrong], false), ([wrong, wrong], false),
        ]
        for (pins, isRight) in lists {
            let client = try PeerClient { $0.tls.publicKeyPins = pins }
            let error = await client.failure(nginx.url(.https))
            #expect(error?.code == (isRight ? nil : .pinMismatch), "\(pins)")
            if let error { #expect(error.retry == .never) }
        }
    }

    @Test func pinIsCheckedWithoutVerification() async throws {
        let nginx = try await NginxPeer.shared()
        let client = try PeerClient {
            $0.tls.dangerouslyDisablesPeerVerification = true
            $0.tls.publicKeyPins = [String(repeating: "A", count: 43) + "="]
        }
        #expect(await client.failure(nginx.url(.selfSigned))?.code == .pinMismatch)
    }

    @Test func tlsVersionLimitsAreEnforced() async throws {
        let nginx = try await NginxPeer.shared()
        let new = try PeerClient { $0.tls.minimumVersion = .v1_3 }
        let old = try PeerClient { $0.tls.maximumVersion = .v1_2 }
        #expect(try await new.fetch(nginx.url(.https)).metrics.tlsVersion == "TLSv1.3")
        #expect(try await old.fetch(nginx.url(.https)).metrics.tlsVersion == "TLSv1.2")
        #expect(await new.failure(nginx.url(.tls12))?.code == .tlsHandshakeFailed)
        #expect(await old.failure(nginx.url(.tls13))?.code == .tlsHandshakeFailed)
    }

    @Test func configuredCiphersAreUsed() async throws {
        let nginx = try await NginxPeer.shared()
        let names = ("ECDHE-ECDSA-AES256-GCM-SHA384", "TLS_CHACHA20_POLY1305_SHA256")
        let client = try PeerClient {
            $0.tls.cipherList = names.0
            $0.tls.tls13Ciphers = names.1
        }
        for (port, name) in [(NginxPeer.Port.tls12, names.0), (.tls13, names.1)] {
            let answer = try await client.fetch(nginx.url(port, "/connection"))
            #expect(answer.text.contains(" \(name) "))
            #expect(answer.metrics.tlsCipher == name)
        }
        let none = try PeerClient { $0.tls.cipherList = "NO-SUCH-CIPHER" }
        #expect(await none.failure(nginx.url(.tls12))?.code == .tlsConfiguration)
    }

    @Test(arguments: [NginxPeer.Port.tls12, .tls13])
    func newConnectionsResumeSessions(port: NginxPeer.Port) async throws {
        let nginx = try await NginxPeer.shared()
        let client = try PeerClient { $0.reusesConnection = false }
        var resumptions = 0
        for _ in 0..<4 {
            let answer = try await client.fetch(nginx.url(port, "/connection"))
            #expect(!answer.metrics.isConnectionReused)
            if answer.text.contains(" r ") { resumptions += 1 }
        }
        #expect(resumptions == 3)
    }

    @Test("Trust roots are read once for many connections")
    func rootsAreReadOnceForManyConnections() async throws {
        let nginx = try await NginxPeer.shared()
        let folder = try TemporaryDirectory()
        let path = try folder.write(try authorityBytes(), to: "roots.pem")
        let client = try PeerClient {
            $0.tls.trustRoots = .file(path)
            $0.reusesConnection = false
        }
        let request = try HTTPRequest(url: nginx.url(.https))
        #expect(try await client.client.send(request).status == .ok)
        // Reading the file again would fail.
        try FileManager.default.removeItem(atPath: path)
        for _ in 0..<3 {
            #expect(try await client.client.send(request).status == .ok)
        }
    }

    // MARK: The client's certificate

    @Test func clientsPresentTheirCertificate() async throws {
        let nginx = try await NginxPeer.shared()
        let made = try certificates()
        let read = { (path: String) in try TemporaryDirectory.bytes(ofFile: path) }
        let client = made.client
        let identities: [ClientIdentity] = [
            .pemFiles(certificate: client.certificate, key: client.key),
            .pem(certificate: try read(client.certificate), key: try read(client.key)),
            .pemFiles(
                certificate: client.certificate,
                key: made.clientEncryptedKey,
                password: made.password
            ),
            .pem(
                certificate: try read(client.certificate),
                key: try read(made.clientEncryptedKey),
                password: made.password
            ),
            .pkcs12File(made.clientPKCS12, password: made.password),
            .pkcs12(try read(made.clientPKCS12), password: made.password),
        ]
        for identity in identities {
            let client = try PeerClient { $0.tls.clientIdentity = identity }
            let answer = try await client.fetch(nginx.url(.clientCertificate, "/client"))
            #expect(answer.text == "SUCCESS CN=Test Client\n", "\(identity)")
        }
    }

    @Test(arguments: ["wrong", nil])
    func unreadableKeyIsAnError(password: String?) async throws {
        let nginx = try await NginxPeer.shared()
        let made = try certificates()
        let identities: [ClientIdentity] = [
            .pemFiles(
                certificate: made.client.certificate,
                key: made.clientEncryptedKey,
                password: password
            ),
            .pkcs12File(made.clientPKCS12, password: password),
        ]
        for identity in identities {
            let client = try PeerClient { $0.tls.clientIdentity = identity }
            let error = await client.failure(nginx.url(.clientCertificate, "/client"))
            #expect(error?.code == .clientCertificate, "\(identity)")
            #expect(error?.message.contains("wrong") != true)
        }
    }

    @Test func missingClientCertificateIsAnError() async throws {
        let nginx = try await NginxPeer.shared()
        let answer = try await PeerClient().fetch(nginx.url(.clientCertificate, "/client"))
        #expect(answer.status == 400)
    }

    /// A resumed session of TLS 1.2 would request no certificate.
    @Test(
        "A transfer can fail before it sends anything if the server requests a certificate",
        arguments: [TLSVersion.v1_2, .v1_3]
    )
    func certificateRequestCanFailATransfer(_ version: TLSVersion) async throws {
        let nginx = try await NginxPeer.shared()
        let made = try certificates()
        let asking = try PeerClient {
            $0.tls.failsOnCertificateRequest = true
            $0.tls.maximumVersion = version
        }
        for _ in 0..<3 {
            let failure = await asking.failure(nginx.url(.clientCertificate, "/client"))
            let error = try #require(failure)
            #expect(error.code == .clientCertificateRequired)
            #expect(error.isCertificateRequest)
            #expect(error.isTLS)
        }
        let answer = try await asking.fetch(nginx.url(.https, "/hello.txt"))
        #expect(answer.status == 200)
        let known = try PeerClient {
            $0.tls.failsOnCertificateRequest = true
            $0.tls.maximumVersion = version
            $0.tls.clientIdentity = .pkcs12File(made.clientPKCS12, password: made.password)
        }
        let greeting = try await known.fetch(nginx.url(.clientCertificate, "/client"))
        #expect(greeting.text == "SUCCESS CN=Test Client\n")
    }

    @Test(arguments: ["-tls1_2", "-tls1_3"])
    func handshakeAlertForRefusedClientCertificateIsAnError(version: String) async throws {
        let made = try certificates()
        let peer = try await OpenSSLPeer.start([
            version, "-Verify", "1", "-verify_return_error", "-CAfile", made.authority,
        ])
        defer { peer.stop() }
        let stranger = try PeerClient {
            $0.tls.clientIdentity = .pemFiles(
                certificate: made.selfSigned.certificate,
                key: made.selfSigned.key
            )
        }
        let failure = await stranger.failure(peer.url)
        let error = try #require(failure)
        #expect(error.code == .clientCertificate)
    }

    @Test(arguments: ["-tls1_2", "-tls1_3"])
    func handshakeAlertForMissingClientCertificateIsAnError(version: String) async throws {
        let authority = try certificates().authority
        let peer = try await OpenSSLPeer.start([
            version, "-Verify", "1", "-verify_return_error", "-CAfile", authority,
        ])
        defer { peer.stop() }
        let error = try #require(await PeerClient().failure(peer.url))
        #expect(error.isTLS)
        // Before TLS 1.3 the server's alert says only that the handshake failed.
        let isReported = version == "-tls1_3"
        #expect(error.code == (isReported ? .clientCertificateRequired : .tlsHandshakeFailed))
        let made = try certificates()
        let known = try PeerClient {
            $0.tls.clientIdentity = .pemFiles(
                certificate: made.client.certificate,
                key: made.client.key
            )
        }
        #expect(try await known.fetch(peer.url).status == 200)
    }
}
