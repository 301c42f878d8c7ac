internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CurlNetworking

/// Streamed responses.
@Suite(.timeLimit(.minutes(10))) struct ResponseStreamTests {
    private static let head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n"

    @Test("A-24, A-25: A stream has its response before the body, and chunks before the end")
    func theResponseComesFirst() async throws {
        let (first, second) = (Gate(), Gate())
        let server = try LoopbackServer { _ in
            .steps([
                .send(Self.head), .waitFor(first), .send("one"), .waitFor(second), .send("two"),
            ])
        }
        let manager = URLSessionManager.test()
        let stream = try await manager.stream(for: server.request())
        #expect((stream.response as? HTTPURLResponse)?.statusCode == 200)
        first.open()
        var pieces = stream.makeAsyncIterator()
        #expect(try await pieces.next() == Data("one".utf8))
        second.open()
        var rest = Data()
        while let piece = try await pieces.next() { rest += piece }
        #expect(rest == Data("two".utf8))
        #expect(try await pieces.next() == nil)
    }

    @Test("A-24: Each line is returned as soon as it is complete")
    func eachLineIsReturnedWhenComplete() async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in
            .steps([.send(Self.head + "one\r\ntw"), .waitFor(gate), .send("o\n\nthree")])
        }
        let stream = try await URLSessionManager.test().stream(for: server.request())
        var lines: [String] = []
        for try await line in stream.lines() {
            if lines.isEmpty { gate.open() }
            lines.append(line)
        }
        #expect(lines == ["one", "two", "", "three"])
    }

    @Test("A-24: A line that is too long is a serializer's error, and ends the transfer")
    func aLineThatIsTooLongEndsTheTransfer() async throws {
        let server = try LoopbackServer { _ in
            .steps([.send(Self.head), .sendRepeating("endless ", times: nil)])
        }
        let stream = try await URLSessionManager.test().stream(for: server.request())
        let error = await failure { for try await _ in stream.lines(maximumLength: 1000) {} }
        #expect(error?.domain == URLResponseSerializationErrorDomain)
        #expect(error?.code == URLError.Code.dataLengthExceedsMaximum.rawValue)
        #expect(error?.localizedFailureReason?.contains("1000 bytes") ?? false)
        _ = try await server.connectionClosed(0)
    }

    @Test("A-24: Each line is decoded into a value, and a line that can't be decoded is an error")
    func linesAreValues() async throws {
        struct Change: Decodable, Equatable { let id: Int }
        let server = try LoopbackServer { request in
            request.path == "/bad"
                ? .steps([.send(Self.head + "{\"id\":1}\n{\"id\":\n"), .stall])
                : .text("{\"id\":1}\n\n  \r\n{\"id\": 2}\n{\"id\":3}")
        }
        let manager = URLSessionManager.test()
        var changes: [Int] = []
        let good = try await manager.stream(for: server.request())
        for try await change in good.values(of: Change.self) { changes.append(change.id) }
        #expect(changes == [1, 2, 3])
        let bad = try await manager.stream(for: server.request("/bad"))
        var values = bad.values(of: Change.self).makeAsyncIterator()
        #expect(try await values.next() == Change(id: 1))
        do {
            _ = try await values.next()
            Issue.record("there is no second value")
        } catch {
            #expect(NetworkingError(error).kind == .undecodableBody)
        }
        try await server.openConnections(0)
    }

    @Test("A-24: Without a reader, the server has to wait")
    func serverWaitsWhileTheStreamIsNotRead() async throws {
        let size = 64 * 1024 * 1024
        let server = try LoopbackServer { _ in
            Reply(body: .repeating([UInt8](repeating: 7, count: 64 * 1024), times: 1024))
        }
        let stream = try await URLSessionManager.test().stream(for: server.request())
        let record = try await server.blocked()
        #expect(record.bytesSent < size)
        #expect(stream.task.countOfBytesReceived < 2 * 1024 * 1024)
        var count = 0
        for try await piece in stream {
            count += piece.count
            #expect(piece.count <= 1024 * 1024)
        }
        #expect(count == size)
    }

    @Test("A-24: Releasing or cancelling a stream ends the transfer")
    func releasingAStreamEndsTheTransfer() async throws {
        let server = try LoopbackServer { _ in .steps([.send(Self.head + "a\n"), .stall]) }
        let manager = URLSessionManager.test()
        do {
            let stream = try await manager.stream(for: server.request())
            for try await line in stream.lines() where line == "a" { break }
        }
        _ = try await server.connectionClosed(0)
        let stream = try await manager.stream(for: server.request())
        var pieces = stream.makeAsyncIterator()
        _ = try await pieces.next()
        stream.cancel()
        #expect(try await urlError { _ = try await pieces.next() }.code == .cancelled)
        _ = try await server.connectionClosed(1)
    }

    @Test("A-24: Cancelling the Swift task cancels the transfer at any stage")
    func cancellingCancels() async throws {
        let read = Gate()
        let server = try LoopbackServer { request in
            request.path == "/head"
                ? .steps([.stall]) : .steps([.send(Self.head + "a"), .stall])
        }
        let manager = URLSessionManager.test()
        let (body, head) = (try server.request("/body"), try server.request("/head"))
        let reading = Task {
            for try await _ in try await manager.stream(for: body) { read.open() }
        }
        try await read.wait()
        reading.cancel()
        #expect(try await urlError { try await reading.value }.code == .cancelled)
        let waiting = Task { _ = try await manager.stream(for: head) }
        try await server.requests(count: 2)
        waiting.cancel()
        #expect(try await urlError { try await waiting.value }.code == .cancelled)
        try await server.openConnections(0)
    }

    @Test("A-25: A bad status is the serializer's error, with the body")
    func aBadStatusIsRefused() async throws {
        let server = try LoopbackServer { _ in .text("not here", status: 404) }
        let manager = URLSessionManager.test()
        let request = try server.request()
        let error = await failure { _ = try await manager.stream(for: request) }
        let sorted = NetworkingError(try #require(error))
        #expect(sorted.kind == .unacceptableStatusCode(404))
        #expect(sorted.responseData == Data("not here".utf8))
        // The manager's own acceptable statuses apply, if it has any.
        let lenient = HTTPResponseSerializer()
        lenient.acceptableStatusCodes = [404]
        manager.responseSerializer = lenient
        var body = Data()
        for try await piece in try await manager.stream(for: request) { body += piece }
        #expect(body == Data("not here".utf8))
    }

    @Test("A-25: An unacceptable type is rejected before the whole body arrives")
    func anUnacceptableTypeIsRefused() async throws {
        let server = try LoopbackServer { _ in
            .steps([.send(Self.head + "hello"), .stall])
        }
        let manager = URLSessionManager.test()
        let request = try server.request()
        let error = await failure {
            _ = try await manager.stream(for: request, accepting: JSONResponseSerializer())
        }
        let sorted = NetworkingError(try #require(error))
        #expect(sorted.kind == .unacceptableContentType("text/plain"))
        #expect(sorted.responseData == Data("hello".utf8))
        _ = try await server.connectionClosed(0)
        // By default any media type is acceptable.
        manager.responseSerializer = JSONResponseSerializer()
        var pieces = try await manager.stream(for: request).makeAsyncIterator()
        #expect(try await pieces.next() == Data("hello".utf8))
    }

    @Test("A-25: The body of a rejected response that never ends isn't waited for")
    func endlessBodyOfRejectedResponseIsNotAwaited() async throws {
        let server = try LoopbackServer { request in
            let type = request.path == "/type" ? "application/json" : "text/plain"
            let status = request.path == "/type" ? "200 OK" : "500 No"
            let length = "Content-Length: 100000"
            return .steps([
                .send("HTTP/1.1 \(status)\r\nContent-Type: \(type)\r\n\(length)\r\n\r\nsorry"),
                .stall,
            ])
        }
        let manager = URLSessionManager.test { $0.timeoutIntervalForRequest = 3600 }
        let rules = HTTPResponseSerializer()
        rules.acceptance = ResponseAcceptance(
            statusCodes: [200],
            contentTypes: ["text/plain"],
            contentTypeMatching: .patterns
        )
        for (path, kind) in [
            ("/status", NetworkingError.Kind.unacceptableStatusCode(500)),
            ("/type", .unacceptableContentType("application/json")),
        ] {
            let request = try server.request(path)
            let error = await failure {
                _ = try await manager.stream(
                    for: request,
                    accepting: rules,
                    patience: .milliseconds(300)
                )
            }
            let sorted = NetworkingError(try #require(error))
            #expect(sorted.kind == kind)
            // On a busy machine the time may be over before the first bytes arrive.
            #expect(Data("sorry".utf8).starts(with: sorted.responseData ?? Data()))
        }
        try await server.openConnections(0)
    }

    @Test("A-25: The response handler may reject a stream")
    func theHandlerMayRefuse() async throws {
        let server = try LoopbackServer { _ in .steps([.send(Self.head), .stall]) }
        let manager = URLSessionManager.test()
        let queue = manager.operationQueue
        let isOnQueue = Watched<Bool?>(nil)
        manager.setDataTaskDidReceiveResponse { _, _, _ in
            isOnQueue.update { $0 = OperationQueue.current === queue }
            return .cancel
        }
        let request = try server.request()
        let error = try await urlError { _ = try await manager.stream(for: request) }
        #expect(error.code == .cancelled)
        #expect(isOnQueue.read { $0 } == true)
        _ = try await server.connectionClosed(0)
    }

    @Test("A-24: A request's body is sent, whether data or a stream")
    func aBodyIsSent() async throws {
        let server = try LoopbackServer { .bytes($0.body) }
        let manager = URLSessionManager.test()
        var request = try server.request(method: "POST", body: Data("bytes".utf8))
        for expected in ["bytes", "a stream"] {
            var body = Data()
            for try await piece in try await manager.stream(for: request) { body += piece }
            #expect(String(decoding: body, as: UTF8.self) == expected)
            request.httpBodyStream = InputStream(data: Data("a stream".utf8))
        }
    }

    @Test("A-24, T-02: The end of a stream posts the completion notification, without a body")
    func completionIsPostedAtTheEnd() async throws {
        let server = try LoopbackServer { request in
            request.path == "/bad" ? .steps([.send(Self.head + "no"), .stall]) : .text("hello")
        }
        let manager = URLSessionManager.test()
        let recorders = Watched<[NotificationRecorder]>([])
        let ends = EventRecorder<Bool>()
        manager.setTaskDidFinishCollectingMetrics { _, task, _ in
            recorders.update { $0.append(NotificationRecorder(of: task)) }
        }
        manager.setTaskDidComplete { _, _, error in ends.record(error == nil) }
        for try await _ in try await manager.stream(for: server.request()) {}
        let good = try await recorders.wait { $0.first }
        let posted = try await good.first(.networkingTaskDidComplete)
        #expect(posted.data == nil)
        #expect(posted.error == nil)
        let request = try server.request("/bad")
        let error = await failure {
            _ = try await manager.stream(for: request, accepting: JSONResponseSerializer())
        }
        let bad = try await recorders.wait { $0.count == 2 ? $0.last : nil }
        let delivered = try await bad.first(.networkingTaskDidComplete).error as NSError?
        #expect(delivered?.domain == error?.domain)
        #expect(delivered?.code == error?.code)
        #expect(try await ends.wait(count: 2).first == true)
    }

    @Test("S-20, A-24: A stream retains its manager until it ends")
    func aStreamKeepsItsManager() async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in
            .steps([.send(Self.head), .waitFor(gate), .send("rest")])
        }
        weak var manager: URLSessionManager?
        let invalid = Gate()
        let stream: ResponseStream
        do {
            let made = URLSessionManager.test()
            manager = made
            made.setSessionDidBecomeInvalid { _, _ in invalid.open() }
            stream = try await made.stream(for: server.request())
        }
        #expect(manager != nil)
        gate.open()
        var body = Data()
        for try await piece in stream { body += piece }
        #expect(body == Data("rest".utf8))
        try await invalid.wait()
        #expect(manager == nil)
        try await server.openConnections(0)
    }

    @Test("A-24: The progress of a stream is reported as it is read")
    func progressIsReported() async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in
            Reply(
                headers: [("Content-Length", "5")],
                body: .steps([.send("he"), .waitFor(gate), .send("llo")])
            )
        }
        let manager = URLSessionManager.test()
        let stream = try await manager.stream(for: server.request())
        var updates = manager.downloadProgressUpdates(for: stream.task).makeAsyncIterator()
        var pieces = stream.makeAsyncIterator()
        _ = try await pieces.next()
        #expect(await updates.next() == ByteProgress(completed: 2, total: 5))
        gate.open()
        while try await pieces.next() != nil {}
    }
}

/// The error that the closure throws, as an `NSError`.
func failure(_ body: () async throws -> Void) async -> NSError? {
    do {
        try await body()
        return nil
    } catch {
        return error as NSError
    }
}
