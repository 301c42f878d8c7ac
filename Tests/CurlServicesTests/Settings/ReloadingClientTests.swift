internal import Configuration
internal import CurlServices
internal import CurlTransport
internal import HTTPTypes
internal import Logging
internal import MetricsTestKit
internal import ServiceLifecycle
internal import TestSupport
internal import Testing

/// A client that follows its configuration while it runs.
@Suite(.timeLimit(.minutes(10))) struct ReloadingClientTests {
    private let provider = MutableInMemoryProvider(initialValues: ["userAgent": "first"])
    private let reloads = EventRecorder<Result<ClientSettings, TransportError>>()

    private func client(grace: Duration = .seconds(30)) throws -> ReloadingClient {
        let reader = ConfigReader(provider: provider)
        return try ReloadingClient(reading: reader, grace: grace) { [reloads] in
            reloads.record($0)
        }
    }

    private func fetch(_ client: ReloadingClient, _ server: LoopbackServer) async throws {
        let response = try await client.send(HTTPRequest(url: server.url))
        _ = try await response.body.collect(upTo: 9)
    }

    /// Ends the client, and waits for it.
    private func end(_ run: Task<Void, any Error>) async {
        run.cancel()
        await #expect(throws: CancellationError.self) { try await run.value }
    }

    @Test("After a change, new requests use the new options on the same connections")
    func changedOptionsAreUsed() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let client = try client()
        let run = Task { try await client.run() }
        try await fetch(client, server)
        provider.setValue("second", forKey: "userAgent")
        _ = try await reloads.wait(count: 1)
        try await fetch(client, server)
        #expect(server.requests.map { $0.header("User-Agent") } == ["first", "second"])
        #expect(server.acceptedConnectionCount == 1)
        #expect(client.settings.options.userAgent == "second")
        await end(run)
    }

    @Test("Changed limits give new connections, and requests in flight complete")
    func changedLimitsAreUsed() async throws {
        let gate = Gate()
        let server = try LoopbackServer { request in
            request.path == "/slow" ? .text("slow").after(gate) : .text("x")
        }
        let client = try client()
        let run = Task { try await client.run() }
        let slow = try HTTPRequest(url: server.url + "/slow")
        let sent = Task { try await client.send(slow).body.collect(upTo: 9) }
        try await server.requests(count: 1)
        provider.setValue(4, forKey: "connections.perHost")
        _ = try await reloads.wait(count: 1)
        #expect(client.settings.configuration.maximumConnectionsPerHost == 4)
        try await fetch(client, server)
        #expect(server.acceptedConnectionCount == 2)
        gate.open()
        #expect(try await sent.value == Array("slow".utf8))
        await end(run)
    }

    @Test("Settings that can't be used are reported, and the former ones remain")
    func invalidSettingsChangeNothing() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let client = try client()
        let run = Task { try await client.run() }
        provider.setValue("/nonexistent/ca.pem", forKey: "tls.roots")
        let results = try await reloads.wait(count: 1)
        let reported = try #require(results.first)
        #expect(throws: TransportError.self) { try reported.get() }
        try await fetch(client, server)
        #expect(server.requests.last?.header("User-Agent") == "first")
        #expect(client.settings.options.tls.trustRoots == .system)
        await end(run)
    }

    /// Records the lines of a logger.
    private struct LineHandler: LogHandler {
        let lines: EventRecorder<String>
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            lines.record("\(event.level) \(event.message) \(event.metadata ?? [:])")
        }
    }

    @Test("Without a closure, settings that can't be used are logged, without their values")
    func invalidSettingsAreLogged() async throws {
        let lines = EventRecorder<String>()
        let logger = Logger(label: "test") { _ in LineHandler(lines: lines) }
        let client = try ReloadingClient(reading: ConfigReader(provider: provider))
        let run = Task {
            try await withLogger(logger) { _ in try await client.run() }
        }
        provider.setValue("secret", forKey: "loops")
        let line = try #require(try await lines.wait(count: 1).first)
        #expect(line.hasPrefix("error client not reconfigured"))
        #expect(line.contains("loops") && !line.contains("secret"))
        await end(run)
    }

    @Test("Invalid settings at the start are an error")
    func invalidSettingsAtTheStart() {
        provider.setValue("many", forKey: "connections.perHost")
        #expect(throws: TransportError.self) { try client() }
    }

    @Test("The end of the service ends the client")
    func serviceEndsTheClient() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let client = try client()
        await end(Task { try await client.run() })
        let error = await #expect(throws: TransportError.self) {
            try await fetch(client, server)
        }
        #expect(error?.code == .shutdown)
    }

    private struct Recorder: TransferObserver {
        let ends = EventRecorder<TransferEnd>()

        func transferDidEnd(_ end: TransferEnd) { ends.record(end) }
    }

    /// Starts a request that never ends, and changes the limits after it.
    private func stall(
        _ client: ReloadingClient,
        _ server: LoopbackServer,
        _ recorder: Recorder
    ) async throws -> Task<Void, any Error> {
        let request = try HTTPRequest(url: server.url)
        let context = RequestContext(observers: [recorder])
        let sent = Task { _ = try await client.send(request, body: .none, context: context) }
        try await server.requests(count: 1)
        provider.setValue(4, forKey: "connections.perHost")
        _ = try await reloads.wait(count: 1)
        return sent
    }

    @Test("A cancelled service cancels transfers from before a change of limits")
    func cancellationEndsFormerTransfers() async throws {
        let server = try LoopbackServer.scripted([.readHead, .stall])
        let (client, recorder) = (try client(), Recorder())
        let run = Task { try await client.run() }
        let sent = try await stall(client, server, recorder)
        await end(run)
        #expect(recorder.ends.events.map(\.error?.code) == [.shutdown])
        sent.cancel()
        await #expect(throws: TransportError.self) { try await sent.value }
    }

    @Test("A graceful shutdown waits for transfers from before a change of limits")
    func gracefulShutdownWaitsForFormerTransfers() async throws {
        let server = try LoopbackServer.scripted([.readHead, .stall])
        let (client, recorder) = (try client(grace: .milliseconds(1)), Recorder())
        let group = ServiceGroup(
            services: [client],
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        let run = Task { try await group.run() }
        let sent = try await stall(client, server, recorder)
        await group.triggerGracefulShutdown()
        try await run.value
        // The grace has ended it before the service returned.
        #expect(recorder.ends.events.map(\.error?.code) == [.shutdown])
        sent.cancel()
        await #expect(throws: TransportError.self) { try await sent.value }
    }

    @Test("A reporter reports the connections of the current settings")
    func statisticsAreReported() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let (client, metrics) = (try client(), TestMetrics())
        let run = Task { try await client.run() }
        let reporter = StatisticsReporter(client, factory: metrics)
        try await fetch(client, server)
        await reporter.report()
        let meters = metrics.meters(
            label: "http.client.open_connections",
            dimensions: [("http.connection.state", "idle")]
        )
        let idle = try #require(meters.first)
        #expect(idle.lastValue == 1)
        provider.setValue(4, forKey: "connections.perHost")
        _ = try await reloads.wait(count: 1)
        await reporter.report()
        #expect(idle.lastValue == 0)
        await end(run)
    }
}
