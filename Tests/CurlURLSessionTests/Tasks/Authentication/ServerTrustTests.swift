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
