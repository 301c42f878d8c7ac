internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CurlURLSession

/// Tests credentials that are sent preemptively because the server accepted them before.
@Suite(.timeLimit(.minutes(10))) struct RememberedCredentialTests {
    /// A server that demands a password for all paths. Tests can change the password.
    private final class Guarded: Sendable {
        let password = Watched("pass")
        let server: LoopbackServer

        init() throws {
            let password = password
            server = try LoopbackServer { request in
                let pair = Data("user:\(password.read { $0 })".utf8).base64EncodedString()
                return request.header("Authorization") == "Basic \(pair)"
                    ? .text("in") : Reply(401, headers: [("WWW-Authenticate", "Basic realm=x")])
            }
        }

        /// Whether each request so far had an `Authorization` field.
        var authorized: [Bool] {
            server.requests.map { $0.header("Authorization") != nil }
        }
    }

    private static func delegate(
        _ guarded: Guarded,
        _ persistence: URLCredential.Persistence = .forSession
    ) -> SessionDelegate {
        SessionDelegate { answers in
            answers.challenge = { challenge, completion in
                guard challenge.previousFailureCount == 0 else {
                    return completion(.rejectProtectionSpace, nil)
                }
                let password = guarded.password.read { $0 }
                completion(
                    .useCredential,
                    URLCredential(user: "user", password: password, persistence: persistence)
                )
            }
        }
    }

    @Test func acceptedCredentialIsSentPreemptively() async throws {
        let guarded = try Guarded()
        let delegate = Self.delegate(guarded)
        let session = URLSession.test(delegate: delegate)
        for path in ["/docs/index", "/docs/other", "/docs/below/x"] {
            let (data, _) = try await session.data(from: guarded.server.at(path))
            #expect(data.count == 2)
        }
        #expect(guarded.authorized == [false, true, true, true])
        #expect(delegate.challenges.count == 1)
        // This path isn't known to be in the same protection space.
        _ = try await session.data(from: guarded.server.at("/else"))
        #expect(guarded.authorized.suffix(2) == [false, true])
        session.invalidateAndCancel()
    }

    @Test func unpersistedCredentialIsNotSentPreemptively() async throws {
        let guarded = try Guarded()
        let session = URLSession.test(delegate: Self.delegate(guarded, .none))
        for _ in 0..<2 { _ = try await session.data(from: guarded.server.at("/")) }
        #expect(guarded.authorized == [false, true, false, true])
        session.invalidateAndCancel()
    }

    @Test func requestsOwnFieldTakesPrecedence() async throws {
        let guarded = try Guarded()
        let session = URLSession.test(delegate: Self.delegate(guarded))
        _ = try await session.data(from: guarded.server.at("/"))
        var request = URLRequest(url: try guarded.server.at("/"))
        request.setValue("Bearer token", forHTTPHeaderField: "Authorization")
        _ = try await session.data(for: request)
        #expect(guarded.server.requests[2].header("Authorization") == "Bearer token")
        session.invalidateAndCancel()
    }

    @Test func changedPasswordCausesAChallenge() async throws {
        let guarded = try Guarded()
        let delegate = Self.delegate(guarded)
        let session = URLSession.test(delegate: delegate)
        _ = try await session.data(from: guarded.server.at("/"))
        guarded.password.update { $0 = "other" }
        let (data, _) = try await session.data(from: guarded.server.at("/"))
        #expect(data.count == 2)
        #expect(delegate.challenges.map(\.previousFailureCount) == [0, 0])
        #expect(delegate.challenges[1].proposedCredential?.password == "pass")
        _ = try await session.data(from: guarded.server.at("/"))
        #expect(guarded.authorized == [false, true, true, true, true])
        session.invalidateAndCancel()
    }

    @Test func removedCredentialIsNotSent() async throws {
        let guarded = try Guarded()
        let session = URLSession.test(delegate: Self.delegate(guarded))
        _ = try await session.data(from: guarded.server.at("/"))
        await awaitHandler { done in session.reset { done(()) } }
        _ = try await session.data(from: guarded.server.at("/"))
        #expect(guarded.authorized == [false, true, false, true])
        session.invalidateAndCancel()
    }

    // MARK: Paths

    private func space(_ realm: String) -> URLProtectionSpace {
        URLProtectionSpace(
            host: "a.test",
            port: 80,
            protocol: "http",
            realm: realm,
            authenticationMethod: NSURLAuthenticationMethodHTTPBasic
        )
    }

    @Test(
        arguments: [
            ("http://a.test/docs/y", "docs"), ("http://A.test:80/docs/", "docs"),
            ("http://a.test/docs/deep/y", "deep"), ("http://a.test/docs/deeper/y", "docs"),
            ("http://a.test/docs", nil), ("http://a.test/", nil), ("http://a.test", nil),
            ("https://a.test/docs/y", nil), ("http://b.test/docs/y", nil),
            ("http://a.test:81/docs/y", nil), ("http://a.test/docs/../y", nil),
            ("http://a.test/docs/%2E%2e/y", nil),
        ] as [(String, String?)]
    )
    func deeperPathsAreInTheSameSpace(_ text: String, _ realm: String?) throws {
        var paths = ProtectedPaths()
        paths.note(space("docs"), at: try #require(URL(string: "http://a.test/docs/x?y=/z/")))
        paths.note(space("deep"), at: try #require(URL(string: "http://a.test/docs/deep/x")))
        let url = try #require(URL(string: text))
        #expect(paths.space(of: url)?.realm == realm)
        paths.forget(space("deep"), at: try #require(URL(string: "http://a.test/docs/deep/z")))
        #expect(paths.space(of: url)?.realm == (realm == "deep" ? "docs" : realm))
    }

    @Test func memoryIsBounded() throws {
        var paths = ProtectedPaths()
        let first = try #require(URL(string: "http://a.test/0/x"))
        for number in 0...ProtectedPaths.maximumFolders {
            let url = try #require(URL(string: "http://a.test/\(number)/x"))
            paths.note(space("\(number)"), at: url)
        }
        #expect(paths.space(of: first) == nil)
        let second = try #require(URL(string: "http://a.test/1/x"))
        #expect(paths.space(of: second) != nil)
        for number in 0..<ProtectedPaths.maximumOrigins {
            paths.note(space("o"), at: try #require(URL(string: "http://o\(number).test/")))
        }
        #expect(paths.space(of: second) == nil)
    }
}
