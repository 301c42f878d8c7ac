internal import CurlURLSession
internal import Foundation
internal import TestSupport
internal import Testing

/// Tests asynchronous methods and completion handlers end to end.
@Suite(.timeLimit(.minutes(10))) struct DataTests {
    @Test func responseCanBeAwaited() async throws {
        let server = try LoopbackServer { _ in .text("hello").header("X-One", "1") }
        let (data, response) = try await URLSession.test().data(from: server.at("/a?b=c"))
        #expect(String(decoding: data, as: UTF8.self) == "hello")
        let head = try #require(response as? HTTPURLResponse)
        #expect(head.statusCode == 200)
        #expect(head.value(forHTTPHeaderField: "x-one") == "1")
        #expect(head.mimeType == "text/plain")
        #expect(head.expectedContentLength == 5)
        #expect(head.url == (try server.at("/a?b=c")))
        #expect(server.requests[0].target == "/a?b=c")
        #expect(server.requests[0].method == "GET")
    }

    @Test(arguments: [0, 1, 14, 15, 4096, 100_000, 3_000_000])
    func contentOfAnySizeIsComplete(_ size: Int) async throws {
        let bytes = [UInt8](count: size) { UInt8(truncatingIfNeeded: $0 &* 31) }
        let server = try LoopbackServer { _ in .bytes(bytes) }
        let (data, _) = try await URLSession.test().data(from: server.at("/"))
        #expect(data == Data(bytes))
    }

    @Test func errorStatusIsAResponse() async throws {
        let server = try LoopbackServer { _ in .text("nothing", status: 404) }
        let (data, response) = try await URLSession.test().data(from: server.at("/"))
        #expect((response as? HTTPURLResponse)?.statusCode == 404)
        #expect(data.count == 7)
    }

    @Test func handlerIsCalledOnTheDelegateQueue() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        let session = URLSession.test(queue: queue)
        #expect(session.delegateQueue === queue)
        let url = try server.at("/")
        let (data, status, isOnQueue): (Data?, Int?, Bool) = await awaitHandler { done in
            session.dataTask(with: url) { data, response, _ in
                let status = (response as? HTTPURLResponse)?.statusCode
                done((data, status, OperationQueue.current === queue))
            }.resume()
        }
        #expect(data == Data("hello".utf8))
        #expect(status == 200)
        #expect(isOnQueue)
    }

    @Test func failedTasksHandlerGetsNoData() async throws {
        let url = try #require(URL(string: "http://127.0.0.1:\(LoopbackServer.unusedPort())/"))
        let session = URLSession.test()
        let (data, response, error): (Data?, URLResponse?, (any Error)?) = await awaitHandler {
            done in
            session.dataTask(with: url) { done(($0, $1, $2)) }.resume()
        }
        #expect(data == nil)
        #expect(response == nil)
        let failure = try #require(error as? URLError)
        #expect(failure.code == .cannotConnectToHost)
        #expect(failure.failingURL == url)
    }

    @Test func taskIsCompletedWhenItsHandlerIsCalled() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let session = URLSession.test()
        let url = try server.at("/")
        let task = Watched<URLSessionTask?>(nil)
        let state: URLSessionTask.State = await awaitHandler { done in
            let made = session.dataTask(with: url) { _, _, _ in
                done(task.read { $0?.state } ?? .running)
            }
            #expect(made.state == .suspended)
            task.update { $0 = made }
            made.resume()
        }
        #expect(state == .completed)
        let made = try #require(task.read { $0 })
        #expect(made.countOfBytesReceived == 5)
        #expect(made.countOfBytesExpectedToReceive == 5)
        #expect(made.error == nil)
        #expect((made.response as? HTTPURLResponse)?.statusCode == 200)
        // These calls have no effect.
        made.resume()
        made.cancel()
        #expect(made.state == .completed)
    }

    @Test func manyConcurrentRequestsAreAnswered() async throws {
        let server = try LoopbackServer { .text($0.path) }
        let session = URLSession.test { $0.httpMaximumConnectionsPerHost = 64 }
        let url = server.url
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for index in 0..<500 {
                group.addTask {
                    let url = try #require(URL(string: "\(url)/\(index)"))
                    let (data, _) = try await session.data(from: url)
                    return String(decoding: data, as: UTF8.self) == "/\(index)"
                }
            }
            for try await isRight in group { #expect(isRight) }
        }
    }

    @Test func asyncMethodDoesNotNeedTheDelegateQueue() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let queue = OperationQueue()
        queue.isSuspended = true
        let (data, _) = try await URLSession.test(queue: queue).data(from: server.at("/"))
        #expect(data.count == 5)
    }

    @Test func suspendedDelegateQueueDelaysAllCalls() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let queue = OperationQueue()
        queue.isSuspended = true
        let delegate = SessionDelegate()
        let session = URLSession.test(delegate: delegate, queue: queue)
        session.dataTask(with: try server.at("/")).resume()
        // By then the server has received the request.
        _ = try await server.request(0)
        try await server.connectionsAccepted(1)
        #expect(delegate.events.isEmpty)
        queue.isSuspended = false
        try await delegate.completion()
        #expect(delegate.text == "hello")
        session.invalidateAndCancel()
    }

    @Test("A1: Trailers aren't delivered as another response")
    func trailersAreNoResponse() async throws {
        let server = try LoopbackServer { _ in
            .chunked([Array("abc".utf8), Array("def".utf8)], trailers: [("X-Sum", "1")])
        }
        let (data, response) = try await URLSession.test().data(from: server.at("/"))
        #expect(String(decoding: data, as: UTF8.self) == "abcdef")
        #expect((response as? HTTPURLResponse)?.value(forHTTPHeaderField: "X-Sum") == nil)
    }

    @Test("C4: An informational response isn't the task's response")
    func informationalResponseIsNotTheResponse() async throws {
        let server = try LoopbackServer { _ in .text("hello").interim(103) }
        let delegate = SessionDelegate()
        let session = URLSession.test(delegate: delegate)
        session.dataTask(with: try server.at("/")).resume()
        try await delegate.completion()
        #expect(
            delegate.milestones == [
                .informational(103), .response(200), .proposal(bytes: 5),
                .metrics(transactions: 1), .completed(nil),
            ]
        )
        session.invalidateAndCancel()
    }

    @Test func informationalResponsesArriveInOrderBeforeTheResponse() async throws {
        let server = try LoopbackServer { request in
            request.path == "/end"
                ? .text("x").interim(102).interim(103, headers: [("Link", "</a>; rel=preload")])
                : .redirect(302, to: "/end").interim(103).interim(199)
        }
        let informational = Watched<[HTTPURLResponse]>([])
        let delegate = SessionDelegate { answers in
            answers.informational = { response in informational.update { $0.append(response) } }
        }
        let (data, _) = try await URLSession.test()
            .data(from: server.at("/start"), delegate: delegate)
        #expect(data == Data("x".utf8))
        #expect(
            delegate.milestones == [
                .informational(103), .informational(199), .redirect(302, to: "/end"),
                .informational(102), .informational(103), .response(200),
                .metrics(transactions: 2),
            ]
        )
        let responses = informational.read { $0 }
        #expect(responses.last?.value(forHTTPHeaderField: "link") == "</a>; rel=preload")
        #expect(responses.map { $0.url?.path } == ["/start", "/start", "/end", "/end"])
    }

    @Test("C11: A header field without a space after its colon is parsed")
    func fieldWithoutASpaceIsParsed() async throws {
        let server = try LoopbackServer.scripted([
            .readHead, .send("HTTP/1.1 200 OK\r\nContent-Length:2\r\nX-A:b\r\n\r\nok"), .stall,
        ])
        let (data, response) = try await URLSession.test().data(from: server.at("/"))
        #expect(String(decoding: data, as: UTF8.self) == "ok")
        #expect((response as? HTTPURLResponse)?.value(forHTTPHeaderField: "X-A") == "b")
    }

    @Test("C12: A field value that isn't UTF-8 is decoded as Latin-1")
    func aValueThatIsNotUTF8IsLatin1() async throws {
        var bytes = Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX-Name: caf".utf8)
        bytes += [0xE9] + Array("\r\nX-Other: café\r\n\r\n".utf8)
        let server = try LoopbackServer.scripted([.readHead, .send(bytes), .stall])
        let (_, response) = try await URLSession.test().data(from: server.at("/"))
        let head = try #require(response as? HTTPURLResponse)
        #expect(head.value(forHTTPHeaderField: "X-Name") == "café")
        #expect(head.value(forHTTPHeaderField: "X-Other") == "café")
    }

    @Test("C13: A URL with an IPv6 address is loaded")
    func anIPv6AddressIsAHost() async throws {
        var options = ServerOptions()
        options.address = .ipv6
        let server = try LoopbackServer(options: options) { _ in .text("six") }
        let (data, _) = try await URLSession.test().data(from: server.at("/"))
        #expect(String(decoding: data, as: UTF8.self) == "six")
        #expect(server.requests[0].header("Host") == "[::1]:\(server.port)")
    }
}
