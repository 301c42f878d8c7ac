internal import CurlServices
internal import CurlTransport
internal import HTTPTypes
internal import Logging
internal import ServiceLifecycle
internal import TestSupport
internal import Testing

/// A client as a service of a service group.
@Suite(.timeLimit(.minutes(10))) struct HTTPClientServiceTests {
    /// Opens a gate when it runs, and ends with the group.
    private struct Started: Service {
        let gate: Gate

        func run() async throws {
            gate.open()
            try await gracefulShutdown()
        }
    }

    private func group(_ client: HTTPClient, grace: Duration, _ started: Gate) -> ServiceGroup {
        ServiceGroup(
            services: [HTTPClientService(client, grace: grace), Started(gate: started)],
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
    }

    @Test("A graceful shutdown lets transfers complete")
    func gracefulShutdownCompletesTransfers() async throws {
        let (gate, started) = (Gate(), Gate())
        let server = try LoopbackServer { _ in .text("x").after(gate) }
        let client = try HTTPClient()
        let group = group(client, grace: .seconds(300), started)
        let run = Task { try await group.run() }
        try await started.wait()
        let request = try HTTPRequest(url: server.url)
        let body = Task { try await client.send(request).body.collect(upTo: 9) }
        try await server.requests(count: 1)
        await group.triggerGracefulShutdown()
        gate.open()
        #expect(try await body.value == Array("x".utf8))
        try await run.value
        let error = await #expect(throws: TransportError.self) { try await client.send(request) }
        #expect(error?.code == .shutdown)
    }

    @Test("After the grace, a graceful shutdown cancels transfers")
    func graceEnds() async throws {
        let started = Gate()
        let server = try LoopbackServer.scripted([.readHead, .stall])
        let client = try HTTPClient()
        let group = group(client, grace: .milliseconds(1), started)
        let run = Task { try await group.run() }
        try await started.wait()
        let request = try HTTPRequest(url: server.url)
        let sent = Task { try await client.send(request) }
        try await server.requests(count: 1)
        await group.triggerGracefulShutdown()
        try await run.value
        let error = await #expect(throws: TransportError.self) { try await sent.value }
        #expect(error?.code == .shutdown)
    }

    @Test("Cancelling the group during the grace cancels transfers at once")
    func cancellationEndsTheGrace() async throws {
        let started = Gate()
        let server = try LoopbackServer.scripted([.readHead, .stall])
        let client = try HTTPClient()
        let group = group(client, grace: .seconds(3600), started)
        let run = Task { try await group.run() }
        try await started.wait()
        let request = try HTTPRequest(url: server.url)
        let sent = Task { try await client.send(request) }
        try await server.requests(count: 1)
        await group.triggerGracefulShutdown()
        run.cancel()
        _ = await run.result
        let error = await #expect(throws: TransportError.self) { try await sent.value }
        #expect(error?.code == .shutdown)
    }

    @Test("A cancelled service cancels transfers at once")
    func cancellationCancelsTransfers() async throws {
        let server = try LoopbackServer.scripted([.readHead, .stall])
        let client = try HTTPClient()
        let run = Task { try await HTTPClientService(client, grace: .seconds(3600)).run() }
        let request = try HTTPRequest(url: server.url)
        let sent = Task { try await client.send(request) }
        try await server.requests(count: 1)
        run.cancel()
        await #expect(throws: CancellationError.self) { try await run.value }
        let error = await #expect(throws: TransportError.self) { try await sent.value }
        #expect(error?.code == .shutdown)
    }
}
