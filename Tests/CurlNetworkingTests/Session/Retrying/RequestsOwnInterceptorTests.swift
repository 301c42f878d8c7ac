internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CurlNetworking

/// Interceptors of single requests, and the changes that they may make.
@Suite(.timeLimit(.minutes(10))) struct RequestsOwnInterceptorTests {
    private struct Note: Codable, Sendable, Equatable {
        var text: String
    }

    @Test("A-11: Async requests can have their own interceptors")
    func asyncRequestsHaveTheirOwnInterceptors() async throws {
        let note = Reply(
            headers: [("Content-Type", "application/json")],
            body: .bytes(Array(#"{"text": "hello"}"#.utf8))
        )
        let server = try LoopbackServer.replying(.status(503), note)
        let manager = HTTPSessionManager.forTest(server.url)
        let object = try await manager.object(
            withHTTPMethod: .get,
            urlString: "/object",
            interceptor: Retrier.times(1)
        )
        #expect(object as? Data == Data(#"{"text": "hello"}"#.utf8))
        let encoding = try await manager.object(
            withHTTPMethod: .put,
            urlString: "/encoding",
            encoding: Note(text: "hi"),
            interceptor: Retrier.times(1)
        )
        #expect(encoding is Data)
        let value = try await manager.value(
            withHTTPMethod: .get,
            urlString: "/value",
            interceptor: Retrier.times(1),
            serializer: DecodableResponseSerializer(of: Note.self)
        )
        #expect(value == Note(text: "hello"))
        let request = try server.request("/request")
        let loaded = try await manager.object(for: request, interceptor: Retrier.times(1))
        #expect((loaded.response as? HTTPURLResponse)?.statusCode == 200)
        let body = try server.request("/body", method: "PUT")
        let sent = try await manager.upload(
            for: body,
            from: Data("hi".utf8),
            interceptor: Retrier.times(1)
        )
        #expect((sent.response as? HTTPURLResponse)?.statusCode == 200)
        // Requests without an interceptor aren't retried.
        await #expect(throws: Refusal(status: 503)) { try await manager.get("/other") }
        #expect(server.requestCount == 11)
    }

    @Test("A-11: An adapter may change method, URL, headers and body")
    func adapterMayChangeMethodURLHeadersAndBody() async throws {
        let server = try LoopbackServer.replying(.text("hello"))
        let target = try #require(URL(string: server.at("/adapted")))
        let manager = URLSessionManager.strict(
            Adapter { request, _ in
                var request = request
                request.url = target
                request.httpMethod = "PUT"
                request.httpBody = Data("adapted".utf8)
                request.setValue("1", forHTTPHeaderField: "X-Adapted")
                return request
            }
        )
        let completions = EventRecorder<Completion>()
        let task = try manager.dataTask(
            with: server.request("/own", method: "POST", body: Data("own".utf8)),
            completionHandler: completions.handler
        )
        task.resume()
        #expect(try await completions.only().text == "hello")
        let sent = try #require(server.requests.first)
        #expect(sent.path == "/adapted")
        #expect(sent.method == "PUT")
        #expect(sent.body == Array("adapted".utf8))
        #expect(sent.header("X-Adapted") == "1")
        #expect(task.originalRequest?.url?.path == "/own")
        #expect(task.currentRequest?.url?.path == "/adapted")
    }

    @Test("A-11: An adapted upload sends its original body")
    func adaptedUploadSendsItsOriginalBody() async throws {
        let server = try LoopbackServer.replying(.text("hello"))
        let manager = URLSessionManager.strict(
            Adapter { request, _ in
                var request = request
                request.setValue("1", forHTTPHeaderField: "X-Adapted")
                return request
            }
        )
        var request = try server.request("/stream", method: "PUT")
        request.httpBodyStream = InputStream(data: Data("stream".utf8))
        _ = try await manager.upload(withStreamedRequest: request)
        request = try server.request("/data", method: "PUT")
        _ = try await manager.upload(for: request, from: Data("data".utf8))
        request = try server.request("/own", method: "PUT")
        request.httpBodyStream = InputStream(data: Data("own".utf8))
        #expect(try await manager.load(request).text == "hello")
        let bodies = server.requests.map { String(decoding: $0.body, as: UTF8.self) }
        #expect(bodies == ["stream", "data", "own"])
        #expect(server.requests.allSatisfy { $0.header("X-Adapted") == "1" })
    }

    @Test("A-11: An expired token is renewed, and the request is sent with the new one")
    func expiredTokensAreRenewed() async throws {
        let server = try LoopbackServer { request in
            if request.path == "/token" { return .text("new") }
            let isValid = request.header("Authorization") == "Bearer new"
            return isValid ? .text("hello") : .status(401)
        }
        let token = Watched("old")
        let renewal = try server.request("/token")
        let renewer = URLSessionManager.test()
        let manager = URLSessionManager.strict(
            Interceptor(
                adapters: [
                    Adapter { request, _ in
                        var request = request
                        let value = "Bearer " + token.read { $0 }
                        request.setValue(value, forHTTPHeaderField: "Authorization")
                        return request
                    }
                ],
                retriers: [
                    Retrier { attempt, _ in
                        guard attempt.statusCode == 401, attempt.retryCount == 0,
                            let (object, _) = try? await renewer.object(for: renewal),
                            let data = object as? Data
                        else { return .doNotRetry }
                        token.update { $0 = String(decoding: data, as: UTF8.self) }
                        return .retry
                    }
                ]
            )
        )
        #expect(try await manager.load(server.request("/secret")).text == "hello")
        #expect(server.requests.map(\.path) == ["/secret", "/token", "/secret"])
    }

    @Test("A-11: A challenge is answered in each attempt")
    func challengeIsAnsweredInEachAttempt() async throws {
        let counts = Watched(0)
        let server = try LoopbackServer { request in
            guard request.header("Authorization") != nil else {
                return .status(401).header("WWW-Authenticate", "Basic realm=\"r\"")
            }
            return counts.update {
                $0 += 1; return $0
            } == 1 ? .status(503) : .text("hello")
        }
        let manager = URLSessionManager.strict(Retrier.times(1))
        let challenges = Watched<[Int]>([])
        manager.setAuthenticationChallengeHandler { _, _, challenge, _ in
            challenges.update { $0.append(challenge.previousFailureCount) }
            return .use(URLCredential(user: "u", password: "p", persistence: .none))
        }
        #expect(try await manager.load(server.request()).text == "hello")
        #expect(challenges.read { $0 } == [0, 0])
    }
}
