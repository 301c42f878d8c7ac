internal import CurlURLSession
internal import Foundation
internal import TestSupport
internal import Testing

/// Tests delegate answers that come twice or late.
@Suite(.timeLimit(.minutes(10))) struct LateAnswerTests {
    private static func credential(_ password: String) -> URLCredential {
        URLCredential(user: "user", password: password, persistence: .none)
    }

    // MARK: Second answers

    @Test func secondRedirectAnswerDoesNotAnswerTheResponse() async throws {
        let answered = Gate()
        let server = try LoopbackServer { request in
            guard request.path == "/end" else { return .redirect(to: "/end") }
            let head = "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n"
            return .steps([.send(head), .waitFor(answered), .send("end")])
        }
        let former = Watched<(@Sendable () -> Void)?>(nil)
        let delegate = SessionDelegate { answers in
            answers.redirect = { _, request, completion in
                former.update { $0 = { completion(request) } }
                completion(request)
            }
            answers.response = { _, completion in
                former.read { $0 }?()
                completion(.allow)
                answered.open()
            }
        }
        let session = URLSession.test(delegate: delegate)
        session.dataTask(with: try server.at("/start")).resume()
        try await delegate.completion()
        #expect(delegate.text == "end")
        #expect(
            delegate.milestones == [
                .redirect(302, to: "/end"), .response(200), .proposal(bytes: 3),
                .metrics(transactions: 2), .completed(nil),
            ]
        )
        #expect(server.requestCount == 2)
        session.invalidateAndCancel()
    }

    @Test func secondChallengeAnswerDoesNotAnswerTheNext() async throws {
        let right = "Basic " + Data("user:pass".utf8).base64EncodedString()
        let server = try LoopbackServer { request in
            request.header("Authorization") == right
                ? .text("in") : Reply(401, headers: [("WWW-Authenticate", "Basic realm=x")])
        }
        let former = Watched<(@Sendable () -> Void)?>(nil)
        let delegate = SessionDelegate { answers in
            answers.challenge = { challenge, completion in
                let again: (@Sendable () -> Void)? = former.update { former in
                    defer { former = { completion(.cancelAuthenticationChallenge, nil) } }
                    return former
                }
                again?()
                let isLast = challenge.previousFailureCount == 1
                completion(.useCredential, Self.credential(isLast ? "pass" : "wrong"))
            }
        }
        let (data, _) = try await URLSession.test().data(from: server.at("/"), delegate: delegate)
        #expect(String(decoding: data, as: UTF8.self) == "in")
        #expect(delegate.challenges.map(\.previousFailureCount) == [0, 1])
    }

    // MARK: Incomplete responses

    /// Answers `/start` with an incomplete body, and closes the connection when the gate opens.
    private static func breakingServer(_ status: Int, at gate: Gate) throws -> LoopbackServer {
        try LoopbackServer { request in
            guard request.path == "/start", request.header("Authorization") == nil else {
                return .text("end")
            }
            let field = status == 401 ? "WWW-Authenticate: Basic realm=x" : "Location: /end"
            let head = "HTTP/1.1 \(status) Text\r\n\(field)\r\nContent-Length: 100\r\n\r\n"
            return .steps([.send(head + "0123456789"), .waitFor(gate)])
        }
    }

    /// Runs a task whose response ends early while the delegate's answer is pending.
    private static func late(_ status: Int, follows: Bool) async throws -> SessionDelegate {
        let gate = Gate()
        let server = try breakingServer(status, at: gate)
        let session = URLSession.test { $0.httpMaximumConnectionsPerHost = 1 }
        let answer = Watched<(@Sendable () -> Void)?>(nil)
        let delegate = SessionDelegate { answers in
            answers.redirect = { _, request, completion in
                answer.update { $0 = { completion(follows ? request : nil) } }
            }
            answers.challenge = { _, completion in
                let given = follows ? credential("pass") : nil
                answer.update { $0 = { completion(.useCredential, given) } }
            }
        }
        let task = session.dataTask(with: try server.at("/start"))
        task.delegate = delegate
        task.resume()
        let answered = try await answer.wait { $0 }
        gate.open()
        // With one connection at a time, this request is sent when the first load is over.
        _ = try await session.data(from: server.at("/other"))
        answered()
        try await delegate.completion()
        session.invalidateAndCancel()
        server.stop()
        return delegate
    }

    @Test(arguments: [302, 401])
    func followedResponseCanBreakOff(_ status: Int) async throws {
        let delegate = try await Self.late(status, follows: true)
        #expect(delegate.text == "end")
        #expect(delegate.errors.isEmpty)
        #expect(delegate.metrics.flatMap(\.transactionMetrics).count == 2)
    }

    @Test(arguments: [302, 401])
    func unfollowedResponseThatBreaksOffFails(_ status: Int) async throws {
        let delegate = try await Self.late(status, follows: false)
        #expect(try await delegate.failure().code == .networkConnectionLost)
        #expect(delegate.text == "0123456789")
        #expect(delegate.milestones.contains(.response(status)))
    }

    // MARK: Redirects by a delegate

    @Test("D1: Credentials aren't sent to another origin that a delegate redirects to")
    func credentialsAreNotSentToTheDelegatesRedirect() async throws {
        let other = try LoopbackServer { _ in .text("other") }
        let server = try LoopbackServer { request in
            request.header("Authorization") == nil
                ? Reply(401, headers: [("WWW-Authenticate", "Basic realm=x")])
                : .redirect(to: "/end")
        }
        let elsewhere = URLRequest(url: try other.at("/"))
        let delegate = SessionDelegate { answers in
            answers.challenge = { $1(.useCredential, Self.credential("pass")) }
            answers.redirect = { $2(elsewhere) }
        }
        let session = URLSession.test {
            $0.httpAdditionalHeaders = ["Proxy-Authorization": "secret"]
        }
        let (data, _) = try await session.data(from: server.at("/"), delegate: delegate)
        #expect(String(decoding: data, as: UTF8.self) == "other")
        #expect(server.requests.map { $0.header("Authorization") != nil } == [false, true])
        #expect(other.requests[0].header("Authorization") == nil)
        #expect(other.requests[0].header("Proxy-Authorization") == nil)
    }
}
