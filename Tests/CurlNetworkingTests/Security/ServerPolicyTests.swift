internal import CurlNetworking
internal import CurlTransport
internal import Foundation
internal import TestSupport
internal import Testing

/// Security policies in a session's delegate, with nginx as the server.
@Suite(.enabled(if: NginxPeer.isAvailable && Certificates.isAvailable), .timeLimit(.minutes(10)))
struct ServerPolicyTests {
    /// Answers challenges as a manager does.
    private final class Delegate: NSObject, URLSessionDelegate {
        let policy: SecurityPolicy
        let evaluations = EventRecorder<ServerTrustEvaluation>()

        init(_ policy: SecurityPolicy) {
            self.policy = policy
        }

        func urlSession(
            _ session: URLSession,
            didReceive challenge: URLAuthenticationChallenge,
            completionHandler:
                @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            guard let trust = challenge.protectionSpace.serverTrust else {
                return completionHandler(.performDefaultHandling, nil)
            }
            let evaluation = policy.evaluation(of: trust, forDomain: challenge.protectionSpace.host)
            evaluations.record(evaluation)
            if evaluation.isTrusted {
                completionHandler(.useCredential, URLCredential(trust: trust))
            } else {
                completionHandler(.cancelAuthenticationChallenge, nil)
            }
        }
    }

    private func load(
        _ port: NginxPeer.Port,
        _ policy: SecurityPolicy,
        roots: Bool = false
    ) async throws -> (isLoaded: Bool, evaluations: [ServerTrustEvaluation]) {
        let peer = try await NginxPeer.shared()
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 300
        if roots {
            configuration.tlsConfiguration.trustRoots = .file(peer.certificates.authority)
        }
        let delegate = Delegate(policy)
        let session = URLSession(
            configuration: configuration,
            delegate: delegate,
            delegateQueue: nil
        )
        defer { session.invalidateAndCancel() }
        let url = try #require(URL(string: peer.url(port)))
        let isLoaded = (try? await session.data(from: url)) != nil
        return (isLoaded, delegate.evaluations.events)
    }

    private func certificate(_ path: (Certificates) -> String) async throws -> Data {
        let peer = try await NginxPeer.shared()
        let text = try String(contentsOfFile: path(peer.certificates), encoding: .utf8)
        return try #require(PEMCertificates.decoded(text).first)
    }

    @Test(
        "X-08, X-15: A server with an unknown authority isn't trusted, and the reason is reported"
    )
    func aServerOfAnUnknownAuthorityIsNotTrusted() async throws {
        let (isLoaded, evaluations) = try await load(.selfSigned, SecurityPolicy())
        #expect(!isLoaded)
        #expect(evaluations == [.refused(.unknownAuthority)])
    }

    @Test("X-08: A server is trusted if the session's own roots include its authority")
    func aServerIsTrustedByTheSessionsRoots() async throws {
        let (isLoaded, evaluations) = try await load(.https, SecurityPolicy(), roots: true)
        #expect(isLoaded)
        #expect(evaluations == [.trusted])
        // With a date, the policy verifies the chain again, with the same roots.
        let policy = SecurityPolicy()
        policy.verificationDate = Date()
        #expect(try await load(.https, policy, roots: true).evaluations == [.trusted])
        #expect(
            try await load(.https, policy).evaluations == [.refused(.unknownAuthority)]
        )
    }

    @Test("X-10, X-11: A pinned server is loaded, and another server isn't")
    func aPinnedServerIsLoadedFrom() async throws {
        let own = try await certificate { $0.selfSigned.certificate }
        let other = try await certificate { $0.server.certificate }
        for mode in [SSLPinningMode.publicKey, .certificate] {
            let policy = SecurityPolicy(pinningMode: mode, withPinnedCertificates: [own])
            policy.allowInvalidCertificates = true
            #expect(try await load(.selfSigned, policy).isLoaded)
            policy.pinnedCertificates = [other]
            let (isLoaded, evaluations) = try await load(.selfSigned, policy)
            #expect(!isLoaded)
            #expect(evaluations == [.refused(.pinMismatch)])
        }
    }

    @Test("S-06: After a session resets its connections, the next connection is evaluated")
    func connectionAfterResetIsEvaluatedAgain() async throws {
        let peer = try await NginxPeer.shared()
        let url = try #require(URL(string: peer.url(.selfSigned)))
        let policy = SecurityPolicy()
        policy.allowInvalidCertificates = true
        policy.validatesDomainName = false
        let delegate = Delegate(policy)
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 300
        // A cached response needs no connection.
        configuration.urlCache = nil
        let session = URLSession(
            configuration: configuration,
            delegate: delegate,
            delegateQueue: nil
        )
        _ = try await session.data(from: url)
        _ = try await session.data(from: url)
        #expect(delegate.evaluations.events == [.trusted])
        policy.settings = SecurityPolicySettings()
        session.resetConnectionPool()
        await #expect(throws: URLError.self) { _ = try await session.data(from: url) }
        #expect(delegate.evaluations.events == [.trusted, .refused(.unknownAuthority)])
        session.invalidateAndCancel()
    }

    @Test("S-06: If a policy becomes stricter, the next connection is evaluated by it")
    func stricterPolicyAppliesToTheNextConnection() async throws {
        let peer = try await NginxPeer.shared()
        var request = URLRequest(url: try #require(URL(string: peer.url(.selfSigned))))
        // Each request gets a new connection; HTTP/2 has no such header.
        request.setValue("close", forHTTPHeaderField: "Connection")
        let pin = try await certificate { $0.selfSigned.certificate }
        let other = try await certificate { $0.server.certificate }
        let policy = SecurityPolicy(pinningMode: .publicKey, withPinnedCertificates: [pin])
        policy.allowInvalidCertificates = true
        let manager = URLSessionManager.test {
            $0.urlCache = nil
            $0.timeoutIntervalForRequest = 300
            $0.httpVersion = .http1
        }
        manager.securityPolicy = policy
        #expect(try await manager.load(request).status == 200)
        policy.pinnedCertificates = [other]
        #expect(try await manager.load(request).code == -1202)
        policy.pinnedCertificates = [pin]
        #expect(try await manager.load(request).status == 200)
        policy.allowInvalidCertificates = false
        #expect(try await manager.load(request).code == -1202)
    }

    @Test(
        "If a policy becomes stricter, the next WebSocket is evaluated by it",
        .enabled(if: TLSRelayPeer.isAvailable)
    )
    func stricterPolicyAppliesToTheNextWebSocket() async throws {
        let server = try LoopbackServer.webSocket(.echo { WebSocketHandshake.accept(for: $0) })
        let relay = try await TLSRelayPeer.start(port: server.port, identity: { $0.selfSigned })
        defer { relay.stop() }
        let url = try #require(URL(string: "wss://localhost:\(relay.port)/"))
        let policy = SecurityPolicy()
        policy.allowInvalidCertificates = true
        policy.validatesDomainName = false
        let manager = HTTPSessionManager.forTest()
        manager.securityPolicy = policy
        let first = manager.session.webSocketTask(with: url)
        first.resume()
        try await first.sendPing()
        policy.allowInvalidCertificates = false
        let second = manager.session.webSocketTask(with: url)
        second.resume()
        let error = try await urlError { try await second.sendPing() }
        #expect(error.code == .cancelled)
        #expect(server.requestCount == 1)
        // The open WebSocket is still trusted.
        try await first.sendPing()
        manager.session.invalidateAndCancel()
    }
}
