internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CurlNetworking

/// What is retried, and when.
@Suite(.timeLimit(.minutes(10))) struct RetryPolicyTests {
    /// A policy that retries without delay.
    private static var hasty: RetryPolicy {
        var policy = RetryPolicy()
        policy.exponentialBackoffScale = 0
        return policy
    }

    @Test("A-12: Delays grow exponentially up to a limit, with random jitter")
    func delaysGrow() {
        var policy = RetryPolicy()
        #expect(policy.retryLimit == 2)
        policy.usesJitter = false
        let delays = (1...9).map { policy.delay(before: $0, retryAfter: nil, share: 0.5) }
        #expect(delays == [0.5, 1, 2, 4, 8, 16, 30, 30, 30])
        policy.usesJitter = true
        let drawn = [0, 0.25, 1].map { policy.delay(before: 3, retryAfter: nil, share: $0) }
        #expect(drawn == [0, 0.5, 2])
        policy.maximumDelay = -1
        #expect(policy.delay(before: 4000, retryAfter: nil, share: 1) == 0)
    }

    @Test("A-12: A server's `Retry-After` replaces the delay, up to a limit")
    func retryAfterReplacesTheDelay() {
        let policy = RetryPolicy()
        let delays = [0, 7, 1e6].map { policy.delay(before: 1, retryAfter: $0, share: 0.5) }
        #expect(delays == [0, 7, 120])
    }

    @Test(
        "A-12: Transient status codes are retried",
        arguments: [408, 425, 429, 500, 502, 503, 504]
    )
    func transientStatusCodesAreRetried(_ status: Int) async throws {
        let server = try LoopbackServer.replying(
            .status(status).closing(),
            .status(status).header("Retry-After", "0").closing(),
            .text("hello")
        )
        let manager = URLSessionManager.strict(Self.hasty)
        #expect(try await manager.load(server.request()).text == "hello")
    }

    @Test(
        "A-12: Permanent status codes aren't retried",
        arguments: [400, 401, 403, 404, 410, 501, 505]
    )
    func permanentStatusCodesAreNotRetried(_ status: Int) async throws {
        let server = try LoopbackServer.replying(.status(status))
        let manager = URLSessionManager.strict(Self.hasty)
        let completion = try await manager.load(server.request())
        #expect(completion.error as? Refusal == Refusal(status: status))
        #expect(server.requestCount == 1)
    }

    @Test("A-12: An HTTPResponseSerializer's error is classified by its status code")
    func serializerErrorIsClassifiedByStatus() async throws {
        let server = try LoopbackServer { .status($0.path == "/gone" ? 404 : 503) }
        let manager = URLSessionManager.test()
        manager.responseSerializer = HTTPResponseSerializer()
        manager.interceptor = Self.hasty
        let gone = try await manager.load(server.request("/gone"))
        #expect((gone.error as NSError?)?.domain == URLResponseSerializationErrorDomain)
        #expect(server.requestCount == 1)
        let busy = try await manager.load(server.request("/busy"))
        #expect((busy.error as NSError?)?.domain == URLResponseSerializationErrorDomain)
        #expect(server.requestCount == 4)
    }

    @Test("A-12: The retry limit doesn't count the first attempt")
    func retryLimitExcludesTheFirstAttempt() async throws {
        let server = try LoopbackServer.replying(.status(503))
        for limit in [0, 1, 4] {
            var policy = Self.hasty
            policy.retryLimit = limit
            let manager = URLSessionManager.strict(policy)
            let before = server.requestCount
            _ = try await manager.load(server.request())
            #expect(server.requestCount - before == limit + 1)
        }
    }

    @Test("A-12: By default only idempotent requests are retried")
    func onlyIdempotentRequestsAreRetried() async throws {
        let server = try LoopbackServer { request in
            request.path == "/seeother" ? .redirect(303, to: "/") : .status(503)
        }
        let manager = URLSessionManager.strict(Self.hasty)
        let count = { (request: URLRequest) async throws -> Int in
            let before = server.requestCount
            _ = try await manager.load(request)
            return server.requestCount - before
        }
        #expect(try await count(server.request(method: "GET")) == 3)
        #expect(try await count(server.request(method: "put", body: Data("x".utf8))) == 3)
        #expect(try await count(server.request(method: "DELETE")) == 3)
        #expect(try await count(server.request(method: "POST", body: Data("x".utf8))) == 1)
        #expect(try await count(server.request(method: "PATCH", body: Data("x".utf8))) == 1)
        // The original method decides, not the method after the redirect.
        #expect(try await count(server.request("/seeother", method: "POST")) == 2)
        var known = try server.request(method: "POST", body: Data("x".utf8))
        known.setValue("7", forHTTPHeaderField: "Idempotency-Key")
        #expect(try await count(known) == 3)
        // A key that an adapter adds may differ at each attempt.
        manager.interceptor = Interceptor(
            adapters: [
                Adapter { request, attempt in
                    var request = request
                    let key = "\(attempt.retryCount)"
                    request.setValue(key, forHTTPHeaderField: "Idempotency-Key")
                    return request
                }
            ],
            retriers: [Self.hasty]
        )
        #expect(try await count(server.request(method: "POST", body: Data("x".utf8))) == 1)
        #expect(try await count(known) == 3)
        var policy = Self.hasty
        policy.retryableHTTPMethods.insert(.post)
        manager.interceptor = policy
        #expect(try await count(server.request(method: "POST", body: Data("x".utf8))) == 3)
    }

    @Test(
        "A GET that is lost on a reused connection is retried, and a POST isn't",
        arguments: [false, true],
        [HTTPMethod.get, .post]
    )
    func lostRequestIsRetriedOnlyIfIdempotent(hasPolicy: Bool, method: HTTPMethod) async throws {
        let server = try LoopbackServer.losingSecondRequest()
        let manager = HTTPSessionManager.forTest(server.at("/"))
        if hasPolicy { manager.interceptor = Self.hasty }
        try await manager.get("first")
        let error = await failure {
            try await manager.object(
                withHTTPMethod: method,
                urlString: "lost",
                parameters: ["k": "v"] as [String: Any]
            )
        }
        let connections = server.requests.filter { $0.path == "/lost" }.map(\.connection)
        if method == .get {
            #expect(error == nil)
            #expect(connections == [0, 1])
        } else {
            #expect(error?.code == URLError.Code.networkConnectionLost.rawValue)
            #expect(connections == [0])
        }
    }

    @Test("A-12: Transient transport errors are retried, and so are further status codes by choice")
    func transientTransportErrorsAreRetried() async throws {
        let server = try LoopbackServer.replying(.broken, .status(418), .text("hello"))
        var policy = Self.hasty
        policy.retryableHTTPStatusCodes.insert(418)
        let manager = URLSessionManager.strict(policy)
        #expect(try await manager.load(server.request()).text == "hello")
        #expect(server.requestCount == 3)
        policy.retryableURLErrorCodes = []
        manager.interceptor = policy
        #expect(try await manager.load(server.request("/other")).error is URLError)
        #expect(server.requestCount == 4)
    }

    @Test("A-12: A serializer's error with an underlying transport error counts as transient")
    func underlyingTransportErrorIsTransient() {
        let policy = RetryPolicy()
        let wrapped = NSError(
            domain: "own",
            code: 1,
            userInfo: [NSUnderlyingErrorKey: URLError(.timedOut)]
        )
        #expect(policy.isPassing(wrapped, nil))
        #expect(policy.isPassing(URLError(.networkConnectionLost), 200))
        #expect(!policy.isPassing(URLError(.badURL), nil))
        #expect(!policy.isPassing(Refusal(status: 1), 200))
        #expect(policy.isPassing(Refusal(status: 1), 503))
    }

    @Test("A-13: A policy for lost connections retries nothing else")
    func lostConnectionPolicyRetriesNothingElse() async throws {
        let server = try LoopbackServer.replying(.broken, .text("hello"))
        var policy = ConnectionLostRetryPolicy()
        policy.policy.exponentialBackoffScale = 0
        let manager = URLSessionManager.strict(policy)
        #expect(try await manager.load(server.request()).text == "hello")
        #expect(server.requestCount == 2)
        let post = try await manager.load(server.request("/post", method: "POST"))
        #expect((post.error as? URLError)?.code == .networkConnectionLost)
        let busy = try LoopbackServer.replying(.status(503))
        _ = try await manager.load(busy.request())
        #expect(busy.requestCount == 1)
        let unused = try LoopbackServer.unusedPort()
        let url = try #require(URL(string: "http://127.0.0.1:\(unused)/"))
        let refused = try await manager.load(URLRequest(url: url))
        #expect((refused.error as? URLError)?.code == .cannotConnectToHost)
    }
}
