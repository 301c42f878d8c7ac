internal import CurlTransport
internal import CurlURLSession
internal import Foundation
internal import TestSupport
internal import Testing

/// Tests server trust and client certificates, against nginx and OpenSSL's server.
@Suite(.enabled(if: NginxPeer.isAvailable), .timeLimit(.minutes(10)))
struct ServerTrustTests {
    private func url(_ port: NginxPeer.Port) async throws -> URL {
        let text = try await NginxPeer.shared().url(port)
        return try #require(URL(string: text))
    }

    @Test("D5: A delegate can accept a self-signed server certificate")
    func delegateCanAcceptASelfSignedCertificate() async throws {
        let trusts = EventRecorder<SecTrust>()
        let delegate = SessionDelegate { answers in
            answers.challenge = { challenge, completion in
                guard let trust = challenge.protectionSpace.serverTrust else {
                    return completion(.performDefaultHandling, nil)
                }
                trusts.record(trust)
                completion(.useCredential, URLCredential(trust: trust))
            }
        }
        let session = URLSession.test(delegate: delegate)
        let (data, _) = try await session.data(from: url(.selfSigned))
        #expect(!data.isEmpty)
        let trust = try #require(trusts.events.first)
        #expect(trust.host == "localhost")
        #expect(trust.certificates.count == 1)
        // The DER tag of a SEQUENCE (X.690).
        #expect(trust.certificates[0].first == 0x30)
        #expect(trust.failure != nil)
        session.invalidateAndCancel()
    }

    @Test("D6: If the delegate doesn't accept the certificate, verification decides")
    func verificationDecidesWithoutTheDelegatesTrust() async throws {
        let session = URLSession.test(delegate: SessionDelegate())
        let error = try await urlError { _ = try await session.data(from: url(.selfSigned)) }
        #expect(error.code.rawValue <= -1200 && error.code.rawValue >= -1206, "\(error)")
        session.invalidateAndCancel()
    }

    @Test func refusedServerGetsNoRequest() async throws {
        let delegate = SessionDelegate { answers in
            answers.challenge = { $1(.cancelAuthenticationChallenge, nil) }
        }
        let session = URLSession.test(delegate: delegate)
        let error = try await urlError { _ = try await session.data(from: url(.selfSigned)) }
        #expect(error.code == .cancelled)
        session.invalidateAndCancel()
    }

    @Test(
        "A delegate that has accepted an untrusted server is asked about its next connection",
        .enabled(if: TLSRelayPeer.isAvailable),
        arguments: SessionDelegate.refusals
    )
    func nextConnectionAsksForTrust(
        _ decision: URLSession.AuthChallengeDisposition,
        _ code: URLError.Code
    ) async throws {
        let server = try LoopbackServer { _ in .text("trusted").closing() }
        let relay = try await TLSRelayPeer.start(
            port: server.port,
            identity: { $0.selfSigned },
            protocols: ["http/1.1"]
        )
        defer { relay.stop() }
        let isStrict = Gate()
        let delegate = SessionDelegate { answers in
            answers.challenge = SessionDelegate.trusting(until: isStrict, then: decision)
        }
        let session = URLSession.test(delegate: delegate) { $0.urlCache = nil }
        let url = try #require(URL(string: "https://localhost:\(relay.port)/"))
        let (data, _) = try await session.data(from: url)
        #expect(data == Data("trusted".utf8))
        let count = delegate.challenges.count
        #expect(count > 0)
        isStrict.open()
        let error = try await urlError { _ = try await session.data(from: url) }
        #expect(error.code == code)
        #expect(delegate.challenges.count > count)
        #expect(server.requestCount == 1)
        session.invalidateAndCancel()
    }

    /// libcurl sends a request again if the server closes a used connection. Then the delegate is
    /// asked about the new connection.
    @Test(
        "A POST that a server may have processed isn't sent again because the delegate is asked",
        .enabled(if: TLSRelayPeer.isAvailable)
    )
    func questionDoesNotRepeatAPost() async throws {
        let server = try LoopbackServer {
            $0.method == "POST" ? .steps([.close]) : .text("trusted")
        }
        let relay = try await TLSRelayPeer.start(
            port: server.port,
            identity: { $0.selfSigned },
            protocols: ["http/1.1"]
        )
        defer { relay.stop() }
        let delegate = SessionDelegate { answers in
            answers.challenge = SessionDelegate.trusting(
                until: Gate(),
                then: .cancelAuthenticationChallenge
            )
        }
        let session = URLSession.test(delegate: delegate) { $0.urlCache = nil }
        let url = try #require(URL(string: "https://localhost:\(relay.port)/"))
        let (data, _) = try await session.data(from: url)
        #expect(data == Data("trusted".utf8))
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.httpBody = Data("order".utf8)
        let error = try await urlError { _ = try await session.data(for: request) }
        #expect(error.code == .networkConnectionLost)
        #expect(server.requests.map(\.method) == ["GET", "POST"])
        session.invalidateAndCancel()
    }

