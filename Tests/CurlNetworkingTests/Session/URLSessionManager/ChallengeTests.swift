internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CurlNetworking

/// Authentication challenges and their answers.
@Suite(.timeLimit(.minutes(10))) struct ChallengeTests {
    /// A server that requires a password and returns the `Authorization` header that it receives.
    private func server() throws -> LoopbackServer {
        try LoopbackServer { request in
            guard let field = request.header("Authorization") else {
                return Reply(401, headers: [("WWW-Authenticate", "Basic realm=\"here\"")])
            }
            return .text(field)
        }
    }

    private static let credential = URLCredential(
        user: "user",
        password: "secret",
        persistence: .none
    )
    private static let field = "Basic " + Data("user:secret".utf8).base64EncodedString()

    @Test("S-41: A handler's credential is used")
    func aHandlersCredentialIsUsed() async throws {
        let (server, manager) = (try server(), URLSessionManager.test())
        manager.setAuthenticationChallengeHandler { _, _, _, _ in .use(Self.credential) }
        #expect(try await manager.load(server.request()).text == Self.field)
    }

    @Test("S-41: A handler may answer later")
    func aHandlerMayAnswerLater() async throws {
        let (server, manager) = (try server(), URLSessionManager.test())
        let asked = EventRecorder<URLSessionManager.ChallengeCompletion>()
        manager.setAuthenticationChallengeHandler { _, _, _, completion in
            asked.record(completion)
            return .deferred
        }
        let completions = EventRecorder<Completion>()
        manager.dataTask(
            with: try server.request(),
            completionHandler: completions.handler
        ).resume()
        let answer = try await asked.first { _ in true }
        #expect(completions.events.isEmpty)
        answer(.useCredential, Self.credential)
        #expect(try await completions.only().text == Self.field)
    }

    @Test("S-41, T-04, Q-08: A handler's error replaces the transport's error in the completion")
    func handlersErrorReplacesTheTransports() async throws {
        let (server, manager) = (try server(), URLSessionManager.test())
        manager.setAuthenticationChallengeHandler { _, _, _, _ in
            .fail(NSError(domain: "mine", code: 77))
        }
        let raw = EventRecorder<Int?>()
        manager.setTaskDidComplete { _, _, error in raw.record((error as? URLError)?.errorCode) }
        let completion = try await manager.load(server.request())
        #expect((completion.error as NSError?)?.domain == "mine")
        #expect(completion.code == 77)
        #expect(raw.events == [-999])
    }

    @Test("S-41, S-42: Without a credential, the task completes with the 401 response")
    func taskCompletesWith401WithoutACredential() async throws {
        let (server, manager) = (try server(), URLSessionManager.test())
        #expect(try await manager.load(server.request()).status == 401)
        for answer in [
            AuthenticationChallengeAnswer.performDefaultHandling, .rejectProtectionSpace,
        ] {
            manager.setAuthenticationChallengeHandler { _, _, _, _ in answer }
            #expect(try await manager.load(server.request()).status == 401)
        }
    }

    @Test("S-41: Cancelling a challenge cancels its task")
    func aCancelledChallengeCancels() async throws {
        let (server, manager) = (try server(), URLSessionManager.test())
        manager.setAuthenticationChallengeHandler { _, _, _, _ in .cancel }
        #expect(try await manager.load(server.request()).code == -999)
    }

    @Test("S-41: AFNetworking 3's challenge handler works as before")
    func formerHandlersAnswer() async throws {
        let (server, manager) = (try server(), URLSessionManager.test())
        manager.setTaskDidReceiveAuthenticationChallenge { _, _, _ in
            (.useCredential, Self.credential)
        }
        #expect(try await manager.load(server.request()).text == Self.field)
        for disposition in [
            URLSession.AuthChallengeDisposition.useCredential, .performDefaultHandling,
            .rejectProtectionSpace,
        ] {
            manager.setTaskDidReceiveAuthenticationChallenge { _, _, _ in (disposition, nil) }
            #expect(try await manager.load(server.request()).status == 401)
        }
        manager.setTaskDidReceiveAuthenticationChallenge { _, _, _ in
            (.cancelAuthenticationChallenge, nil)
        }
        #expect(try await manager.load(server.request()).code == -999)
        manager.setTaskDidReceiveAuthenticationChallenge(nil)
        #expect(try await manager.load(server.request()).status == 401)
    }

    @Test("S-31: AFNetworking 3's property for recreating uploads is stored")
    func uploadRecreationPropertyIsStored() {
        let manager = URLSessionManager.test()
        #expect(!manager.attemptsToRecreateUploadTasksForBackgroundSessions)
        manager.attemptsToRecreateUploadTasksForBackgroundSessions = true
        #expect(manager.attemptsToRecreateUploadTasksForBackgroundSessions)
    }

    @Test("S-16, S-38: The session's challenge handler isn't called for challenges of requests")
    func sessionHandlerIgnoresRequestChallenges() async throws {
        let (server, manager) = (try server(), URLSessionManager.test())
        let asked = EventRecorder<Void>()
        manager.setSessionDidReceiveAuthenticationChallenge { _, _ in
            asked.record(())
            return (.useCredential, Self.credential)
        }
        #expect(try await manager.load(server.request()).status == 401)
        #expect(asked.events.isEmpty)
    }
}
