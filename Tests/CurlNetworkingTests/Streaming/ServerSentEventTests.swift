internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CurlNetworking

/// Server-sent events over connections.
@Suite(.timeLimit(.minutes(10))) struct ServerSentEventTests {
    private static let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
    /// The head of a response that breaks off.
    private static let broken =
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 1000\r\n\r\n"
    private let atOnce = ServerSentEventReconnection(delay: .zero, minimumDelay: .zero)

    private func reply(_ text: String) -> Reply {
        Reply(
            headers: [("Content-Type", "text/event-stream; charset=utf-8")],
            body: .bytes(Array(text.utf8))
        )
    }

    private func collect(_ events: ServerSentEvents) async throws -> [String] {
        var seen: [String] = []
        for try await event in events { seen.append("\(event.id) \(event.event) \(event.data)") }
        return seen
    }

    @Test(
        "A-24: Each event is returned as soon as it is complete; the stream ends with the response"
    )
    func eachEventIsReturnedWhenComplete() async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in
            .steps([
                .send(Self.head + ": hello\n\ndata: one\n\nid: 2\nda"), .waitFor(gate),
                .send("ta: two\n\ndata: lost"),
            ])
        }
        let events = try await URLSessionManager.test().events(for: server.request())
        #expect((events.response as? HTTPURLResponse)?.statusCode == 200)
        var iterator = events.makeAsyncIterator()
        #expect(try await iterator.next() == ServerSentEvent(data: "one"))
        gate.open()
        #expect(try await iterator.next() == ServerSentEvent(data: "two", id: "2"))
        #expect(iterator.lastEventID == "2")
        #expect(try await iterator.next() == nil)
        #expect(try await iterator.next() == nil)
        let request = try await server.requestHead(0)
        #expect(request.headers("Accept") == ["text/event-stream"])
        #expect(request.headers("Cache-Control") == ["no-cache"])
        #expect(request.header("Last-Event-ID") == nil)
        #expect(server.requestCount == 1)
    }

    @Test("A-24: A lost connection is reopened after the last event, until the status is 204")
    func lostConnectionIsReopened() async throws {
        let server = try LoopbackServer { request in
            switch request.header("Last-Event-ID") {
            case "before": reply("id: 1\ndata: a\n\nid: 9\ndata: half")
            case "1": .steps([.send(Self.broken + "id: 2\nevent: x\ndata: b\n\n")])
            case "2": .steps([.reset])
            default: .status(500)
            }
        }
        let answers = Watched(0)
        let lastly = try LoopbackServer { request in
            let count = answers.update { count in
                count += 1
                return count
            }
            switch count {
            case 1: return reply("id: 1\ndata: a\n\nid: 9\ndata: half")
            case 2: return .steps([.send(Self.broken + "id: ü2\nevent: x\ndata: b\n\n")])
            case 3: return .steps([.reset])
            case 4: return reply("retry: 1\ndata: c\n\n")
            default: return .status(204)
            }
        }
        let manager = URLSessionManager.test()
        let events = try await manager.events(
            for: lastly.request(),
            lastEventID: "before",
            reconnection: atOnce
        )
        #expect(try await collect(events) == ["1 message a", "ü2 x b", "ü2 message c"])
        #expect(
            lastly.requests.map { $0.header("Last-Event-ID") }
                == ["before", "1", "ü2", "ü2", "ü2"]
        )
        // The number of attempts without an event is limited.
        let refused = try await manager.events(
            for: server.request(),
            lastEventID: "before",
            reconnection: ServerSentEventReconnection(
                maximumAttempts: 3,
                delay: .zero,
                minimumDelay: .zero
            )
        )
        let error = await failure { _ = try await collect(refused) }
        // After event 2 the connection is reset each time, until the attempts are used up.
        let sorted = NetworkingError(try #require(error))
        #expect(sorted.kind == .connectivity)
        #expect(server.requestCount == 5)
    }

    @Test("A-24: Without the option, a lost connection isn't reopened")
    func reconnectionIsAChoice() async throws {
        let server = try LoopbackServer { _ in
            .steps([.send(Self.broken + "data: a\n\n")])
        }
        let events = try await URLSessionManager.test().events(for: server.request())
        var iterator = events.makeAsyncIterator()
        #expect(try await iterator.next()?.data == "a")
        #expect(try await urlError { _ = try await iterator.next() }.code == .networkConnectionLost)
        #expect(try await iterator.next() == nil)
        #expect(server.acceptedConnectionCount == 1)
    }

    @Test("A-24: Another media type or success status is an error, and 204 ends the events")
    func otherResponsesAreRefused() async throws {
        let server = try LoopbackServer { request in
            switch request.path {
            case "/type": .text("data: a\n\n")
            case "/empty": .text("")
            case "/status": Reply(201, headers: [("Content-Type", "text/event-stream")])
            default: .status(204)
            }
        }
        let manager = URLSessionManager.test()
        for (path, code) in [("/type", -1016), ("/empty", -1016), ("/status", -1011)] {
            let request = try server.request(path)
            let error = await failure {
                _ = try await manager.events(for: request, reconnection: atOnce)
            }
            #expect(error?.domain == URLResponseSerializationErrorDomain)
            #expect(error?.code == code, "\(path)")
        }
        let none = try await manager.events(for: server.request("/none"), reconnection: atOnce)
        #expect(try await collect(none).isEmpty)
        #expect(server.requestCount == 4)
    }

    @Test("A-24: If repeated attempts receive no line, the last one is an error")
    func attemptsAreCounted() async throws {
        let server = try LoopbackServer { _ in reply("") }
        let rules = ServerSentEventReconnection(
            maximumAttempts: 3,
            delay: .zero,
            minimumDelay: .zero
        )
        let events = try await URLSessionManager.test().events(
            for: server.request(),
            reconnection: rules
        )
        var iterator = events.makeAsyncIterator()
        let error = try await urlError { _ = try await iterator.next() }
        #expect(error.code == .networkConnectionLost)
        #expect(error.localizedDescription.contains("4 times in a row"))
        #expect(try await iterator.next() == nil)
        #expect(server.requestCount == 4)
    }

    /// Returns a server that replies `count` times with a text, then with one event, then with 204.
    private func server(_ count: Int, times text: String) throws -> LoopbackServer {
        let replies = (0..<count).map { _ in reply(text) } + [reply("data: a\n\n"), .status(204)]
        let script = Replies(replies)
        return try LoopbackServer { script.next($0) }
    }

    @Test("A-24: A stream that sends comments or lives long is reopened without a limit")
    func quietStreamIsReopenedWithoutLimit() async throws {
        let manager = URLSessionManager.test()
        // A comment shows that the server is alive.
        let comments = try server(5, times: ": alive\n\n")
        let few = ServerSentEventReconnection(
            maximumAttempts: 2,
            delay: .zero,
            minimumDelay: .zero
        )
        let first = try await manager.events(for: comments.request(), reconnection: few)
        #expect(try await collect(first) == [" message a"])
        #expect(comments.requestCount == 7)
        // So does a connection that has lived longer than the maximum delay.
        let silent = try server(5, times: "")
        let long = ServerSentEventReconnection(
            maximumAttempts: 2,
            delay: .zero,
            maximumDelay: .zero
        )
        let second = try await manager.events(for: silent.request(), reconnection: long)
        #expect(try await collect(second) == [" message a"])
        #expect(silent.requestCount == 7)
    }

    @Test("A-24: Cancellation ends the wait before the next attempt")
    func cancellingEndsTheWait() async throws {
        let server = try LoopbackServer { _ in reply("data: a\n\n") }
        let manager = URLSessionManager.test()
        let request = try server.request()
        let seen = Gate()
        let task = Task {
            let rules = ServerSentEventReconnection(
                delay: .seconds(3600),
                maximumDelay: .seconds(3600)
            )
            for try await _ in try await manager.events(for: request, reconnection: rules) {
                seen.open()
            }
        }
        try await seen.wait()
        task.cancel()
        #expect(try await urlError { try await task.value }.code == .cancelled)
        #expect(server.requestCount == 1)
    }

    @Test("A-24: An event that is too long is an error")
    func anEventThatIsTooLongIsAnError() async throws {
        let server = try LoopbackServer { _ in
            .steps([.send(Self.head), .sendRepeating("data: more\n", times: nil)])
        }
        let manager = URLSessionManager.test()
        let events = try await manager.events(
            for: server.request(),
            reconnection: atOnce,
            maximumLength: 5000
        )
        let error = await failure { _ = try await collect(events) }
        #expect(error?.domain == URLResponseSerializationErrorDomain)
        #expect(error?.code == URLError.Code.dataLengthExceedsMaximum.rawValue)
        _ = try await server.connectionClosed(0)
        #expect(server.requestCount == 1)
    }

    @Test("A-24: An HTTP manager's streams use its base URL and its serializer")
    func anHTTPManagerStreams() async throws {
        let server = try LoopbackServer { request in
            request.path.hasSuffix("events") ? reply("data: \(request.target)\n\n") : .text("a\nb")
        }
        let manager = HTTPSessionManager.forTest(server.at("/v1"))
        let events = try await manager.events("events", parameters: ["a": 1])
        #expect(try await collect(events) == [" message /v1/events?a=1"])
        let stream = try await manager.stream(
            withHTTPMethod: .post,
            urlString: "lines",
            parameters: ["b": 2],
            headers: ["X-Own": "1"]
        )
        var lines: [String] = []
        for try await line in stream.lines() { lines.append(line) }
        #expect(lines == ["a", "b"])
        let request = try await server.request(1)
        #expect(request.bodyText == "b=2")
        #expect(request.header("X-Own") == "1")
    }
}
