internal import CurlTransport
internal import CurlURLSession
internal import Foundation
internal import TestSupport
internal import Testing

/// Tests challenges for a client certificate.
///
/// nginx requests a certificate, and responds with 400 to clients without one.
@Suite(.enabled(if: NginxPeer.isAvailable), .timeLimit(.minutes(10)))
struct ClientCertificateTests {
    private static let method = NSURLAuthenticationMethodClientCertificate

    /// A delegate with an answer to challenges for a client certificate.
    private static func delegate(
        _ disposition: URLSession.AuthChallengeDisposition,
        _ credential: URLCredential? = nil
    ) -> SessionDelegate {
        SessionDelegate { answers in
            answers.challenge = { challenge, completion in
                if challenge.protectionSpace.authenticationMethod == Self.method {
                    completion(disposition, credential)
                } else {
                    completion(.performDefaultHandling, nil)
                }
            }
        }
    }

    private static func credential(_ made: Certificates) throws -> URLCredential {
        let identity = SecIdentity(
            pkcs12: try Data(contentsOf: URL(fileURLWithPath: made.clientPKCS12)),
            password: made.password
        )
        return URLCredential(identity: identity, certificates: nil, persistence: .none)
    }

    private static func session(
        _ made: Certificates,
        _ delegate: SessionDelegate,
        _ configure: (URLSessionConfiguration) -> Void = { _ in }
    ) -> URLSession {
        URLSession.test(delegate: delegate) {
            $0.tlsConfiguration.trustRoots = .file(made.authority)
            $0.urlCache = nil
            configure($0)
        }
    }

    private static func url() async throws -> URL {
        let nginx = try await NginxPeer.shared()
        return try #require(URL(string: nginx.url(.clientCertificate, "/client")))
    }

    private static func requests(_ delegate: SessionDelegate) -> Int {
        delegate.challenges.count { $0.protectionSpace.authenticationMethod == Self.method }
    }

    @Test(
        "A delegate can present a client certificate to a server that requests one",
        arguments: [tls_protocol_version_t.TLSv12, .TLSv13]
    )
    func delegateAnswersARequest(_ version: tls_protocol_version_t) async throws {
        let made = try await NginxPeer.shared().certificates
        let delegate = Self.delegate(.useCredential, try Self.credential(made))
        let session = Self.session(made, delegate) {
            $0.tlsMaximumSupportedProtocolVersion = version
        }
        let url = try await Self.url()
        for round in 1...3 {
            let (data, _) = try await session.data(from: url)
            #expect(String(decoding: data, as: UTF8.self) == "SUCCESS CN=Test Client\n")
            #expect(Self.requests(delegate) == round)
        }
        let challenge = try #require(delegate.challenges.last)
        #expect(challenge.protectionSpace.host == url.host())
        #expect(challenge.protectionSpace.port == url.port)
        #expect(challenge.previousFailureCount == 0)
        session.invalidateAndCancel()
    }

    @Test(
        "A delegate can present a client certificate that is in files",
        arguments: [true, false]
    )
    func delegateAnswersWithFiles(_ arePEM: Bool) async throws {
        let made = try await NginxPeer.shared().certificates
        let files: ClientIdentity =
            arePEM
            ? .pemFiles(certificate: made.client.certificate, key: made.client.key)
            : .pkcs12File(made.clientPKCS12, password: made.password)
        let identity = SecIdentity(files)
        let credential = URLCredential(identity: identity, certificates: nil, persistence: .none)
        let session = Self.session(made, Self.delegate(.useCredential, credential))
        let (data, _) = try await session.data(from: Self.url())
        #expect(String(decoding: data, as: UTF8.self) == "SUCCESS CN=Test Client\n")
        session.invalidateAndCancel()
    }

