internal import CurlNetworking
internal import CurlTransport
internal import Foundation
internal import TestSupport
internal import Testing

/// Client certificates.
@Suite(.enabled(if: NginxPeer.isAvailable && Certificates.isAvailable), .timeLimit(.minutes(10)))
struct ClientCertificateTests {
    private func manager(
        _ url: String,
        _ configure: (inout TLSConfiguration) -> Void = { _ in }
    ) async throws -> HTTPSessionManager {
        let certificates = try await NginxPeer.shared().certificates
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 300
        configuration.tlsConfiguration.trustRoots = .file(certificates.authority)
        configure(&configuration.tlsConfiguration)
        let manager = HTTPSessionManager(
            baseURL: URL(string: url),
            sessionConfiguration: configuration
        )
        manager.responseSerializer = HTTPResponseSerializer()
        return manager
    }

    @Test("A-33: A client sends the certificate of its configuration")
    func aClientShowsTheCertificateOfItsConfiguration() async throws {
        let peer = try await NginxPeer.shared()
        let client = peer.certificates.client
        let url = peer.url(.clientCertificate, "")
        let known = try await manager(url) {
            $0.clientIdentity = .pemFiles(certificate: client.certificate, key: client.key)
        }
        let answer = try await known.get("client") as? Data
        #expect(String(decoding: answer ?? Data(), as: UTF8.self).hasPrefix("SUCCESS"))
        let stranger = try await manager(url)
        let error = await #expect(throws: NSError.self) { try await stranger.get("client") }
        #expect(error.map { NetworkingError($0).responseCode } == 400)
    }

    @Test("A-33, S-41: A challenge handler provides the certificate that a server requires")
    func aHandlerShowsACertificate() async throws {
        let certificates = try await NginxPeer.shared().certificates
        let peer = try await OpenSSLPeer.start([
            "-tls1_3", "-Verify", "1", "-verify_return_error", "-CAfile", certificates.authority,
        ])
        defer { peer.stop() }
        let identity = SecIdentity(
            pemCertificate: try Data(
                contentsOf: URL(fileURLWithPath: certificates.client.certificate)
            ),
            key: try Data(contentsOf: URL(fileURLWithPath: certificates.client.key))
        )
        let manager = try await manager(peer.url)
        let asked = EventRecorder<String>()
        manager.setAuthenticationChallengeHandler { _, _, challenge, _ in
            let method = challenge.protectionSpace.authenticationMethod
            asked.record(method)
            guard method == NSURLAuthenticationMethodClientCertificate else {
                return .performDefaultHandling
            }
            return .use(URLCredential(identity: identity, certificates: nil, persistence: .none))
        }
        #expect(try await manager.get("") is Data)
        #expect(asked.events.contains(NSURLAuthenticationMethodClientCertificate))
    }
}
