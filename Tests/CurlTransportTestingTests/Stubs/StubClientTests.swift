internal import CurlTransport
internal import CurlTransportTesting
internal import HTTPTypes
internal import TestSupport
internal import Testing

/// A stub answers requests, fails them and records them.
@Suite(.timeLimit(.minutes(10))) struct StubClientTests {
    private final class Ends: TransferObserver {
        let recorded = EventRecorder<TransferEnd>()

        func transferDidEnd(_ end: TransferEnd) { recorded.record(end) }
    }

    private let stub = StubClient()
    private let ends = Ends()

    private func send(
        _ path: String,
        _ method: HTTPRequest.Method = .get,
        body: RequestBody = .none,
        deadline: ContinuousClock.Instant? = nil
    ) async throws(TransportError) -> HTTPClientResponse {
        let request = try HTTPRequest(method: method, url: "https://host.example" + path)
        return try await stub.send(
            request,
            body: body,
            context: RequestContext(deadline: deadline, observers: [ends])
        )
    }

    private func failure(
        _ path: String,
        body: RequestBody = .none,
        deadline: ContinuousClock.Instant? = nil
    ) async -> TransportError? {
        await #expect(throws: TransportError.self) {
            let response = try await send(path, body: body, deadline: deadline)
            _ = try await response.body.collect(upTo: 1 << 20)
        }
    }

    // MARK: Routes

    @Test("The first route that fits answers, and its last reply answers all later requests")
    func firstFittingRouteAnswers() async throws {
        stub.on(.get, "/a", reply: .status(.notFound), .text("one"), .text("two"))
            .on(nil, "/**", reply: .status(.accepted))
        var statuses: [Int] = []
        for _ in 0..<4 { statuses.append(try await send("/a").statusCode) }
        #expect(statuses == [404, 200, 200, 200])
        #expect(try await send("/a").body.collect(upTo: 9) == Array("two".utf8))
        #expect(try await send("/a", .post).statusCode == 202)
        #expect(try await send("/b").statusCode == 202)
    }

    @Test("A request without a route fails with the list of routes, and is recorded")
    func unansweredRequestFails() async throws {
        stub.on(.get, "/a/*", reply: .text("a")).on(nil, "//other/**", reply: .text("b"))
        let error = await failure("/b?secret=1")
        #expect(error?.code == .invalidRequest)
        #expect(error?.message.contains("GET https://host.example/b ") == true)
        #expect(error?.message.contains("its routes are: GET /a/*, * //other/**.") == true)
        #expect(stub.requests.map(\.url) == ["https://host.example/b?secret=1"])
        let empty = await #expect(throws: TransportError.self) {
            try await StubClient().send(HTTPRequest(url: "http://a/"))
        }
        #expect(empty?.message.contains("it has none") == true)
    }

    @Test("Requests are recorded with their bodies, fields and contexts")
    func requestsAreRecorded() async throws {
        stub.on(nil, "**", reply: .status(.ok))
        let chunks = AsyncStream { continuation in
            continuation.yield(Array("one ".utf8))
            continuation.yield(Array("two".utf8))
            continuation.finish()
        }
        _ = try await send("/a?b=c", .put, body: .stream(chunks))
        _ = try await send("/d")
        let requests = try await stub.requests(count: 2)
        #expect(requests.map(\.number) == [0, 1])
        #expect(requests[0].method == .put)
        #expect(requests[0].path == "/a" && requests[0].query == "b=c")
        #expect(requests[0].bodyText == "one two")
        #expect(requests[1].body == [] && requests[1].query == nil)
        #expect(requests[0].context.observers.count == 1)
        #expect(stub.requests(.put, "/a").count == 1)
        #expect(stub.requests(nil, "/**").count == 2)
    }

    @Test("A closure answers according to the request, and may throw")
    func closureAnswers() async throws {
        struct Refused: Error {}
        stub.on(nil, "**") { request in
            switch request.path {
            case "/error": throw Refused()
            case "/lost": throw TransportError(.connectionLost)
            default: return .text(request.bodyText)
            }
        }
        let response = try await send("/a", .post, body: .text("echo"))
        #expect(try await response.body.collect(upTo: 9) == Array("echo".utf8))
        #expect(await failure("/error")?.underlying is Refused)
        #expect(await failure("/lost")?.code == .connectionLost)
    }

    @Test("A body that is too long, or fails, fails the request")
    func unreadableBodyFails() async throws {
        let small = StubClient([StubRoute(nil, "**", reply: .status(.ok))], maximumBody: 2)
        let request = try HTTPRequest(method: .post, url: "http://a/")
        let error = await #expect(throws: TransportError.self) {
            try await small.send(request, body: .text("abc"))
        }
        #expect(error?.code == .requestBodyFailed)
        #expect(small.requests.isEmpty)
    }

    // MARK: Responses

    @Test("A response has its status, fields, chunks, trailers and metrics")
    func responseHasItsParts() async throws {
        stub.on(
            .get,
            "/a",
            reply: .chunks([[1, 2], [3]], trailers: [.eTag: "t"]).field(.server, "stub")
        )
        let response = try await send("/a")
        #expect(response.headerFields[.server] == "stub")
        #expect(response.head.contentLength == nil)
        #expect(response.trailers == nil && response.metrics == nil)
        var chunks: [[UInt8]] = []
        for try await chunk in response.body { chunks.append(chunk) }
        #expect(chunks == [[1, 2], [3]])
        #expect(response.trailers == [.eTag: "t"])
        #expect(response.metrics?.bodyBytes == 3)
        #expect(response.metrics?.httpVersion == "1.1")
        let end = try #require(ends.recorded.events.first)
        #expect(end.id == response.id && end.statusCode == 200 && end.error == nil)
        #expect(ends.recorded.events.count == 1)
    }

    @Test("A text has a type and a length; the answer to HEAD and 304 has no content")
    func contentIsFramed() async throws {
        stub.on(nil, "/a", reply: .text("hello")).on(nil, "/b", reply: StubReply(.notModified))
        let get = try await send("/a")
        #expect(get.headerFields[.contentType] == "text/plain; charset=utf-8")
        #expect(get.head.contentLength == 5)
        let head = try await send("/a", .head)
        #expect(head.head.contentLength == 5)
        #expect(try await head.body.collect(upTo: 9) == [])
        #expect(try await send("/b").head.contentLength == nil)
    }

    // MARK: Failures and delays

    @Test("A failure before the head has its code, and is observed once")
    func failureBeforeHead() async throws {
        stub.on(nil, "**", reply: .failure(.hostNotFound))
        let error = await failure("/a")
        #expect(error?.code == .hostNotFound && error?.phase == .dns && error?.retry == .always)
        let end = try #require(ends.recorded.events.first)
        #expect(end.error == error && end.id == error?.transferID && end.statusCode == nil)
        #expect(ends.recorded.events.count == 1)
    }

    @Test("A failure after some chunks comes after these chunks")
    func failureAfterChunks() async throws {
        stub.on(
            nil,
            "**",
            reply: .chunks([[1], [2], [3]]).failing(.connectionLost, afterChunks: 2)
        )
        let response = try await send("/a")
        var chunks: [[UInt8]] = []
        let error = await #expect(throws: TransportError.self) {
            var iterator = response.body.makeAsyncIterator()
            while let chunk = try await iterator.next() { chunks.append(chunk) }
        }
        #expect(chunks == [[1], [2]])
        #expect(error?.code == .connectionLost)
        #expect(error?.transferID == response.id)
        #expect(ends.recorded.events.map(\.statusCode) == [200])
        #expect(ends.recorded.events.first?.error?.code == .connectionLost)
    }

    @Test("Releasing an incomplete body ends its transfer as cancelled")
    func releasedBodyIsCancelled() async throws {
        stub.on(nil, "**", reply: .text("x").delayed(by: .zero, eachChunkBy: .seconds(3600)))
        _ = try await send("/a")
        let end = try await ends.recorded.wait(count: 1)[0]
        #expect(end.error?.code == .cancelled)
    }

    @Test("A deadline ends the wait for a delay, a gate and a chunk", arguments: [0, 1, 2])
    func deadlineEndsWaits(_ kind: Int) async throws {
        let reply =
            switch kind {
            case 0: StubReply.text("x").delayed(by: .seconds(3600))
            case 1: StubReply.text("x").waiting(for: Gate())
            default: StubReply.text("x").delayed(by: .zero, eachChunkBy: .seconds(3600))
            }
        stub.on(nil, "**", reply: reply)
        let error = await failure("/a", deadline: .now + .milliseconds(100))
        #expect(error?.code == .deadlineExceeded)
        #expect(ends.recorded.events.first?.error?.code == .deadlineExceeded)
        let late = await failure("/a", deadline: .now - .seconds(1))
        #expect(late?.code == .deadlineExceeded)
    }

    @Test("A cancelled task stops waiting", arguments: [true, false])
    func cancellationEndsWaits(hasDeadline: Bool) async throws {
        stub.on(nil, "**", reply: .text("x").waiting(for: Gate()))
        let deadline = hasDeadline ? ContinuousClock.now + .seconds(3600) : nil
        let stub = stub
        let task = Task {
            try await stub.send(HTTPRequest(url: "http://a/"), deadline: deadline)
        }
        _ = try await stub.requests(count: 1)
        task.cancel()
        let error = await #expect(throws: TransportError.self) { try await task.value }
        #expect(error?.code == .cancelled)
    }

    @Test("An open gate lets the reply pass")
    func gateHoldsReplyBack() async throws {
        let gate = Gate()
        stub.on(nil, "**", reply: .text("x").waiting(for: gate))
        let stub = stub
        async let response = stub.send(HTTPRequest(url: "http://a/"))
        _ = try await stub.requests(count: 1)
        gate.open()
        #expect(try await response.statusCode == 200)
    }
}
