internal import CurlTransport
internal import HTTPTypes
internal import TestSupport
internal import Testing

/// Observers learn of redirects, and once of the end of each transfer.
@Suite(.timeLimit(.minutes(10))) struct TransferObserverTests {
    /// Records what it observes, and replaces a field in the requests of redirects.
    private final class Recorder: TransferObserver {
        let ends = EventRecorder<TransferEnd>()
        let redirects = EventRecorder<(TransferID, Redirect)>()

        func transfer(
            _ id: TransferID,
            willFollow redirect: Redirect,
            with request: inout HTTPRequest
        ) {
            redirects.record((id, redirect))
            request.headerFields[.from] = "redirect \(redirect.count)"
        }

        func transferDidEnd(_ end: TransferEnd) { ends.record(end) }
    }

    private let recorder = Recorder()

    private var context: RequestContext { RequestContext(observers: [recorder]) }

    private func end() async throws -> TransferEnd {
        let ends = try await recorder.ends.wait(count: 1)
        #expect(ends.count == 1)
        return try #require(ends.first)
    }

    @Test("A completed transfer ends once, with its metrics, before its body's end is read")
    func completedTransferEndsOnce() async throws {
        let server = try LoopbackServer { _ in .text("hello", status: 404) }
        let client = try HTTPClient()
        let response = try await client.send(HTTPRequest(url: server.url), context: context)
        #expect(try await response.body.collect(upTo: 9) == Array("hello".utf8))
        #expect(recorder.ends.events.count == 1)
        let end = try await end()
        #expect(end.id == response.id)
        #expect(end.statusCode == 404)
        #expect(end.error == nil)
        #expect(end.metrics == response.metrics)
        #expect(end.metrics.bodyBytes == 5)
        #expect(end.request.url == server.url + "/")
        await client.shutdown()
        #expect(recorder.ends.events.count == 1)
    }

    /// Holds the end of a transfer back at a gate.
    private final class Holding: TransferObserver {
        let entered = Gate()
        let gate = Gate()
        let hasReturned = Gate()

        func transferDidEnd(_ end: TransferEnd) {
            entered.open()
            gate.waitBlocking()
            hasReturned.open()
        }
    }

    @Test("No reader sees the end of a body before the observers know it")
    func observersKnowTheEndFirst() async throws {
        let (rest, observer) = (Gate(), Holding())
        let server = try LoopbackServer.scripted([
            .readHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n"), .waitFor(rest),
            .send("abc"), .stall,
        ])
        let client = try HTTPClient()
        let response = try await client.send(
            HTTPRequest(url: server.url),
            context: RequestContext(observers: [observer])
        )
        rest.open()
        try await observer.entered.wait()
        // It reads before the gate opens, up to where it has to wait.
        let reader = Task.immediate {
            let bytes = try await response.body.collect(upTo: 9)
            return (bytes, observer.hasReturned.isOpen)
        }
        observer.gate.open()
        let (bytes, isObserved) = try await reader.value
        #expect(bytes == Array("abc".utf8) && isObserved)
        await client.shutdown()
    }

    @Test("A failure before the response ends the transfer, and names it")
    func failureBeforeResponseIsObserved() async throws {
        let client = try HTTPClient()
        let request = try HTTPRequest(
            url: "http://127.0.0.1:\(try LoopbackServer.unusedPort())/"
        )
        let context = context
        let error = await #expect(throws: TransportError.self) {
            try await client.send(request, context: context)
        }
        let end = try await end()
        #expect(end.error?.code == .connectRefused)
        #expect(end.statusCode == nil)
        #expect(error?.transferID == end.id)
        #expect(error?.metrics == end.metrics)
        #expect(end.metrics.total > .zero)
    }

    @Test("A failure in the body ends the transfer with the status")
    func failureInBodyIsObserved() async throws {
        let server = try LoopbackServer.scripted([
            .readHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"), .reset,
        ])
        let client = try HTTPClient()
        let response = try await client.send(HTTPRequest(url: server.url), context: context)
        let error = await #expect(throws: TransportError.self) {
            try await response.body.collect(upTo: 100)
        }
        let end = try await end()
        #expect(end.statusCode == 200)
        #expect(end.error == error)
        #expect(error?.transferID == response.id)
        #expect(error?.metrics == end.metrics)
    }

    @Test("A body over the limit ends the transfer with responseTooLarge")
    func tooLargeBodyIsObserved() async throws {
        let server = try LoopbackServer.scripted([
            .readHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabcdef"), .stall,
        ])
        let client = try HTTPClient()
        let response = try await client.send(HTTPRequest(url: server.url), context: context)
        let error = await #expect(throws: TransportError.self) {
            try await response.body.collect(upTo: 2)
        }
        #expect(error?.code == .responseTooLarge)
        #expect(error?.transferID == response.id)
        let code = try #require(try await end().error?.code)
        #expect([.responseTooLarge, .cancelled].contains(code))
    }

    @Test("Releasing a response unread ends its transfer as cancelled")
    func releasedResponseIsObserved() async throws {
        let server = try LoopbackServer.scripted([
            .readHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"), .stall,
        ])
        let client = try HTTPClient()
        _ = try await client.send(HTTPRequest(url: server.url), context: context)
        #expect(try await end().error?.code == .cancelled)
    }

    @Test("A request that can't start has one end, too", arguments: [0, 1, 2])
    func refusedRequestIsObserved(_ kind: Int) async throws {
        let client = try HTTPClient()
        let passed = kind == 0 ? ContinuousClock.now - .seconds(1) : nil
        let refused = RequestContext(deadline: passed, observers: [recorder])
        let body = kind == 1 ? RequestBody.file(path: "/nonexistent/file") : .none
        var request = try HTTPRequest(url: "http://127.0.0.1:1/")
        if kind == 2 { request.path = "not absolute" }
        let sent = request
        let error = await #expect(throws: TransportError.self) {
            try await client.send(sent, body: body, context: refused)
        }
        let end = try await end()
        #expect(end.error == error)
        #expect(end.id == error?.transferID)
        #expect(end.statusCode == nil)
    }

    @Test("Observers see redirects and change their requests, in order")
    func redirectsAreObserved() async throws {
        let server = try LoopbackServer { request in
            switch request.path {
            case "/": .redirect(to: "/b")
            case "/b": .redirect(307, to: "/c")
            default: .text(request.header("From") ?? "-")
            }
        }
        let client = try HTTPClient()
        let response = try await client.send(HTTPRequest(url: server.url + "/"), context: context)
        #expect(try await response.body.collect(upTo: 99) == Array("redirect 2".utf8))
        #expect(server.requests.map { $0.header("From") } == [nil, "redirect 1", "redirect 2"])
        #expect(response.request.headerFields[.from] == "redirect 2")
        #expect(response.url == server.url + "/c")
        let seen = recorder.redirects.events
        #expect(seen.map(\.0) == [response.id, response.id])
        #expect(seen.map(\.1.statusCode) == [302, 307])
        #expect(try await end().metrics.redirectCount == 2)
    }

    @Test("Observers change the request that a redirect hook has chosen")
    func redirectHookComesFirst() async throws {
        let server = try LoopbackServer { request in
            request.path == "/" ? .redirect(to: "/b") : .text(request.path)
        }
        var hooks = ClientHooks()
        hooks.redirect = { redirect in
            var request = redirect.request
            request.path = "/hook"
            return .followChanged(request)
        }
        var options = TransferOptions()
        options.redirects.mode = .ask
        let client = try HTTPClient(options: options, hooks: hooks)
        let response = try await client.send(HTTPRequest(url: server.url + "/"), context: context)
        #expect(try await response.body.collect(upTo: 99) == Array("/hook".utf8))
        #expect(server.requests.last?.header("From") == "redirect 1")
        #expect(response.url == server.url + "/hook")
    }
}

extension HTTPField.Name {
    fileprivate static let from = Self("From") ?? .server
}
