internal import Configuration
internal import CurlTransport
internal import HTTPTypes
internal import MetricsTestKit
internal import TestSupport
internal import Testing

@testable internal import CurlServices

/// A client's statistics as metrics.
@Suite(.timeLimit(.minutes(10))) struct StatisticsReporterTests {
    @Test("Connections, queue and load are reported, until the client has forgotten them")
    func statisticsAreReported() async throws {
        let metrics = TestMetrics()
        let gate = Gate()
        let server = try LoopbackServer { _ in .text("x").after(gate) }
        var configuration = TransportConfiguration()
        configuration.maximumConnectionsPerHost = 1
        // On a busy machine the last report may come late.
        configuration.idleConnectionLifetime = .seconds(3600)
        let client = try HTTPClient(configuration: configuration)
        let reporter = StatisticsReporter(client, factory: metrics)
        let request = try HTTPRequest(url: server.url)
        let tasks = (0..<2).map { _ in
            Task.immediate { try await client.send(request).body.collect(upTo: 9) }
        }
        try await server.requests(count: 1)
        await reporter.report()
        let dimensions = [
            ("server.address", "127.0.0.1"), ("server.port", "\(server.port)"),
            ("url.scheme", "http"),
        ]
        let queued = try metrics.expectMeter("http.client.queued_requests", dimensions)
        let idle = try metrics.expectMeter(
            "http.client.open_connections",
            dimensions + [("http.connection.state", "idle")]
        )
        let active = try metrics.expectMeter(
            "http.client.open_connections",
            dimensions + [("http.connection.state", "active")]
        )
        #expect(queued.lastValue == 1 && idle.lastValue == 0 && active.lastValue == 1)
        gate.open()
        for task in tasks { _ = try await task.value }
        await reporter.report()
        #expect(queued.lastValue == 0 && idle.lastValue == 1 && active.lastValue == 0)
        let busy = try metrics.expectMeter("http.client.event_loop.busy", [("loop", "0")])
        #expect(busy.lastValue.map { (0...1).contains($0) } == true)
        let wait = try metrics.expectMeter("http.client.queue.oldest_wait", dimensions)
        #expect(wait.lastValue == 0)
        // The client knows no server and has no loop after its end.
        await client.shutdown()
        await reporter.report()
        #expect(idle.lastValue == 0 && active.lastValue == 0 && busy.lastValue == 0)
        #expect(metrics.meters.isEmpty)
    }

    @Test("The reporters of named clients have meters of their own")
    func namedClientsHaveTheirOwnMeters() async throws {
        let metrics = TestMetrics()
        let server = try LoopbackServer { _ in .text("x") }
        let clients = [try HTTPClient(), try HTTPClient()]
        for client in clients {
            let response = try await client.send(HTTPRequest(url: server.url))
            _ = try await response.body.collect(upTo: 9)
        }
        let reporters = [
            StatisticsReporter(clients[0], name: "a", factory: metrics),
            StatisticsReporter(clients[1], name: "b", factory: metrics),
        ]
        for reporter in reporters { await reporter.report() }
        for name in ["a", "b"] {
            let meters = metrics.meters(
                label: "http.client.open_connections",
                dimensions: [("client", name), ("http.connection.state", "idle")]
            )
            #expect(meters.map(\.lastValue) == [1])
        }
        for client in clients { await client.shutdown() }
    }

    @Test("A blocked loop is busy, and its time before that is counted when it answers again")
    func blockedLoopIsBusy() async throws {
        let metrics = TestMetrics()
        var loop = LoopStatistics(index: 0)
        loop.age = .seconds(10)
        loop.busyTime = .seconds(1)
        let reported = Watched(loop)
        let reporter = StatisticsReporter(
            of: { TransportStatistics(loops: [reported.read { $0 }]) },
            name: nil,
            every: .seconds(10),
            factory: metrics
        )
        await reporter.report()
        let busy = try metrics.expectMeter("http.client.event_loop.busy", [("loop", "0")])
        #expect(busy.lastValue == 0.1)
        reported.update { $0.isResponsive = false }
        await reporter.report()
        #expect(busy.lastValue == 1)
        reported.update { loop in
            loop.isResponsive = true
            loop.age = .seconds(30)
            loop.busyTime = .seconds(6)
        }
        await reporter.report()
        #expect(busy.lastValue == 0.25)
    }

    @Test(
        "A reporter ends when its task is cancelled",
        arguments: [.seconds(3600), .seconds(Int64.max), .seconds(Int64.min)] as [Duration]
    )
    func reporterEndsWithItsTask(_ interval: Duration) async throws {
        let metrics = TestMetrics()
        let client = try HTTPClient()
        let reporter = StatisticsReporter(client, every: interval, factory: metrics)
        let run = Task.immediate { try await reporter.run() }
        run.cancel()
        try await run.value
        await client.shutdown()
    }
}
