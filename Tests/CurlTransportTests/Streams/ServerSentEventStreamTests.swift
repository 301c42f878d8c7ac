import HTTPTypes
import TestSupport
import Testing

@testable import CurlTransport

@Suite(.timeLimit(.minutes(10))) struct ServerSentEventStreamTests {
    private typealias Event = ServerSentEvent

    private static func stream(_ text: String, status: Int = 200) -> Reply {
        Reply(
            status,
            headers: [("Content-Type", "text/event-stream; charset=utf-8")],
            body: .bytes(Array(text.utf8))
        )
    }

    /// Reconnects at once.
    private static func rules(
        _ attempts: Int = 10
    ) -> ServerSentEventStream.Reconnection {
        var rules = ServerSentEventStream.Reconnection()
        rules.maximumAttempts = attempts
        (rules.delay, rules.minimumDelay) = (.zero, .zero)
        return rules
    }

    private static func collect(
        _ stream: ServerSentEventStream,
        into events: inout [Event]
    ) async throws(ServerSentEventError) {
        for try await event in stream { events.append(event) }
    }

    @Test("The events of a body are parsed as they arrive")
    func bodyHasEvents() async throws {
        let text =
            "\u{FEFF}: comment\nevent: a\ndata: 1\ndata: 2\nid: x\n\nretry: 5\rdata\r\rid: 9\nretry: 9"
        let chunks = Array(text.utf8).map { [$0] }
        var events = ResponseBody(chunks: Pieces(chunks)).serverSentEvents.makeAsyncIterator()
        #expect(try await events.next() == Event(event: "a", data: "1\n2", id: "x"))
        #expect(
            try await events.next() == Event(data: "", id: "x", retry: .milliseconds(5))
        )
        #expect(try await events.next() == nil)
        #expect(events.lastEventID == "x" && events.reconnectionTime == .milliseconds(5))
        var long = ResponseBody(Array("data: 12\ndata: 34\n\n".utf8))
            .serverSentEvents(maximumLength: 8).makeAsyncIterator()
        #expect(try await long.next() == Event(data: "12\n34"))
        let body = ResponseBody(Array("data: 12\ndata: 3456\ndata: 789\n".utf8))
        var longest = body.serverSentEvents(maximumLength: 10).makeAsyncIterator()
        let error = await #expect(throws: TransportError.self) { try await longest.next() }
        #expect(error?.code == .responseTooLarge && error?.message.contains("an event") == true)
    }

    @Test("A lost connection is reopened after the last event, until the status is 204")
    func lostConnectionIsReopened() async throws {
        let received = Gate()
        let server = try LoopbackServer { request in
            switch request.header("Last-Event-ID") {
            case nil:
                Reply(
                    headers: [
                        ("Content-Type", "text/event-stream"), ("Content-Length", "1000"),
                    ],
                    body: .steps([
                        .send("id: 1\ndata: a\n\ndata: lost"), .waitFor(received), .close,
                    ])
                )
            case "1": Self.stream("id: 2\ndata: b\n\n")
            default: Reply(204)
            }
        }
        let client = try HTTPClient()
        let stream = try await client.serverSentEvents(
            for: HTTPRequest(url: server.url),
            reconnection: Self.rules()
        )
        #expect(stream.response.statusCode == 200)
        var events: [Event] = []
        for try await event in stream {
            events.append(event)
            // Bytes that arrive together with the end of the connection may be lost.
            received.open()
        }
        #expect(events == [Event(data: "a", id: "1"), Event(data: "b", id: "2")])
        let requests = server.requests
        #expect(requests.map { $0.header("Last-Event-ID") } == [nil, "1", "2"])
        #expect(requests.allSatisfy { $0.header("Accept") == "text/event-stream" })
        #expect(requests.allSatisfy { $0.header("Cache-Control") == "no-cache" })
        await client.shutdown()
    }

    @Test("Another status or media type is an error whose response can be read")
    func otherResponsesAreRefused() async throws {
        let server = try LoopbackServer { request in
            request.path == "/status"
                ? Self.stream("no", status: 429) : .text("{\"error\": 1}")
        }
        let client = try HTTPClient()
        for (path, status, text) in [("/status", 429, "no"), ("/type", 200, "{\"error\": 1}")] {
            let error = await #expect(throws: ServerSentEventError.self) {
                try await client.serverSentEvents(for: HTTPRequest(url: server.url + path))
            }
            guard case .refused(let response) = error else {
                Issue.record("another error: \(String(describing: error))")
                return
            }
            #expect(response.statusCode == status)
            #expect(try await response.body.collect(upTo: 100) == Array(text.utf8))
            #expect(error?.description.contains("\(status)") == true)
        }
        #expect(server.requests.count == 2)
        await client.shutdown()
    }

    @Test("A refused reconnection ends the stream")
    func refusedReconnectionEndsStream() async throws {
        let server = try LoopbackServer { request in
            request.header("Last-Event-ID") == nil
                ? Self.stream("id: 1\ndata: a\n\n") : .status(503)
        }
        let client = try HTTPClient()
        let stream = try await client.serverSentEvents(
            for: HTTPRequest(url: server.url),
            reconnection: Self.rules()
        )
        var events = stream.makeAsyncIterator()
        #expect(try await events.next()?.data == "a")
        let error = await #expect(throws: ServerSentEventError.self) { try await events.next() }
        guard case .refused(let response) = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        #expect(response.statusCode == 503)
        #expect(try await events.next() == nil)
        #expect(server.requests.count == 2)
        await client.shutdown()
    }

    @Test("A POST is repeated only if the context says that it may be")
    func postIsRepeatedByOption() async throws {
        let server = try LoopbackServer { request in
            request.header("Last-Event-ID") == "1"
                ? Reply(204) : Self.stream("id: 1\ndata: \(request.bodyText)\n\n")
        }
        let client = try HTTPClient()
        let request = try HTTPRequest(method: .post, url: server.url)
        for (idempotency, count) in [(Idempotency.byMethod, 1), (.yes, 3)] {
            let stream = try await client.serverSentEvents(
                for: request,
                body: .text("question"),
                context: RequestContext(idempotency: idempotency),
                reconnection: Self.rules()
            )
            var events: [Event] = []
            try await Self.collect(stream, into: &events)
            #expect(events == [Event(data: "question", id: "1")])
            #expect(server.requests.count == count)
        }
        // A body that can be sent once isn't repeated, whatever the context says.
        let stream = try await client.serverSentEvents(
            for: request,
            body: .stream(Pieces([Array("once".utf8)])),
            context: RequestContext(idempotency: .yes),
            reconnection: Self.rules()
        )
        var events: [Event] = []
        try await Self.collect(stream, into: &events)
        #expect(events.map(\.data) == ["once"] && server.requests.count == 4)
        await client.shutdown()
    }

    @Test("After the last attempt without a line, the stream throws")
    func silentServerIsGivenUp() async throws {
        let server = try LoopbackServer { _ in Self.stream("") }
        let client = try HTTPClient()
        let stream = try await client.serverSentEvents(
            for: HTTPRequest(url: server.url),
            reconnection: Self.rules(2)
        )
        var events: [Event] = []
        let error = await #expect(throws: ServerSentEventError.self) {
            try await Self.collect(stream, into: &events)
        }
        guard case .transport(let failure) = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        #expect(failure.code == .connectionLost && failure.message.contains("3 times"))
        #expect(server.requests.count == 3)
        let never = try await client.serverSentEvents(
            for: HTTPRequest(url: server.url),
            reconnection: nil
        )
        try await Self.collect(never, into: &events)
        #expect(events.isEmpty && server.requests.count == 4)
        await client.shutdown()
    }

    @Test("The error of the last attempt to connect is thrown")
    func lastConnectErrorIsThrown() async throws {
        let stub = SequenceClient([
            .response(Array("id: 7\ndata: a\n\n".utf8)), .error(.connectRefused),
            .error(.connectionLost),
        ])
        let stream = try await stub.serverSentEvents(
            for: HTTPRequest(url: "http://example.com/"),
            reconnection: Self.rules(2)
        )
        var events: [Event] = []
        let error = await #expect(throws: ServerSentEventError.self) {
            try await Self.collect(stream, into: &events)
        }
        guard case .transport(let failure) = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        #expect(failure.code == .connectionLost && events.map(\.data) == ["a"])
        #expect(stub.requests.events.count == 3)
    }

    @Test("Cancellation ends the wait before the next attempt")
    func cancellationEndsWait() async throws {
        let server = try LoopbackServer { _ in Self.stream("data: a\n\n") }
        let client = try HTTPClient()
        var rules = ServerSentEventStream.Reconnection()
        (rules.delay, rules.maximumDelay) = (.seconds(3600), .seconds(3600))
        let stream = try await client.serverSentEvents(
            for: HTTPRequest(url: server.url),
            reconnection: rules
        )
        let received = Gate()
        let reader = Task { () async -> (any Error)? in
            do throws(ServerSentEventError) {
                for try await _ in stream { received.open() }
                return nil
            } catch {
                return error
            }
        }
        try await received.wait()
        reader.cancel()
        guard case .transport(let failure) = await reader.value as? ServerSentEventError else {
            Issue.record("the wait wasn't cancelled")
            return
        }
        #expect(failure.code == .cancelled && server.requests.count == 1)
        await client.shutdown()
    }

    @Test("A stream gives up when the next attempt would come after the deadline")
    func deadlineEndsStream() async throws {
        let stub = SequenceClient([.response(Array("data: a\n\n".utf8))])
        let stream = try await stub.serverSentEvents(
            for: HTTPRequest(url: "http://example.com/"),
            context: RequestContext(deadline: .now + .seconds(60))
        )
        var rules = ServerSentEventStream.Reconnection()
        (rules.delay, rules.maximumDelay, rules.jitter) = (.seconds(600), .seconds(600), 0)
        var reader = ServerSentEventReader(
            response: stream.response,
            connector: ServerSentEventConnector(
                client: stub,
                request: try HTTPRequest(url: "http://example.com/"),
                body: .none,
                context: RequestContext(deadline: .now + .seconds(60))
            ),
            lastEventID: "",
            reconnection: rules,
            limit: 100
        )
        #expect(try await reader.next()?.data == "a")
        let error = await #expect(throws: ServerSentEventError.self) { try await reader.next() }
        guard case .transport(let failure) = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        #expect(failure.code == .deadlineExceeded)
    }
}

/// Answers requests with prepared streams of events and errors, one after the other.
final class SequenceClient: HTTPExchanging {
    enum Answer: Sendable {
        case response([UInt8])
        case error(TransportError.Code)
    }

    let requests = EventRecorder<HTTPRequest>()
    private let answers: [Answer]

    init(_ answers: [Answer]) {
        self.answers = answers
    }

    func send(
        _ request: HTTPRequest,
        body: RequestBody,
        context: RequestContext
    ) async throws(TransportError) -> HTTPClientResponse {
        let index = requests.events.count
        requests.record(request)
        switch answers[min(index, answers.count - 1)] {
        case .response(let bytes):
            return HTTPClientResponse(
                head: ResponseHead(
                    status: .ok,
                    headerFields: [.contentType: "text/event-stream"]
                ),
                body: ResponseBody(bytes),
                request: request
            )
        case .error(let code):
            throw TransportError(code)
        }
    }
}
