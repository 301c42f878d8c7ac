internal import CurlTransport
internal import HTTPTypes
internal import TestSupport
internal import Testing

/// What a client reports about its origins and loops.
@Suite(.timeLimit(.minutes(10))) struct TransportStatisticsTests {
    private func client(
        _ configure: (inout TransportConfiguration) -> Void = { _ in }
    ) throws -> HTTPClient {
        var configuration = TransportConfiguration()
        // On a busy machine a test's next request may come late.
        configuration.idleConnectionLifetime = .seconds(3600)
        configure(&configuration)
        return try HTTPClient(configuration: configuration, options: .patient)
    }

    private func origin(
        _ statistics: TransportStatistics,
        _ server: LoopbackServer
    ) throws -> OriginStatistics {
        let origin = statistics.origins.first { $0.origin == "http://127.0.0.1:\(server.port)" }
        return try #require(origin)
    }

    @Test("Active and waiting requests are counted, and connections once they are over")
    func requestsAndConnectionsAreCounted() async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in .text("x").after(gate) }
        let client = try client { $0.maximumConnectionsPerHost = 1 }
        let request = try HTTPRequest(url: server.url)
        // Each has been posted to the loop when `immediate` returns, so the loop knows it before it
        // is asked for statistics.
        let tasks = (0..<3).map { _ in
            Task.immediate { try await client.send(request).body.collect(upTo: 9) }
        }
        try await server.requests(count: 1)
        let busy = try origin(await client.statistics(), server)
        #expect(busy.active == 1 && busy.waiting == 2)
        #expect(busy.opened == 1 && busy.reused == 0 && busy.idle == 0)
        #expect(busy.activeConnections == 1)
        let first = try #require(busy.oldestWait)
        let next = try origin(await client.statistics(), server)
        let later = try #require(next.oldestWait)
        #expect(first >= .zero && later >= first)
        gate.open()
        for task in tasks { #expect(try await task.value == Array("x".utf8)) }
        let statistics = await client.statistics()
        let quiet = try origin(statistics, server)
        #expect(quiet.active == 0 && quiet.waiting == 0 && quiet.oldestWait == nil)
        #expect(quiet.opened == 1 && quiet.reused == 2 && quiet.idle == 1)
        #expect(quiet.activeConnections == 0)
        #expect(statistics.loops.map(\.idleConnections) == [1])
        #expect(statistics.loops.map(\.activeConnections) == [0])
        #expect(statistics.loops.map(\.transfers) == [0])
        await client.shutdown()
    }

    @Test(
        "A connection over HTTP/2 is active once, however many requests it has",
        .enabled(if: NginxPeer.isAvailable)
    )
    func streamsShareOneActiveConnection() async throws {
        let gate = Gate()
        let upstream = try LoopbackServer { _ in .text("x").after(gate) }
        let nginx = try await NginxPeer.start(upstream: upstream.url)
        defer { nginx.stop() }
        let client = try client()
        var options = TransferOptions.patient
        options.httpVersion = .http2
        options.tls.trustRoots = .file(try Certificates.shared().authority)
        let context = RequestContext(options: try PreparedOptions(options))
        let request = try HTTPRequest(url: nginx.url(.https, "/upstream/"))
        let tasks = (0..<5).map { _ in
            Task { try await client.send(request, context: context).body.collect(upTo: 9) }
        }
        try await upstream.requests(count: 5)
        let busy = try #require(await client.statistics().origins.first)
        #expect(busy.active == 5 && busy.activeConnections == 1 && busy.idle == 0)
        gate.open()
        for task in tasks { #expect(try await task.value == Array("x".utf8)) }
        let quiet = await client.statistics()
        #expect(quiet.origins.map(\.activeConnections) == [0])
        #expect(quiet.origins.map(\.idle) == [1])
        await client.shutdown()
    }

    @Test("A name that can't be resolved is counted for its origin")
    func failedLookupIsCounted() async throws {
        let client = try client()
        // A label is too long to be looked up.
        let host = String(repeating: "x", count: 64) + ".test"
        let request = try HTTPRequest(url: "http://\(host)/")
        let error = await #expect(throws: TransportError.self) { try await client.send(request) }
        #expect(error?.code == .hostNotFound)
        let statistics = await client.statistics()
        let origin = try #require(statistics.origins.first)
        #expect(origin.origin == "http://\(host):80")
        #expect(origin.failedLookups == 1 && origin.opened == 0 && origin.active == 0)
        await client.shutdown()
    }

    @Test("A connection that is replaced during a request is opened again")
    func replacedConnectionIsOpenedAgain() async throws {
        let server = try LoopbackServer { request in
            request.path == "/" ? .text("x") : .text("y").closing()
        }
        let client = try client()
        for path in ["/", "/close", "/", "/"] {
            let response = try await client.send(HTTPRequest(url: server.url + path))
            _ = try await response.body.collect(upTo: 9)
        }
        let origin = try origin(await client.statistics(), server)
        #expect(origin.opened == 2 && origin.reused == 2)
        await client.shutdown()
    }

    @Test("Each loop reports its load, and none does after the shutdown")
    func loopsReportTheirLoad() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let client = try client { $0.eventLoopCount = 2 }
        _ = try await client.send(HTTPRequest(url: server.url)).body.collect(upTo: 9)
        let loops = await client.statistics().loops
        #expect(loops.map(\.index) == [0, 1])
        #expect(loops.allSatisfy { $0.age > .zero && $0.busyTime > .zero })
        #expect(loops.allSatisfy { (0...1).contains($0.busyShare()) })
        await client.shutdown()
        let ended = await client.statistics()
        #expect(ended == TransportStatistics())
    }

    @Test("The busy share is the processor time in the time between two reports")
    func busyShareIsOfTheTimeBetween() {
        var earlier = LoopStatistics(index: 0)
        #expect(earlier.busyShare() == 0)
        earlier.age = .seconds(4)
        earlier.busyTime = .seconds(1)
        var later = earlier
        #expect(later.busyShare(since: earlier) == 0)
        later.age = .seconds(8)
        later.busyTime = .seconds(4)
        #expect(later.busyShare(since: earlier) == 0.75)
        #expect(earlier.busyShare() == 0.25)
    }
}
