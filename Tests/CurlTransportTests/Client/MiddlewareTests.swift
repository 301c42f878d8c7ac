internal import CurlTransport
internal import HTTPTypes
internal import TestSupport
internal import Testing

/// Middleware intercepts the requests of a client.
@Suite(.timeLimit(.minutes(10))) struct MiddlewareTests {
    /// Records its calls and adds a field.
    private struct Tagging: HTTPMiddleware {
        let name: String
        let calls: EventRecorder<String>

        func intercept(
            _ request: HTTPRequest,
            body: RequestBody,
            context: RequestContext,
            next: any HTTPExchanging
        ) async throws(TransportError) -> HTTPClientResponse {
            calls.record("\(name) \(context.name ?? "-")")
            var request = request
            let tags = request.headerFields[.tags].map { "\($0), " } ?? ""
            request.headerFields[.tags] = tags + name
            let response = try await next.send(request, body: body, context: context)
            calls.record("\(name) \(response.statusCode)")
            return response
        }
    }

    /// Answers with a body of its own.
    private struct Answering: HTTPMiddleware {
        let body: ResponseBody

        func intercept(
            _ request: HTTPRequest,
            body: RequestBody,
            context: RequestContext,
            next: any HTTPExchanging
        ) async throws(TransportError) -> HTTPClientResponse {
            HTTPClientResponse(
                head: ResponseHead(status: .accepted, headerFields: [.server: "none"]),
                body: self.body,
                request: request
            )
        }
    }

    /// Sends each request twice, and returns the second response.
    private struct Repeating: HTTPMiddleware {
        func intercept(
            _ request: HTTPRequest,
            body: RequestBody,
            context: RequestContext,
            next: any HTTPExchanging
        ) async throws(TransportError) -> HTTPClientResponse {
            let first = try await next.send(request, body: body, context: context)
            _ = try await first.body.collect(upTo: 1024)
            return try await next.send(request, body: body, context: context)
        }
    }

    private func tags(_ server: LoopbackServer) -> [String?] {
        server.requests.map { $0.header("X-Tags") }
    }

    @Test("The first middleware is the outermost, for each way to send a request")
    func firstMiddlewareIsOutermost() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let calls = EventRecorder<String>()
        let client = try HTTPClient(
            middleware: ["a", "b"].map { Tagging(name: $0, calls: calls) }
        )
        let request = try HTTPRequest(url: server.url)
        let context = RequestContext(name: "GET /")
        var responses = [try await client.send(request, context: context)]
        responses.append(try await client.send(request))
        responses.append(try await client.send(request, options: TransferOptions()))
        responses.append(try await client.send(request, options: PreparedOptions()))
        for response in responses {
            #expect(try await response.body.collect(upTo: 9) == Array("hello".utf8))
            #expect(response.metrics?.bodyBytes == 5)
            #expect(response.request.headerFields[.tags] == "a, b")
        }
        #expect(tags(server) == Array(repeating: "a, b", count: 4))
        #expect(calls.events.prefix(4) == ["a GET /", "b GET /", "b 200", "a 200"])
        #expect(calls.events.count == 16)
        await client.shutdown()
    }

    @Test("A chain around another chain calls the outer one first")
    func chainsNest() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let calls = EventRecorder<String>()
        let client = try HTTPClient(middleware: [Tagging(name: "inner", calls: calls)])
        let chain = MiddlewareChain([Tagging(name: "outer", calls: calls)], around: client)
        let plain = MiddlewareChain([], around: chain)
        let response = try await plain.send(HTTPRequest(url: server.url))
        _ = try await response.body.collect(upTo: 9)
        #expect(tags(server) == ["outer, inner"])
    }

    @Test("Middleware answers a request itself")
    func middlewareAnswersRequest() async throws {
        let client = try HTTPClient(middleware: [Answering(body: ResponseBody([1, 2, 3]))])
        let response = try await client.send(HTTPRequest(url: "http://example.invalid/a"))
        #expect(response.statusCode == 202)
        #expect(response.status.reasonPhrase == "Accepted")
        #expect(response.headerFields[.server] == "none")
        #expect(response.url == "http://example.invalid/a")
        #expect(try await response.body.collect(upTo: 3) == [1, 2, 3])
    }

    @Test("Middleware sends a request twice, with its body")
    func middlewareRepeatsRequest() async throws {
        let server = try LoopbackServer { .text($0.bodyText) }
        let client = try HTTPClient(middleware: [Repeating()])
        let response = try await client.send(
            HTTPRequest(method: .put, url: server.url),
            body: .text("twice")
        )
        #expect(try await response.body.collect(upTo: 9) == Array("twice".utf8))
        #expect(server.requestCount == 2)
    }

    @Test("A download writes the body that middleware has made")
    func downloadWritesMadeBody() async throws {
        let folder = try TemporaryDirectory()
        let chunks = [Array("first ".utf8), [], Array("second".utf8)]
        let client = try HTTPClient(
            middleware: [Answering(body: ResponseBody(chunks: ChunkList(chunks: chunks)))]
        )
        let request = try HTTPRequest(url: "http://example.invalid/")
        let response = try await client.download(request, to: folder.path("file"))
        #expect(response.statusCode == 202)
        #expect(String(decoding: try folder.read("file"), as: UTF8.self) == "first second")
    }

    @Test("A failing body of middleware leaves no file of a download")
    func failingMadeBodyLeavesNoFile() async throws {
        let folder = try TemporaryDirectory()
        let body = ResponseBody(chunks: ChunkList(chunks: [[1]], failure: ChunkList.Broken()))
        let client = try HTTPClient(middleware: [Answering(body: body)])
        let request = try HTTPRequest(url: "http://example.invalid/")
        let path = folder.path("file")
        let error = await #expect(throws: TransportError.self) {
            try await client.download(request, to: path)
        }
        #expect(error?.underlying is ChunkList.Broken)
        #expect(try folder.contents().isEmpty)
    }

    @Test("Middleware runs in the sender's task, with its task-local values")
    func middlewareHasTheSendersValues() async throws {
        let seen = EventRecorder<String>()
        let client = try HTTPClient(middleware: [Noting(seen: seen)])
        let request = try HTTPRequest(url: "http://example.invalid/")
        _ = try await Noting.$name.withValue("sender") { try await client.send(request) }
        #expect(seen.events == ["sender"])
    }

    private struct Noting: HTTPMiddleware {
        @TaskLocal static var name = "none"
        let seen: EventRecorder<String>

        func intercept(
            _ request: HTTPRequest,
            body: RequestBody,
            context: RequestContext,
            next: any HTTPExchanging
        ) async throws(TransportError) -> HTTPClientResponse {
            seen.record(Self.name)
            return HTTPClientResponse(head: ResponseHead(status: .ok), request: request)
        }
    }

    @Test("A context's deadline and options apply")
    func contextApplies() async throws {
        let server = try LoopbackServer.scripted([.readHead, .stall])
        let client = try HTTPClient()
        let request = try HTTPRequest(url: server.url)
        let deadline = ContinuousClock.now + .milliseconds(50)
        let late = await #expect(throws: TransportError.self) {
            try await client.send(request, context: RequestContext(deadline: deadline))
        }
        #expect(late?.code == .deadlineExceeded)
        var options = TransferOptions()
        options.timeouts.firstByte = .milliseconds(50)
        let prepared = try PreparedOptions(options)
        let slow = await #expect(throws: TransportError.self) {
            try await client.send(request, context: RequestContext(options: prepared))
        }
        #expect(slow?.code == .firstByteTimeout)
        #expect(RequestContext(deadline: .now - .seconds(1)).remainingTime == .zero)
        #expect(RequestContext().remainingTime == nil)
    }

    @Test(
        "Idempotency of the context decides whether a lost request is sent again",
        arguments: [
            (HTTPRequest.Method.post, Idempotency.yes, 3), (.post, .byMethod, 2),
            (.get, .byMethod, 3), (.get, .no, 2),
        ]
    )
    func idempotencyDecidesRepetition(
        _ method: HTTPRequest.Method,
        _ idempotency: Idempotency,
        _ count: Int
    ) async throws {
        let server = try LoopbackServer.losingSecondRequest()
        let client = try HTTPClient()
        let request = try HTTPRequest(method: method, url: server.url)
        let first = try await client.send(request)
        _ = try await first.body.collect(upTo: 9)
        let context = RequestContext(idempotency: idempotency)
        do throws(TransportError) {
            let second = try await client.send(request, context: context)
            #expect(try await second.body.collect(upTo: 9) == Array("ok".utf8))
            #expect(count == 3)
        } catch {
            #expect(count == 2, "\(error)")
        }
        #expect(server.requestCount == count)
    }
}

extension HTTPField.Name {
    fileprivate static let tags = Self("X-Tags") ?? .server
}
