internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CurlNetworking

/// Who says whether a server is trusted.
@Suite(.enabled(if: NginxPeer.isAvailable), .timeLimit(.minutes(10)))
struct ManagerServerTrustTests {
    /// Trusts everybody or nobody, and counts who asked.
    ///
    /// `@unchecked Sendable`: what it adds is constant, and of types that are `Sendable`.
    private final class Verdict: SecurityPolicy, @unchecked Sendable {
        private let answer: ServerTrustVerdict
        private let asked: EventRecorder<String>

        init(_ answer: ServerTrustVerdict, asked: EventRecorder<String>) {
            self.answer = answer
            self.asked = asked
            super.init()
        }

        required init() {
            answer = .trusted
            asked = EventRecorder()
            super.init()
        }

        override func verdict(
            on serverTrust: SecTrust,
            forDomain domain: String?
        ) -> ServerTrustVerdict {
            asked.record(domain ?? "none")
            return answer
        }
    }

    private func request(_ port: NginxPeer.Port = .selfSigned) async throws -> URLRequest {
        let text = try await NginxPeer.shared().url(port)
        return URLRequest(url: try #require(URL(string: text)))
    }

    @Test("S-42, S-43: a server that isn't trusted fails in AFNetworking's words, with the reason")
    func aServerThatIsNotTrustedFails() async throws {
        // What is cached needs no connection.
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

    @Test("X-15, S-43: a manager that pins refuses another server as one that isn't trusted")
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
            // The same by a Swift task, a stream and a download.
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

    @Test("S-42, S-06: the policy is asked at each handshake, and says yes or no")
    func thePolicyIsAsked() async throws {
        // What is cached needs no connection.
        let manager = URLSessionManager.test { $0.urlCache = nil }
        let request = try await request()
        let asked = EventRecorder<String>()
        manager.securityPolicy = Verdict(.trusted, asked: asked)
        #expect(try await manager.load(request).status == 200)
        #expect(try await manager.load(request).status == 200)
        // The connection was used again.
        #expect(asked.events == ["localhost"])
        manager.securityPolicy = Verdict(.refused(.unknownAuthority), asked: asked)
        // Not under another policy.
        #expect(try await manager.load(request).code == -1202)
        #expect(asked.events == ["localhost", "localhost"])
    }

    @Test("S-41: the usual is the policy's word for a handler, too")
    func theUsualIsThePolicysWord() async throws {
        // What is cached needs no connection.
        let manager = URLSessionManager.test { $0.urlCache = nil }
        let request = try await request()
        manager.setAuthenticationChallengeHandler { _, _, _, _ in .performDefaultHandling }
        #expect(try await manager.load(request).code == -1202)
        manager.setAuthenticationChallengeHandler { _, _, challenge, _ in
            challenge.protectionSpace.serverTrust.map { .use(URLCredential(trust: $0)) } ?? .cancel
        }
        #expect(try await manager.load(request).status == 200)
    }

    @Test(
        "S-16, S-38: the session's handler decides in the place of the policy, as soon as it is set"
    )
    func theSessionsHandlerDecides() async throws {
        // What is cached needs no connection.
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
        manager.session.forgetConnections()
        #expect(try await manager.load(request).code == -999)
        #expect(asked.events == ["session", "task"])
    }
}
