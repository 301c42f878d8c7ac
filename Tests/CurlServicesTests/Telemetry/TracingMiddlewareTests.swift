internal import CurlResilience
internal import CurlServices
internal import CurlTransport
internal import HTTPTypes
internal import InMemoryTracing
internal import TestSupport
internal import Testing
internal import Tracing

/// The spans of requests, and where their context is sent.
@Suite(.timeLimit(.minutes(10))) struct TracingMiddlewareTests {
    private let tracer = InMemoryTracer()

    private func attribute(_ span: FinishedInMemorySpan, _ name: String) -> SpanAttribute? {
        span.attributes.get(name)
    }

    @Test("A span lasts until the body's end and has the conventions' attributes")
    func spanCoversTheBody() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let client = try HTTPClient(middleware: [TracingMiddleware(tracer: tracer)])
        let context = RequestContext(name: "GET /a")
        let response = try await client.send(
            HTTPRequest(url: server.url + "/a?token=secret"),
            context: context
        )
        _ = try await response.body.collect(upTo: 9)
        let span = try #require(tracer.finishedSpans.first)
        #expect(tracer.finishedSpans.count == 1 && tracer.activeSpans.isEmpty)
        #expect(span.operationName == "GET /a" && span.kind == .client)
        #expect(attribute(span, "http.request.method") == .string("GET"))
        #expect(attribute(span, "url.full") == .string(server.url + "/a"))
        #expect(attribute(span, "server.address") == .string("127.0.0.1"))
        #expect(attribute(span, "http.response.status_code") == .int64(200))
        #expect(attribute(span, "network.protocol.version") == .string("1.1"))
        #expect(attribute(span, "http.request.resend_count") == nil)
        #expect(span.status == nil && span.errors.isEmpty)
        let sent = server.requests.first?.header(InMemoryTracer.spanIDKey)
        #expect(sent == span.spanID)
        await client.shutdown()
    }

    @Test("The span of an unknown method is named HTTP, and has the method as an attribute")
    func unknownMethodIsNamedHTTP() async throws {
        let stub = StubClient { _ in .text("x") }
        let client = MiddlewareChain([TracingMiddleware(tracer: tracer)], around: stub)
        let method = try #require(HTTPRequest.Method("BREW"))
        let request = try HTTPRequest(method: method, url: "https://shop.example/")
        _ = try await client.send(request).body.collect(upTo: 9)
        let span = try #require(tracer.finishedSpans.first)
        #expect(span.operationName == "HTTP")
        #expect(attribute(span, "http.request.method") == .string("_OTHER"))
        #expect(attribute(span, "http.request.method_original") == .string("BREW"))
    }

    @Test("A failure in the body is an error of the span")
    func failureInBodyIsRecorded() async throws {
        let stub = StubClient { _ in
            .chunks([[1], [2]]).failing(.connectionLost, afterChunks: 1)
        }
        let client = MiddlewareChain([TracingMiddleware(tracer: tracer)], around: stub)
        let response = try await client.send(HTTPRequest(url: "https://shop.example/"))
        #expect(tracer.finishedSpans.isEmpty)
        await #expect(throws: TransportError.self) { try await response.body.collect(upTo: 9) }
        let span = try #require(tracer.finishedSpans.first)
        #expect(span.status?.code == .error)
        #expect(attribute(span, "error.type") == .string("connectionLost"))
        #expect((span.errors.first?.error as? TransportError)?.code == .connectionLost)
    }

    @Test("The status of a released error response is its span's error, without a message")
    func releasedErrorResponseHasItsStatus() async throws {
        let server = try LoopbackServer.scripted([
            .readHead, .send("HTTP/1.1 404 Not Found\r\nContent-Length: 9\r\n\r\nabc"), .stall,
        ])
        let client = try HTTPClient(middleware: [TracingMiddleware(tracer: tracer)])
        _ = try await client.send(HTTPRequest(url: server.url))
        // Returns when all transfers have ended.
        await client.shutdown()
        let span = try #require(tracer.finishedSpans.first)
        #expect(span.status?.code == .error && span.status?.message == nil)
        #expect(attribute(span, "error.type") == .string("404"))
    }

    @Test("Retries are events of one span, and a status from 400 on is its error")
    func retriesAreEvents() async throws {
        var policy = RetryMiddleware.Policy()
        policy.baseDelay = .zero
        policy.limit = 2
        let stub = StubClient()
            .on(nil, "**", reply: .failure(.connectionLost), .status(.badGateway))
        let client = MiddlewareChain(
            [TracingMiddleware(tracer: tracer), RetryMiddleware(policy)],
            around: stub
        )
        let response = try await client.send(HTTPRequest(url: "https://shop.example/"))
        _ = try await response.body.collect(upTo: 9)
        let span = try #require(tracer.finishedSpans.first)
        #expect(span.events.map(\.name) == ["http.retry", "http.retry"])
        let types = span.events.compactMap { $0.attributes.get("error.type") }
        #expect(types == [.string("connectionLost"), .string("502")])
        #expect(attribute(span, "http.request.resend_count") == .int64(2))
        #expect(attribute(span, "error.type") == .string("502"))
        #expect(span.status?.code == .error)
    }

    @Test("After a redirect the context is written anew, and not for an excluded server")
    func excludedServerGetsNoContext() async throws {
        let excluded = try LoopbackServer { _ in .text("b") }
        let target = excluded.url + "/b"
        let server = try LoopbackServer { request in
            request.path == "/" ? .redirect(to: "/a") : .redirect(307, to: target)
        }
        var policy = TracingMiddleware.Policy()
        policy.excludedOrigins = [excluded.url]
        let client = try HTTPClient(middleware: [try TracingMiddleware(tracer: tracer, policy)])
        let response = try await client.send(HTTPRequest(url: server.url))
        _ = try await response.body.collect(upTo: 9)
        let key = InMemoryTracer.spanIDKey
        let span = try #require(tracer.finishedSpans.first)
        #expect(server.requests.map { $0.header(key) } == [span.spanID, span.spanID])
        #expect(excluded.requests.map { $0.header(key) } == [nil])
        #expect(span.events.map(\.name) == ["http.redirect", "http.redirect"])
        #expect(attribute(span, "http.request.resend_count") == .int64(2))
        await client.shutdown()
    }

    @Test(
        "An excluded server gets no context, however its URL is written",
        arguments: [
            "https://payments.example/a", "https://PAYMENTS.example:443/",
            "https://payments.example./",
        ]
    )
    func excludedServerHasManyNames(_ url: String) async throws {
        let sent = Watched<HTTPRequest?>(nil)
        let stub = StubClient { request in
            sent.update { $0 = request.request }
            return .text("x")
        }
        var policy = TracingMiddleware.Policy()
        policy.excludedOrigins = ["https://payments.example"]
        let tracing: any HTTPMiddleware = try TracingMiddleware(tracer: tracer, policy)
        let client = MiddlewareChain([tracing], around: stub)
        _ = try await client.send(HTTPRequest(url: url)).body.collect(upTo: 9)
        let fields = try #require(sent.read { $0?.headerFields })
        #expect(fields.isEmpty)
    }

    @Test("An excluded origin that isn't one is an error")
    func invalidOriginIsRefused() {
        var policy = TracingMiddleware.Policy()
        policy.excludedOrigins = ["payments.example"]
        #expect(throws: TransportError.self) { try TracingMiddleware(tracer: tracer, policy) }
    }

    @Test("The span is a child of the task's span, and the parent of what the request starts")
    func spansAreNested() async throws {
        let inner = Watched<ServiceContext?>(nil)
        let stub = StubClient { _ in
            inner.update { $0 = ServiceContext.current }
            return .text("x")
        }
        let client = MiddlewareChain([TracingMiddleware(tracer: tracer)], around: stub)
        let parent = tracer.startAnySpan("parent", context: .topLevel)
        let response = try await ServiceContext.withValue(parent.context) {
            try await client.send(HTTPRequest(url: "https://shop.example/"))
        }
        _ = try await response.body.collect(upTo: 9)
        parent.end()
        let spans = tracer.finishedSpans
        #expect(spans.map(\.operationName) == ["GET", "parent"])
        #expect(spans.first?.parentSpanID == spans.last?.spanID)
        #expect(inner.read { $0?.inMemorySpanContext?.spanID } == spans.first?.spanID)
    }
}
