internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CurlNetworking

/// How a manager decides whether to trust a server.
@Suite(.enabled(if: NginxPeer.isAvailable), .timeLimit(.minutes(10)))
struct ManagerServerTrustTests {
    // `@unchecked Sendable`: the added properties are constants of `Sendable` types.
    /// Trusts all servers or none, and records the hosts.
    private final class FixedPolicy: SecurityPolicy, @unchecked Sendable {
        private let answer: ServerTrustEvaluation
        private let asked: EventRecorder<String>

        init(_ answer: ServerTrustEvaluation, asked: EventRecorder<String>) {
            self.answer = answer
            self.asked = asked
            super.init()
        }

        required init() {
            answer = .trusted
            asked = EventRecorder()
            super.init()
        }

        override func evaluation(
            of serverTrust: SecTrust,
            forDomain domain: String?
        ) -> ServerTrustEvaluation {
            asked.record(domain ?? "none")
            return answer
        }
    }

    private func request(_ port: NginxPeer.Port = .selfSigned) async throws -> URLRequest {
        let text = try await NginxPeer.shared().url(port)
        return URLRequest(url: try #require(URL(string: text)))
    }

    @Test(
        "S-42, S-43: A server that isn't trusted fails with AFNetworking's message and the reason"
    )
    func aServerThatIsNotTrustedFails() async throws {
        // A cached response needs no connection.
        let manager = URLSessionManager.test { $0.urlCache = nil }
        let request = try await request()
        let completion = try await manager.load(request)
        let bridged = try #require(completion.error) as NSError
        #expect(bridged.domain == NSURLErrorDomain)
        #expect(bridged.code == -1202)
        #expect(
            bridged.localizedDescription
                == "The certificate for this server is invalid. You might be connecting to a "
                + "server that is pretending to be “localhost” which could put your confidential "
                + "information at risk."
        )
        #expect(bridged.userInfo[NSURLErrorFailingURLErrorKey] as? URL == request.url)
        #expect(
            bridged.userInfo["NSErrorFailingURLStringKey"] as? String
                == request.url?.absoluteString
        )
        let trust = bridged.userInfo["NSURLErrorFailingURLPeerTrustErrorKey"] as? SecTrust
        #expect(trust?.certificates.count == 1)
        #expect(bridged.userInfo[NSUnderlyingErrorKey] is ServerTrustFailure)
        #expect(trust?.failure != nil)
        #expect(bridged.localizedFailureReason?.isEmpty == false)
    }

    @Test("X-15, S-43: A manager that pins rejects another server as untrusted")
    func aManagerThatPinsRefusesAnotherServer() async throws {
        let peer = try await NginxPeer.shared()
        let request = try await request()
        let own = try peer.certificate { $0.selfSigned.certificate }
        let other = try peer.certificate { $0.server.certificate }
        for mode in [SSLPinningMode.certificate, .publicKey] {
            let manager = URLSessionManager.test { $0.urlCache = nil }
            let policy = SecurityPolicy(pinningMode: mode, withPinnedCertificates: [other])
            policy.allowInvalidCertificates = true
            manager.securityPolicy = policy
            let error = try #require(try await manager.load(request).error) as NSError
            #expect((error.domain, error.code) == (NSURLErrorDomain, -1202))
            #expect(error.userInfo[NSUnderlyingErrorKey] as? ServerTrustFailure == .pinMismatch)
            // The same for an async request, a stream and a download.
            let awaited = await failure { _ = try await manager.object(for: request) }
            #expect(awaited?.code == -1202)
            let streamed = await failure { _ = try await manager.stream(for: request) }
            #expect(streamed?.code == -1202)
            let loaded = await manager.downloadResponse(for: request) { url, _ in url }
            #expect(loaded.error?.kind == .serverTrust(.pinMismatch))
            policy.pinnedCertificates = [own]
            #expect(try await manager.load(request).status == 200)
        }
    }

    @Test("S-42, S-06: The policy evaluates the server at each handshake, and its result decides")
    func policyEvaluatesEachHandshake() async throws {
        // A cached response needs no connection.
        let manager = URLSessionManager.test { $0.urlCache = nil }
        let request = try await request()
        let asked = EventRecorder<String>()
        manager.securityPolicy = FixedPolicy(.trusted, asked: asked)
        #expect(try await manager.load(request).status == 200)
        #expect(try await manager.load(request).status == 200)
        // The second request reused the connection.
        #expect(asked.events == ["localhost"])
        manager.securityPolicy = FixedPolicy(.refused(.unknownAuthority), asked: asked)
        // A new policy doesn't reuse it.
        #expect(try await manager.load(request).code == -1202)
        #expect(asked.events == ["localhost", "localhost"])
    }

    @Test("S-41: A handler's default handling is the policy's evaluation")
    func defaultHandlingIsThePolicysEvaluation() async throws {
        // A cached response needs no connection.
        let manager = URLSessionManager.test { $0.urlCache = nil }
        let request = try await request()
        manager.setAuthenticationChallengeHandler { _, _, _, _ in .performDefaultHandling }
        #expect(try await manager.load(request).code == -1202)
        manager.setAuthenticationChallengeHandler { _, _, challenge, _ in
            challenge.protectionSpace.serverTrust.map { .use(URLCredential(trust: $0)) } ?? .cancel
        }
        #expect(try await manager.load(request).status == 200)
    }

    @Test("S-16, S-38: Once the session's handler is set, it replaces the policy")
    func theSessionsHandlerDecides() async throws {
        // A cached response needs no connection.
        let manager = URLSessionManager.test { $0.urlCache = nil }
        let request = try await request()
        let asked = EventRecorder<String>()
        #expect(try await manager.load(request).code == -1202)
        manager.setAuthenticationChallengeHandler { _, _, _, _ in
            asked.record("task")
            return .cancel
        }
        manager.setSessionDidReceiveAuthenticationChallenge { _, challenge in
            asked.record("session")
            return (
                .useCredential,
                challenge.protectionSpace.serverTrust.map { URLCredential(trust: $0) }
            )
        }
        #expect(try await manager.load(request).status == 200)
        #expect(asked.events == ["session"])
        manager.setSessionDidReceiveAuthenticationChallenge(nil)
        manager.session.resetConnectionPool()
        #expect(try await manager.load(request).code == -999)
        #expect(asked.events == ["session", "task"])
    }
}