    @Test("A request is sent with its body after the delegate has presented a certificate")
    func bodyIsSentWithTheCertificate() async throws {
        let made = try await NginxPeer.shared().certificates
        let delegate = Self.delegate(.useCredential, try Self.credential(made))
        let session = Self.session(made, delegate)
        let nginx = try await NginxPeer.shared()
        let text = nginx.url(.clientCertificate, "/discard")
        var request = URLRequest(url: try #require(URL(string: text)))
        request.httpMethod = "PUT"
        let body = Data("content".utf8)
        let (data, response) = try await session.upload(for: request, from: body)
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
        #expect(String(decoding: data, as: UTF8.self) == "7\n")
        session.invalidateAndCancel()
    }

    @Test(
        "Without a certificate from the delegate, the request is sent without one",
        arguments: [
            URLSession.AuthChallengeDisposition.performDefaultHandling, .useCredential,
            .rejectProtectionSpace,
        ]
    )
    func requestContinuesWithoutACertificate(
        _ disposition: URLSession.AuthChallengeDisposition
    ) async throws {
        let made = try await NginxPeer.shared().certificates
        let delegate = Self.delegate(disposition)
        let session = Self.session(made, delegate)
        let (_, response) = try await session.data(from: Self.url())
        #expect((response as? HTTPURLResponse)?.statusCode == 400)
        #expect(Self.requests(delegate) == 1)
        #expect(delegate.challenges.last?.error == nil)
        session.invalidateAndCancel()
    }

    @Test("A delegate can cancel a task whose server requests a client certificate")
    func delegateCancelsTheTask() async throws {
        let made = try await NginxPeer.shared().certificates
        let session = Self.session(made, Self.delegate(.cancelAuthenticationChallenge))
        let url = try await Self.url()
        let error = try await urlError { _ = try await session.data(from: url) }
        #expect(error.code == .cancelled)
        session.invalidateAndCancel()
    }

    /// A stream can't be sent a second time.
    @Test("A server's request for a certificate isn't a challenge if the body is a stream")
    func streamIsSentWithoutACertificate() async throws {
        let made = try await NginxPeer.shared().certificates
        let delegate = Self.delegate(.useCredential, try Self.credential(made))
        let session = Self.session(made, delegate)
        var request = URLRequest(url: try await Self.url())
        request.httpMethod = "POST"
        request.httpBodyStream = InputStream(data: Data("content".utf8))
        let (_, response) = try await session.data(for: request)
        #expect((response as? HTTPURLResponse)?.statusCode == 400)
        #expect(Self.requests(delegate) == 0)
        session.invalidateAndCancel()
    }

    // MARK: Servers that refuse

    private static func refusingPeer(_ made: Certificates) async throws -> OpenSSLPeer {
        try await OpenSSLPeer.start([
            "-tls1_3", "-Verify", "1", "-verify_return_error", "-CAfile", made.authority,
        ])
    }

    @Test("A server that requires a certificate fails the task with its own error")
    func missingCertificateIsAnError() async throws {
        let made = try await NginxPeer.shared().certificates
        let peer = try await Self.refusingPeer(made)
        defer { peer.stop() }
        let delegate = Self.delegate(.performDefaultHandling)
        let session = Self.session(made, delegate)
        let url = try #require(URL(string: peer.url))
        let error = try await urlError { _ = try await session.data(from: url) }
        #expect(error.code == .clientCertificateRequired)
        #expect(Self.requests(delegate) == 1)
        session.invalidateAndCancel()
    }

    @Test("A server that refuses the client's certificate fails the task with its own error")
    func refusedCertificateIsAnError() async throws {
        let made = try await NginxPeer.shared().certificates
        let peer = try await Self.refusingPeer(made)
        defer { peer.stop() }
        let unknown = made.selfSigned
        let identity = SecIdentity(
            pemCertificate: try Data(contentsOf: URL(fileURLWithPath: unknown.certificate)),
            key: try Data(contentsOf: URL(fileURLWithPath: unknown.key))
        )
        let credential = URLCredential(identity: identity, certificates: nil, persistence: .none)
        let session = Self.session(made, Self.delegate(.useCredential, credential))
        let url = try #require(URL(string: peer.url))
        let error = try await urlError { _ = try await session.data(from: url) }
        #expect(error.code == .clientCertificateRejected)
        session.invalidateAndCancel()
    }
}
