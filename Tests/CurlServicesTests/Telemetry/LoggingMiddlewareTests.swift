internal import CurlResilience
internal import CurlServices
internal import CurlTransport
internal import HTTPTypes
internal import InMemoryLogging
internal import Logging
internal import TestSupport
internal import Testing

/// The lines that are logged about requests.
@Suite(.timeLimit(.minutes(10))) struct LoggingMiddlewareTests {
    private let handler = InMemoryLogHandler()

    private func logger(_ level: Logger.Level) -> Logger {
        var logger = Logger(label: "test") { [handler] _ in handler }
        logger.logLevel = level
        return logger
    }

    private func client(
        _ level: Logger.Level,
        _ reply: StubReply,
        _ others: [any HTTPMiddleware] = []
    ) -> MiddlewareChain {
        let logging: any HTTPMiddleware = LoggingMiddleware(logger(level))
        return MiddlewareChain([logging] + others, around: StubClient { _ in reply })
    }

    private func text(_ entry: InMemoryLogHandler.Entry, _ key: String) -> String? {
        entry.metadata[key].map { "\($0)" }
    }

    @Test("A request has a line when its body has ended, without its query")
    func endedRequestIsLogged() async throws {
        // Its body arrives with the reader, not before.
        let reply = StubReply.text("hello").delayed(by: .zero, eachChunkBy: .nanoseconds(1))
        let client = client(.debug, reply)
        let request = try HTTPRequest(url: "https://ada:secret@shop.example/a?token=secret")
        let context = RequestContext(name: "GET /a")
        let response = try await client.send(request, body: .none, context: context)
        #expect(handler.entries.isEmpty)
        _ = try await response.body.collect(upTo: 9)
        let entry = try #require(handler.entries.first)
        #expect(handler.entries.count == 1)
        #expect(entry.level == .debug && "\(entry.message)" == "request ended")
        #expect(text(entry, "http.request.method") == "GET")
        #expect(text(entry, "url.full") == "https://shop.example/a")
        #expect(text(entry, "url.template") == "/a")
        #expect(text(entry, "http.response.status_code") == "200")
        #expect(text(entry, "http.response.body.size") == "5")
        #expect(!"\(handler.entries)".contains("secret"))
    }

    @Test("A failed request has a line at debug with the error's code, and none above")
    func failedRequestIsLogged() async throws {
        let client = client(.debug, .failure(.connectRefused))
        let request = try HTTPRequest(url: "https://shop.example/")
        await #expect(throws: TransportError.self) { try await client.send(request) }
        let entry = try #require(handler.entries.first)
        #expect(handler.entries.count == 1 && entry.level == .debug)
        #expect("\(entry.message)" == "request failed")
        #expect(text(entry, "error.type") == "connectRefused")
    }

    @Test("At trace, each retry has a line, and the request has one at its end")
    func retriesAreLogged() async throws {
        var policy = RetryMiddleware.Policy()
        policy.baseDelay = .zero
        policy.limit = 1
        let client = client(.trace, .status(.serviceUnavailable), [RetryMiddleware(policy)])
        let response = try await client.send(HTTPRequest(url: "https://shop.example/"))
        #expect(response.statusCode == 503)
        _ = try await response.body.collect(upTo: 9)
        let messages = handler.entries.map { "\($0.message)" }
        #expect(
            messages == ["sending request", "transfer ended", "transfer ended", "request ended"]
        )
    }

    @Test("A password in the authority of a request that is refused isn't logged")
    func userInfoIsNotLogged() async throws {
        let client = try HTTPClient(middleware: [LoggingMiddleware(logger(.trace))])
        var request = try HTTPRequest(url: "https://shop.example/a")
        request.authority = "ada:se?cret@shop.example"
        let sent = request
        await #expect(throws: TransportError.self) { try await client.send(sent) }
        let entry = try #require(handler.entries.last)
        #expect("\(entry.message)" == "request failed")
        #expect(text(entry, "url.full") == "https://shop.example/a")
        #expect(!"\(handler.entries)".contains("cret"))
        await client.shutdown()
    }

    @Test("Nothing is logged at info")
    func infoLogsNothing() async throws {
        let client = client(.info, .failure(.connectRefused))
        let request = try HTTPRequest(url: "https://shop.example/")
        await #expect(throws: TransportError.self) { try await client.send(request) }
        #expect(handler.entries.isEmpty)
    }

    @Test("A real client's redirects and its peer are logged")
    func redirectsOfClientAreLogged() async throws {
        let server = try LoopbackServer { request in
            request.path == "/" ? .redirect(to: "/b?x=secret") : .text("b")
        }
        let client = try HTTPClient(middleware: [LoggingMiddleware(logger(.trace))])
        let response = try await client.send(HTTPRequest(url: server.url))
        _ = try await response.body.collect(upTo: 9)
        let entries = handler.entries
        let redirect = try #require(entries.first { "\($0.message)" == "following redirect" })
        #expect(text(redirect, "url.target") == server.url + "/b")
        #expect(text(redirect, "http.response.status_code") == "302")
        let end = try #require(entries.last)
        #expect("\(end.message)" == "request ended")
        #expect(text(end, "network.peer") == "127.0.0.1:\(server.port)")
        #expect(text(end, "network.protocol.version") == "1.1")
        await client.shutdown()
    }

    @TaskLocal private static var span: String?

    @Test("Lines that are logged on a loop thread have the task's metadata from the provider")
    func providedMetadataIsInAllLines() async throws {
        let server = try LoopbackServer { request in
            request.path == "/" ? .redirect(to: "/b") : .text("b")
        }
        var logger = logger(.trace)
        logger.handler.metadataProvider = Logger.MetadataProvider {
            Self.span.map { ["span": .string($0)] } ?? [:]
        }
        let client = try HTTPClient(middleware: [LoggingMiddleware(logger)])
        let response = try await Self.$span.withValue("17") {
            try await client.send(HTTPRequest(url: server.url))
        }
        _ = try await response.body.collect(upTo: 9)
        await client.shutdown()
        #expect(handler.entries.map { "\($0.message)" }.contains("request ended"))
        #expect(handler.entries.map { text($0, "span") } == ["17", "17", "17", "17"])
    }

    @Test("The observer of sessions logs the end of a transfer at debug")
    func observerLogsTransfers() throws {
        let observer = LoggingMiddleware(logger(.debug)).observer
        let request = try HTTPRequest(url: "https://shop.example/a?token=secret")
        let error = TransportError(.idleTimeout)
        observer.transferDidEnd(TransferEnd(id: TransferID(), request: request, error: error))
        let entry = try #require(handler.entries.first)
        #expect("\(entry.message)" == "request failed" && entry.level == .debug)
        #expect(text(entry, "url.full") == "https://shop.example/a")
        #expect(text(entry, "error.type") == "idleTimeout")
    }
}
