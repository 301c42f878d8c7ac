internal import CurlURLSession
internal import Foundation
internal import TestSupport
internal import Testing

@Suite(.timeLimit(.minutes(10))) struct AuthenticationTests {
    private static let right = "Basic dXNlcjpwYXNz"  // user:pass

    @Test("A7: A 401 is the response if no credential is available", arguments: [true, false])
    func a401WithoutACredentialIsTheResponse(_ hasDelegate: Bool) async throws {
        let server = try Asker.server.basic()
        let delegate = hasDelegate ? SessionDelegate() : nil
        let (data, response) = try await URLSession.test()
            .data(from: server.at("/"), delegate: delegate)
        #expect((response as? HTTPURLResponse)?.statusCode == 401)
        #expect(String(decoding: data, as: UTF8.self) == "who?")
        #expect(server.requestCount == 1)
    }

    @Test func credentialAnswersAChallenge() async throws {
        let server = try Asker.server.basic()
        let delegate = SessionDelegate(password: "pass")
        let session = URLSession.test(delegate: delegate)
        var request = URLRequest(url: try server.at("/"))
        request.httpMethod = "POST"
        session.uploadTask(with: request, from: Data("body".utf8)).resume()
        try await delegate.completion()
        #expect(delegate.text == "in body")
        #expect(
            delegate.milestones == [
                .challenge(NSURLAuthenticationMethodHTTPBasic, failures: 0), .response(200),
                .metrics(transactions: 2), .completed(nil),
            ]
        )
        let challenge = try #require(delegate.challenges.first)
        #expect(challenge.protectionSpace.realm == "Gate")
        #expect(challenge.protectionSpace.host == "127.0.0.1")
        #expect(challenge.protectionSpace.port == server.port)
        #expect((challenge.failureResponse as? HTTPURLResponse)?.statusCode == 401)
        #expect(challenge.proposedCredential == nil)
        session.invalidateAndCancel()
    }

    @Test(arguments: [Asker.server, .proxy])
    func refusedCredentialCausesAnotherChallenge(_ asker: Asker) async throws {
        let server = try asker.basic()
        let delegate = SessionDelegate(passwords: ["wrong", "wrong", "pass"])
        let session = asker.session(server.port)
        let (data, _) = try await session.data(
            from: asker.url(server.port),
            delegate: delegate
        )
        #expect(String(decoding: data, as: UTF8.self) == "in ")
        #expect(delegate.challenges.map(\.previousFailureCount) == [0, 1, 2])
        #expect(delegate.challenges[1].proposedCredential == .test("wrong"))
    }

    @Test(arguments: [Asker.server, .proxy])
    func eachDispositionHasItsEffect(_ asker: Asker) async throws {
        let server = try asker.basic()
        let session = asker.session(server.port)
        let url = try asker.url(server.port)
        let cancelling = SessionDelegate {
            $0.challenge = { $1(.cancelAuthenticationChallenge, nil) }
        }
        let error = try await urlError {
            _ = try await session.data(from: url, delegate: cancelling)
        }
        #expect(error.code == .cancelled)
        for disposition in [
            URLSession.AuthChallengeDisposition.useCredential, .performDefaultHandling,
            .rejectProtectionSpace,
        ] {
            let delegate = SessionDelegate { $0.challenge = { $1(disposition, nil) } }
            let (data, response) = try await session.data(from: url, delegate: delegate)
            let status = (response as? HTTPURLResponse)?.statusCode
            #expect(status == (asker.isProxy ? 407 : 401))
            #expect(String(decoding: data, as: UTF8.self) == "who?")
            #expect(delegate.challenges.count == 1)
        }
        #expect(server.requestCount == 4)
    }

    @Test func rejectedSchemeIsFollowedByTheNext() async throws {
        let server = try LoopbackServer { request in
            request.header("Authorization") == Self.right
                ? .text("in")
                : Reply(
                    401,
                    headers: [("WWW-Authenticate", "Basic realm=b, Digest realm=d, nonce=1")]
                )
        }
        let delegate = SessionDelegate { answers in
            answers.challenge = { challenge, completion in
                challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodHTTPBasic
                    ? completion(.useCredential, .test("pass"))
                    : completion(.rejectProtectionSpace, nil)
            }
        }
        let (data, _) = try await URLSession.test().data(from: server.at("/"), delegate: delegate)
        #expect(data.count == 2)
        #expect(
            delegate.challenges.map(\.protectionSpace.authenticationMethod) == [
                NSURLAuthenticationMethodHTTPDigest, NSURLAuthenticationMethodHTTPBasic,
            ]
        )
    }

    @Test func urlCredentialsAnswerAChallenge() async throws {
        let server = try Asker.server.basic()
        let url = try #require(URL(string: "http://user:pass@127.0.0.1:\(server.port)/"))
        let (data, _) = try await URLSession.test().data(from: url)
        #expect(data.count == 3)
        #expect(server.requests[0].header("Authorization") == nil)
    }

    @Test("A7: A credential in the URL isn't sent again once refused", arguments: [true, false])
    func aRefusedCredentialOfTheURLIsNotSentAgain(_ hasDelegate: Bool) async throws {
        let server = try Asker.server.basic()
        let url = try #require(URL(string: "http://user:wrong@127.0.0.1:\(server.port)/"))
        let delegate = hasDelegate ? SessionDelegate() : nil
        let (_, response) = try await URLSession.test().data(from: url, delegate: delegate)
        #expect((response as? HTTPURLResponse)?.statusCode == 401)
        #expect(server.requestCount == 2)
    }

    @Test func storedCredentialAnswersAChallenge() async throws {
        let server = try Asker.server.basic()
        let storage = URLCredentialStorage()
        let space = URLProtectionSpace(
            host: "127.0.0.1",
            port: server.port,
            protocol: NSURLProtectionSpaceHTTP,
            realm: "Gate",
            authenticationMethod: NSURLAuthenticationMethodHTTPBasic
        )
        storage.setDefaultCredential(
            URLCredential(user: "user", password: "pass", persistence: .forSession),
            for: space
        )
        let session = URLSession.test { $0.urlCredentialStorage = storage }
        let (data, _) = try await session.data(from: server.at("/"))
        #expect(data.count == 3)
        let other = URLSession.test { $0.urlCredentialStorage = storage }
        let delegate = SessionDelegate()
        _ = try await other.data(from: server.at("/"), delegate: delegate)
        #expect(delegate.challenges[0].proposedCredential?.user == "user")
    }

    @Test("A Basic challenge without a realm finds a credential stored for the host as the realm")
    func aChallengeWithoutARealmUsesTheHostAsTheRealm() async throws {
        let server = try LoopbackServer { request in
            request.header("Authorization") == Self.right
                ? .text("in") : Reply(401, headers: [("WWW-Authenticate", "Basic")])
        }
        let storage = URLCredentialStorage()
        let space = URLProtectionSpace(
            host: "127.0.0.1",
            port: server.port,
            protocol: "http",
            realm: "127.0.0.1",
            authenticationMethod: NSURLAuthenticationMethodHTTPBasic
        )
        storage.setDefaultCredential(
            URLCredential(user: "user", password: "pass", persistence: .forSession),
            for: space
        )
        let session = URLSession.test { $0.urlCredentialStorage = storage }
        let delegate = SessionDelegate()
        let (data, _) = try await session.data(from: server.at("/"), delegate: delegate)
        #expect(String(decoding: data, as: UTF8.self) == "in")
        #expect(delegate.challenges.map(\.protectionSpace.realm) == [nil])
    }

    @Test("C20: A Digest challenge is answered with the delegate's credential")
    func digestIsAnswered() async throws {
        let server = try LoopbackServer { request in
            let field = request.header("Authorization") ?? ""
            return field.hasPrefix("Digest ") && field.contains("username=\"user\"")
                && field.contains("nonce=\"abc\"") && field.contains("response=")
                ? .text("in")
                : Reply(
                    401,
                    headers: [
                        ("WWW-Authenticate", "Digest realm=\"d\", nonce=\"abc\", qop=\"auth\"")
                    ]
                )
        }
        let delegate = SessionDelegate(password: "pass")
        let (data, _) = try await URLSession.test().data(from: server.at("/"), delegate: delegate)
        #expect(data.count == 2)
        #expect(delegate.challenges.count == 1)
    }

    @Test func challengeSenderAnswers() async throws {
        let server = try Asker.server.basic()
        let delegate = SessionDelegate { answers in
            answers.challenge = { challenge, _ in
                challenge.sender?.use(.test("pass"), for: challenge)
            }
        }
        let (data, _) = try await URLSession.test().data(from: server.at("/"), delegate: delegate)
        #expect(data.count == 3)
    }

    /// Implements only the session's challenge method.
    private final class SessionOnly: NSObject, URLSessionDelegate {
        let challenges = EventRecorder<String>()

        func urlSession(
            _ session: URLSession,
            didReceive challenge: URLAuthenticationChallenge,
            completionHandler:
                @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            challenges.record(challenge.protectionSpace.authenticationMethod)
            completionHandler(.performDefaultHandling, nil)
        }
    }

    @Test func sessionMethodGetsOnlyConnectionChallenges() async throws {
        let server = try LoopbackServer { request in
            let scheme = request.path == "/negotiate" ? "Negotiate" : "Basic realm=x"
            return Reply(401, headers: [("WWW-Authenticate", scheme)])
        }
        let delegate = SessionOnly()
        let session = URLSession.test(delegate: delegate)
        for path in ["/negotiate", "/basic"] {
            let (_, response) = try await session.data(from: server.at(path))
            #expect((response as? HTTPURLResponse)?.statusCode == 401)
        }
        #expect(delegate.challenges.events == [NSURLAuthenticationMethodNegotiate])
        session.invalidateAndCancel()
    }
}
