internal import CurlNetworking
internal import Foundation
internal import TestSupport
internal import Testing

/// A manager's credentials, with httpbin as the server.
@Suite(.enabled(if: HTTPBinPeer.isAvailable), .timeLimit(.minutes(10)))
struct HTTPBinAuthenticationTests {
    private struct Answer: Decodable, Sendable {
        var authenticated: Bool
        var user: String?
        var token: String?
    }

    private static let credential = URLCredential(
        user: "user",
        password: "secret",
        persistence: .none
    )

    @Test(arguments: ["basic-auth/user/secret", "hidden-basic-auth/user/secret"])
    func serializerCredentialIsSentPreemptively(_ path: String) async throws {
        let manager = try await HTTPBinPeer.shared().manager()
        manager.requestSerializer.setAuthorizationHeaderField(
            username: "user",
            password: "secret"
        )
        let answer = try await manager.get(path, of: Answer.self)
        #expect(answer.authenticated && answer.user == "user")
        manager.requestSerializer.clearAuthorizationHeader()
        await #expect(throws: (any Error).self) { try await manager.get(path, of: Answer.self) }
    }

    @Test(arguments: [
        "basic-auth/user/secret", "digest-auth/auth/user/secret",
        "digest-auth/auth/user/secret/MD5", "digest-auth/auth/user/secret/SHA-256",
    ])
    func challengeHandlerAuthenticates(_ path: String) async throws {
        let manager = try await HTTPBinPeer.shared().manager()
        let methods = EventRecorder<String>()
        manager.setAuthenticationChallengeHandler { _, _, challenge, _ in
            methods.record(challenge.protectionSpace.authenticationMethod)
            return challenge.previousFailureCount == 0 ? .use(Self.credential) : .cancel
        }
        let answer = try await manager.get(path, of: Answer.self)
        #expect(answer.authenticated && answer.user == "user")
        #expect(
            methods.events == [
                path.hasPrefix("basic")
                    ? NSURLAuthenticationMethodHTTPBasic : NSURLAuthenticationMethodHTTPDigest
            ]
        )
    }

    @Test(arguments: ["basic-auth/user/other", "digest-auth/auth/user/other"])
    func rejectedCredentialCausesAnotherChallenge(_ path: String) async throws {
        let manager = try await HTTPBinPeer.shared().manager()
        let failures = EventRecorder<Int>()
        manager.setAuthenticationChallengeHandler { _, _, challenge, _ in
            failures.record(challenge.previousFailureCount)
            return failures.events.count < 2 ? .use(Self.credential) : .performDefaultHandling
        }
        let error = try await #require(throws: (any Error).self) { try await manager.get(path) }
        #expect(NetworkingError(error).responseCode == 401)
        #expect(failures.events == [0, 1])
    }

    @Test func bearerTokenIsSent() async throws {
        let manager = try await HTTPBinPeer.shared().manager()
        let answer = try await manager.get(
            "bearer",
            headers: [.authorization(bearerToken: "1234.5678")],
            of: Answer.self
        )
        #expect(answer.authenticated && answer.token == "1234.5678")
        let error = try await #require(throws: (any Error).self) {
            try await manager.get("bearer")
        }
        #expect(NetworkingError(error).responseCode == 401)
    }
}
