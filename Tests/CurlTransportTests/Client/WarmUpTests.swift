internal import CurlTransport
internal import HTTPTypes
internal import TestSupport
internal import Testing

@Suite(.timeLimit(.minutes(10))) struct WarmUpTests {
    private func client() throws -> HTTPClient {
        var configuration = TransportConfiguration()
        // On a busy machine a test's next request may come late.
        configuration.idleConnectionLifetime = .seconds(3600)
        return try HTTPClient(configuration: configuration, options: .patient)
    }

    @Test("Requests use the connections that were opened before")
    func requestsUseWarmConnections() async throws {
        let gate = Gate()
        let server = try LoopbackServer { request in
            request.method == "HEAD" ? .status(405).after(gate) : .text("x")
        }
        let client = try client()
        let warmUp = Task { try await client.warmUp(server.url, count: 3) }
        try await server.requests(count: 3)
        gate.open()
        #expect(try await warmUp.value == 3)
        for _ in 0..<5 {
            let response = try await client.send(HTTPRequest(url: server.url))
            #expect(try await response.body.collect(upTo: 10) == Array("x".utf8))
            #expect(response.metrics?.isConnectionReused == true)
        }
        #expect(server.acceptedConnectionCount == 3)
        #expect(try await client.warmUp(server.url) == 0)
        await client.shutdown()
    }

    @Test("A server that can't be reached is an error")
    func unreachableServerIsAnError() async throws {
        let client = try client()
        let url = "http://127.0.0.1:\(try LoopbackServer.unusedPort())/"
        let error = await #expect(throws: TransportError.self) {
            try await client.warmUp(url, count: 2)
        }
        #expect(error?.code == .connectRefused)
        #expect(try await client.warmUp(url, count: 0) == 0)
        await client.shutdown()
    }

    @Test("If the task is cancelled while requests begin, none of them remains")
    func cancellationLeavesNoRequest() async throws {
        let never = Gate()
        let server = try LoopbackServer { _ in .status(204).after(never) }
        var configuration = TransportConfiguration()
        configuration.maximumConnectionsPerHost = 1
        let client = try HTTPClient(configuration: configuration, options: .patient)
        // The first one arrives at the server long before the last one begins.
        let warmUp = Task { try await client.warmUp(server.url, count: 20_000) }
        try await server.requests(count: 1)
        warmUp.cancel()
        let error = await #expect(throws: TransportError.self) { try await warmUp.value }
        #expect(error?.code == .cancelled)
        let statistics = await client.statistics()
        #expect(statistics.loops.map(\.transfers) == [0])
        await client.shutdown()
    }
}
