internal import CurlServices
internal import CurlTransport
internal import HTTPTypes
internal import MetricsTestKit
internal import TestSupport
internal import Testing

/// The metrics of requests, under OpenTelemetry's names.
@Suite(.timeLimit(.minutes(10))) struct MetricsMiddlewareTests {
    private let metrics = TestMetrics()

    private func client(_ stub: any HTTPExchanging) -> MiddlewareChain {
        MiddlewareChain([MetricsMiddleware(factory: metrics)], around: stub)
    }

    private var activeCount: Double? {
        metrics.meters(label: "http.client.active_requests").first?.lastValue
    }

    @Test("A request has a duration with the conventions' dimensions once its body has ended")
    func endedRequestIsMeasured() async throws {
        // Its body arrives with the reader, not before.
        let reply = StubReply.text("hello", status: .notFound)
            .delayed(by: .zero, eachChunkBy: .nanoseconds(1))
        let client = client(StubClient { _ in reply })
        let request = try HTTPRequest(method: .post, url: "http://[::1]:8080/users/7?x=1")
        let context = RequestContext(name: "POST /users/{id}")
        let response = try await client.send(request, body: .none, context: context)
        #expect(metrics.timers(label: "http.client.request.duration").isEmpty)
        #expect(activeCount == 1)
        _ = try await response.body.collect(upTo: 9)
        #expect(activeCount == 0)
        let dimensions = [
            ("http.request.method", "POST"), ("server.address", "::1"), ("server.port", "8080"),
            ("url.scheme", "http"), ("url.template", "/users/{id}"),
            ("http.response.status_code", "404"), ("network.protocol.version", "1.1"),
            ("error.type", "404"),
        ]
        let timers = metrics.timers(
            label: "http.client.request.duration",
            dimensions: dimensions
        )
        #expect(timers.count == 1 && timers.first?.values.count == 1)
        #expect(timers.first?.dimensions.count == dimensions.count)
        let sizes = metrics.recorders(
            label: "http.client.response.body.size",
            dimensions: dimensions
        )
        #expect(sizes.first?.values == [5])
        #expect(metrics.timers(label: "http.client.queue.duration").count == 1)
    }

    @Test("A failure is counted once under its code, and ends the active request")
    func failureIsMeasured() async throws {
        let client = client(StubClient { _ in .failure(.connectTimeout) })
        let request = try HTTPRequest(url: "https://shop.example/")
        for _ in 0..<2 {
            await #expect(throws: TransportError.self) { try await client.send(request) }
        }
        let timers = metrics.timers(label: "http.client.request.duration")
        #expect(timers.count == 1 && timers.first?.values.count == 2)
        let types = timers.flatMap(\.dimensions).filter { $0.0 == "error.type" }.map(\.1)
        #expect(types == ["connectTimeout"])
        let sizes = metrics.recorders(label: "http.client.response.body.size")
        #expect(sizes.flatMap(\.values).isEmpty)
        #expect(activeCount == 0)
    }

    /// Middleware that answers or refuses requests without a transfer.
    private struct Local: HTTPExchanging {
        let error: TransportError?

        func send(
            _ request: HTTPRequest,
            body: RequestBody,
            context: RequestContext
        ) async throws(TransportError) -> HTTPClientResponse {
            if let error { throw error }
            return HTTPClientResponse(head: ResponseHead(status: .ok), request: request)
        }
    }

    @Test("A request that ends without a transfer isn't active any more")
    func localAnswerEndsTheRequest() async throws {
        let request = try HTTPRequest(url: "https://shop.example/")
        let refused = client(Local(error: TransportError(.circuitOpen)))
        await #expect(throws: TransportError.self) { try await refused.send(request) }
        #expect(activeCount == 0)
        #expect(metrics.timers(label: "http.client.request.duration").first?.values == [0])
        _ = try await client(Local(error: nil)).send(request)
        #expect(activeCount == 0)
    }

    @Test(
        "A response that is released unread ends the request, and a status from 400 on is its error",
        arguments: [("200 OK", "cancelled"), ("404 Not Found", "404")]
    )
    func releasedResponseEndsTheRequest(_ status: String, _ errorType: String) async throws {
        let server = try LoopbackServer.scripted([
            .readHead, .send("HTTP/1.1 \(status)\r\nContent-Length: 9\r\n\r\nabc"), .stall,
        ])
        let client = try HTTPClient(middleware: [MetricsMiddleware(factory: metrics)])
        _ = try await client.send(HTTPRequest(url: server.url))
        // Returns when all transfers have ended.
        await client.shutdown()
        #expect(activeCount == 0)
        let timers = metrics.timers(label: "http.client.request.duration")
        let types = timers.flatMap(\.dimensions).filter { $0.0 == "error.type" }.map(\.1)
        #expect(types == [errorType])
    }

    @Test("A password in a request's authority isn't part of a dimension")
    func userInfoIsNoDimension() async throws {
        var request = try HTTPRequest(url: "https://shop.example/")
        request.authority = "ada:secret@shop.example:8443"
        let sent = request
        let refused = client(Local(error: TransportError(.invalidRequest)))
        await #expect(throws: TransportError.self) { try await refused.send(sent) }
        let timers = metrics.timers(label: "http.client.request.duration")
        let dimensions = timers.flatMap(\.dimensions)
        #expect(dimensions.contains { $0.0 == "server.address" && $0.1 == "shop.example" })
        #expect(dimensions.contains { $0.0 == "server.port" && $0.1 == "8443" })
        #expect(!"\(dimensions)".contains("secret"))
    }

    @Test("The observer of sessions records single transfers")
    func observerRecordsTransfers() throws {
        let observer = MetricsMiddleware(factory: metrics).observer
        observer.transferDidEnd(
            TransferEnd(
                id: TransferID(),
                request: try HTTPRequest(url: "https://shop.example/"),
                statusCode: 200,
                metrics: TransferMetrics(queue: .seconds(1), total: .seconds(2))
            )
        )
        let durations = metrics.timers(label: "http.client.request.duration")
        #expect(durations.flatMap(\.values) == [3_000_000_000])
        let queues = metrics.timers(label: "http.client.queue.duration")
        #expect(queues.flatMap(\.values) == [1_000_000_000])
        #expect(activeCount == nil || activeCount == 0)
    }
}
