internal import CurlTransport
internal import HTTPTypes
internal import TestSupport
internal import Testing

/// Requests end at their deadline, whatever their phase.
@Suite(.timeLimit(.minutes(10))) struct DeadlineTests {
    /// Sends a request with a short deadline and returns its error.
    ///
    /// Expects that the request doesn't end before the deadline. On a busy machine the deadline may
    /// pass before the request reaches `phase`; the request is then sent again with a later
    /// deadline.
    private func failure(
        _ url: String,
        in phase: TransportError.Phase,
        body: RequestBody = .none,
        _ client: HTTPClient? = nil
    ) async throws -> TransportError {
        let client = try client ?? HTTPClient(options: .patient)
        var limit = Duration.milliseconds(200)
        while true {
            let error = try await failure(url, after: limit, body: body, client)
            guard error.phase != phase, limit < .seconds(60) else { return error }
            limit *= 4
        }
    }

    private func failure(
        _ url: String,
        after limit: Duration,
        body: RequestBody,
        _ client: HTTPClient
    ) async throws -> TransportError {
        let deadline = ContinuousClock.now + limit
        let request = try HTTPRequest(method: .post, url: url)
        do throws(TransportError) {
            let response = try await client.send(request, body: body, deadline: deadline)
            _ = try await response.body.collect(upTo: 1 << 20)
        } catch {
            // Two clocks are involved, hence the tolerance of 5 ms.
            #expect(ContinuousClock.now - deadline > .milliseconds(-5))
            #expect(error.code == .deadlineExceeded)
            #expect(error.isTimeout)
            return error
        }
        throw UnexpectedSuccess()
    }

    @Test("A request past its deadline is not sent", arguments: [Duration.zero, .seconds(3600)])
    func passedDeadlineSendsNothing(_ age: Duration) async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let client = try HTTPClient(options: .patient)
        let request = try HTTPRequest(url: server.url + "/path?secret=1")
        let error = try #require(
            await #expect(throws: TransportError.self) {
                try await client.send(request, deadline: .now - age)
            }
        )
        #expect(error.code == .deadlineExceeded)
        #expect(error.phase == .queued)
        #expect(error.retry == .always)
        #expect(error.url == server.url + "/path")
        #expect(error.message.contains("before it was sent"))
        await client.shutdown()
        #expect(server.acceptedConnectionCount == 0)
    }

    @Test("A queued request fails when its deadline passes")
    func deadlineEndsQueuedRequest() async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in .text("x").after(gate) }
        var configuration = TransportConfiguration()
        configuration.maximumConnections = 1
        let client = try HTTPClient(configuration: configuration, options: .patient)
        async let held = client.send(HTTPRequest(url: server.url))
        _ = try await server.requestHead(0)
        let error = try await failure(server.url, in: .queued, client)
        #expect(error.phase == .queued)
        gate.open()
        #expect(try await held.statusCode == 200)
        #expect(server.requestCount == 1)
    }

    @Test("A connecting request fails when its deadline passes")
    func deadlineEndsConnecting() async throws {
        let listener = try FullListener()
        let error = try await failure(listener.url, in: .tcp)
        #expect(error.phase == .tcp)
    }

    @Test("A request that waits for its response fails when its deadline passes")
    func deadlineEndsWaitForHead() async throws {
        let server = try LoopbackServer.scripted([.readHead, .stall])
        let error = try await failure(server.url, in: .waiting)
        #expect(error.phase == .waiting)
        #expect(error.peer == "127.0.0.1:\(server.port)")
    }

    @Test("An upload whose body stalls fails when its deadline passes")
    func deadlineEndsUpload() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let error = try await failure(
            server.url,
            in: .sending,
            body: .stream(restartable: { SilentStream(after: [[1]]) })
        )
        #expect(error.phase == .sending)
    }

    @Test("A response whose body stalls fails when its deadline passes")
    func deadlineEndsBody() async throws {
        let server = try LoopbackServer.scripted([
            .readHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"), .stall,
        ])
        let error = try await failure(server.url, in: .receiving)
        #expect(error.phase == .receiving)
        #expect(error.bytesReceived == 3)
    }

    @Test("A deadline covers a request and all its redirects")
    func deadlineCoversRedirects() async throws {
        let server = try LoopbackServer { request in
            .redirect(to: "/\(request.connection)").after(.milliseconds(60))
        }
        let client = try HTTPClient(options: .patient)
        _ = try await failure(server.url, after: .milliseconds(200), body: .none, client)
    }

    @Test("The earlier of deadline and total timeout ends a request", arguments: [true, false])
    func earlierLimitCounts(isDeadlineEarlier: Bool) async throws {
        let server = try LoopbackServer.scripted([.readHead, .stall])
        let client = try HTTPClient(options: .patient)
        var options = TransferOptions.patient
        let (early, late) = (Duration.milliseconds(900), Duration.seconds(600))
        options.timeouts.total = isDeadlineEarlier ? late : early
        let request = try HTTPRequest(url: server.url)
        let error = try #require(
            await #expect(throws: TransportError.self) {
                try await client.send(
                    request,
                    options: options,
                    deadline: .now + (isDeadlineEarlier ? early : late)
                )
            }
        )
        #expect(error.code == .deadlineExceeded)
        #expect(error.message.contains("within 0."))
    }

    @Test("A request that ends before its deadline succeeds as without a deadline")
    func laterDeadlineChangesNothing() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let client = try HTTPClient(options: .patient)
        let request = try HTTPRequest(url: server.url)
        let deadline = ContinuousClock.now + .seconds(600)
        let prepared = try PreparedOptions(.patient)
        let folder = try TemporaryDirectory()
        for response in [
            try await client.send(request, deadline: deadline),
            try await client.send(request, options: .patient, deadline: deadline),
            try await client.send(request, options: prepared, deadline: deadline),
        ] {
            #expect(try await response.body.collect(upTo: 10) == Array("x".utf8))
        }
        let path = folder.path("x")
        _ = try await client.download(request, to: path, deadline: deadline)
        _ = try await client.download(request, to: path, options: .patient, deadline: deadline)
        #expect(try TemporaryDirectory.bytes(ofFile: path) == Array("x".utf8))
        #expect(server.acceptedConnectionCount <= 3)
    }
}