    @Test("Trust roots in PEM form count for their own session only")
    func pemRootsAreThoseOfTheirSession() async throws {
        let peer = try await NginxPeer.shared()
        let url = try await self.url(.https)
        let paths = [peer.certificates.authority, peer.certificates.selfSigned.certificate]
        for round in 0..<4 {
            let roots = try Data(contentsOf: URL(fileURLWithPath: paths[round % 2]))
            let session = URLSession.test {
                $0.tlsConfiguration.trustRoots = .pem([UInt8](roots))
                $0.urlCache = nil
            }
            if round % 2 == 0 {
                let (_, response) = try await session.data(from: url)
                #expect((response as? HTTPURLResponse)?.statusCode == 200)
            } else {
                let error = try await urlError { _ = try await session.data(from: url) }
                #expect(error.code == .serverCertificateHasUnknownRoot)
            }
            session.invalidateAndCancel()
        }
    }

    /// While the first connection is in use, another request certainly opens the next one.
    @Test(
        "The next connection of a session uses trust roots whose file was replaced",
        .enabled(if: TLSRelayPeer.isAvailable)
    )
    func replacedRootsCountForTheNextConnection() async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in .text("held").after(gate) }
        let relay = try await TLSRelayPeer.start(port: server.port, protocols: ["http/1.1"])
        defer { relay.stop() }
        let certificates = relay.certificates
        let folder = try TemporaryDirectory()
        let (file, next) = (folder.path("ca.pem"), folder.path("next"))
        try FileManager.default.copyItem(atPath: certificates.authority, toPath: file)
        let session = URLSession.test {
            $0.tlsConfiguration.trustRoots = .file(file)
            $0.httpVersion = .http1
            $0.urlCache = nil
        }
        let url = try #require(URL(string: "https://localhost:\(relay.port)/"))
        async let held = session.data(from: url)
        _ = try await server.requestHead(0)
        try FileManager.default.copyItem(
            atPath: certificates.selfSigned.certificate,
            toPath: next
        )
        try #require(rename(next, file) == 0)
        let error = try await urlError { _ = try await session.data(from: url) }
        #expect(error.code == .serverCertificateHasUnknownRoot)
        #expect(server.requestCount == 1)
        gate.open()
        let (data, _) = try await held
        #expect(data == Data("held".utf8))
        session.invalidateAndCancel()
    }

    @Test("D5: A delegate can present a client certificate when the server demands one")
    func delegateCanPresentAClientCertificate() async throws {
        let made = try await NginxPeer.shared().certificates
        let peer = try await OpenSSLPeer.start([
            "-tls1_3", "-Verify", "1", "-verify_return_error", "-CAfile", made.authority,
        ])
        defer { peer.stop() }
        let certificate = try Data(contentsOf: URL(fileURLWithPath: made.client.certificate))
        let key = try Data(contentsOf: URL(fileURLWithPath: made.client.key))
        let delegate = SessionDelegate { answers in
            answers.challenge = { challenge, completion in
                switch challenge.protectionSpace.authenticationMethod {
                case NSURLAuthenticationMethodClientCertificate:
                    let identity = SecIdentity(pemCertificate: certificate, key: key)
                    completion(
                        .useCredential,
                        URLCredential(identity: identity, certificates: nil, persistence: .none)
                    )
                case NSURLAuthenticationMethodServerTrust:
                    let trust = challenge.protectionSpace.serverTrust
                    completion(.useCredential, trust.map { URLCredential(trust: $0) })
                default:
                    completion(.performDefaultHandling, nil)
                }
            }
        }
        let session = URLSession.test(delegate: delegate)
        let url = try #require(URL(string: peer.url))
        let (_, response) = try await session.data(from: url)
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
        session.invalidateAndCancel()
    }
}
