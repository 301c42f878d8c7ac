internal import CurlNetworking
internal import CurlTransport
internal import Foundation
internal import TestSupport
internal import Testing

/// Policies that a session's delegate asks, with nginx as the server.
@Suite(.enabled(if: NginxPeer.isAvailable && Certificates.isAvailable), .timeLimit(.minutes(10)))
struct ServerPolicyTests {
    /// Answers as a manager does.
    private final class Delegate: NSObject, URLSessionDelegate {
        let policy: SecurityPolicy
        let verdicts = EventRecorder<ServerTrustVerdict>()

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
            let verdict = policy.verdict(on: trust, forDomain: challenge.protectionSpace.host)
            verdicts.record(verdict)
            if verdict.isTrusted {
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
    ) async throws -> (isLoaded: Bool, verdicts: [ServerTrustVerdict]) {
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
        return (isLoaded, delegate.verdicts.events)
    }

    private func certificate(_ path: (Certificates) -> String) async throws -> Data {
        let peer = try await NginxPeer.shared()
        let text = try String(contentsOfFile: path(peer.certificates), encoding: .utf8)
        return try #require(PEMCertificates.decoded(text).first)
    }

    @Test("X-08, X-15: A server of an unknown authority isn't trusted, and it is told why")
    func aServerOfAnUnknownAuthorityIsNotTrusted() async throws {
        let (isLoaded, verdicts) = try await load(.selfSigned, SecurityPolicy())
        #expect(!isLoaded)
        #expect(verdicts == [.refused(.unknownAuthority)])
    }

    @Test("X-08: A server is trusted by the session's own roots")
    func aServerIsTrustedByTheSessionsRoots() async throws {
        let (isLoaded, verdicts) = try await load(.https, SecurityPolicy(), roots: true)
        #expect(isLoaded)
        #expect(verdicts == [.trusted])
        // Verified again, with a time of its own, by the same roots.
        let policy = SecurityPolicy()
        policy.verificationDate = Date()
        #expect(try await load(.https, policy, roots: true).verdicts == [.trusted])
        #expect(
            try await load(.https, policy).verdicts == [.refused(.unknownAuthority)]
        )
    }

    @Test("X-10, X-11: A pinned server is loaded from, another one isn't")
    func aPinnedServerIsLoadedFrom() async throws {
        let own = try await certificate { $0.selfSigned.certificate }
        let other = try await certificate { $0.server.certificate }
        for mode in [SSLPinningMode.publicKey, .certificate] {
            let policy = SecurityPolicy(pinningMode: mode, withPinnedCertificates: [own])
            policy.allowInvalidCertificates = true
            #expect(try await load(.selfSigned, policy).isLoaded)
            policy.pinnedCertificates = [other]
            let (isLoaded, verdicts) = try await load(.selfSigned, policy)
            #expect(!isLoaded)
            #expect(verdicts == [.refused(.pinMismatch)])
        }
    }

    @Test("S-06: A session that forgets its connections asks about the next one")
    func aSessionThatForgetsItsConnectionsAsksAgain() async throws {
        let peer = try await NginxPeer.shared()
        let url = try #require(URL(string: peer.url(.selfSigned)))
        let policy = SecurityPolicy()
        policy.allowInvalidCertificates = true
        policy.validatesDomainName = false
        let delegate = Delegate(policy)
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 300
        // What is cached needs no connection.
        configuration.urlCache = nil
        let session = URLSession(
            configuration: configuration,
            delegate: delegate,
            delegateQueue: nil
        )
        _ = try await session.data(from: url)
        _ = try await session.data(from: url)
        #expect(delegate.verdicts.events == [.trusted])
        policy.settings = SecurityPolicySettings()
        session.forgetConnections()
        await #expect(throws: URLError.self) { _ = try await session.data(from: url) }
        #expect(delegate.verdicts.events == [.trusted, .refused(.unknownAuthority)])
        session.invalidateAndCancel()
    }
}
