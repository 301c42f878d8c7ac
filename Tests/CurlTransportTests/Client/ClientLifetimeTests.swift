internal import CurlTransport
internal import HTTPTypes
internal import TestSupport
internal import Testing

/// Clients that end within a time, or with a closure.
@Suite(.timeLimit(.minutes(10))) struct ClientLifetimeTests {
    @Test(
        "A transfer in flight completes within the grace, however long it is",
        arguments: [.seconds(300), .seconds(Int64.max)] as [Duration]
    )
    func transferCompletesWithinGrace(_ grace: Duration) async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in .text("x").after(gate) }
        let client = try HTTPClient(options: .patient)
        let request = try HTTPRequest(url: server.url)
        let body = Task { try await client.send(request).body.collect(upTo: 9) }
        try await server.requests(count: 1)
        let shutdown = Task.immediate { await client.shutdown(within: grace) }
        let refused = await #expect(throws: TransportError.self) { try await client.send(request) }
        #expect(refused?.code == .shutdown)
        gate.open()
        #expect(try await body.value == Array("x".utf8))
        await shutdown.value
    }

    @Test(
        "A transfer that takes longer than the grace is cancelled",
        arguments: [.milliseconds(1), .zero, .seconds(Int64.min)] as [Duration]
    )
    func transferIsCancelledAfterGrace(_ grace: Duration) async throws {
        let server = try LoopbackServer.scripted([.readHead, .stall])
        let client = try HTTPClient(options: .patient)
        let request = try HTTPRequest(url: server.url)
        let sent = Task { try await client.send(request) }
        try await server.requests(count: 1)
        await client.shutdown(within: grace)
        let error = await #expect(throws: TransportError.self) { try await sent.value }
        #expect(error?.code == .shutdown)
    }

    @Test("Of two shutdowns at once, the one with less grace ends the transfers")
    func shorterGraceCounts() async throws {
        let server = try LoopbackServer.scripted([.readHead, .stall])
        let client = try HTTPClient(options: .patient)
        let request = try HTTPRequest(url: server.url)
        let sent = Task { try await client.send(request) }
        try await server.requests(count: 1)
        let patient = Task.immediate { await client.shutdown(within: .seconds(3600)) }
        await client.shutdown(within: .milliseconds(1))
        await patient.value
        let error = await #expect(throws: TransportError.self) { try await sent.value }
        #expect(error?.code == .shutdown)
        await client.shutdown(within: .seconds(3600))
    }

    @Test("Cancelling the task ends the grace")
    func cancellationEndsTheGrace() async throws {
        let server = try LoopbackServer.scripted([.readHead, .stall])
        let client = try HTTPClient(options: .patient)
        let request = try HTTPRequest(url: server.url)
        let sent = Task { try await client.send(request) }
        try await server.requests(count: 1)
        let shutdown = Task { await client.shutdown(within: .seconds(3600)) }
        shutdown.cancel()
        await shutdown.value
        let error = await #expect(throws: TransportError.self) { try await sent.value }
        #expect(error?.code == .shutdown)
    }

    @Test("A client ends with its closure, whose value is returned")
    func clientEndsWithItsClosure() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let (kept, bytes) = try await HTTPClient.withClient(options: .patient) { client in
            let response = try await client.send(HTTPRequest(url: server.url))
            return (client, try await response.body.collect(upTo: 9))
        }
        #expect(bytes == Array("x".utf8))
        let error = await #expect(throws: TransportError.self) {
            try await kept.send(HTTPRequest(url: server.url))
        }
        #expect(error?.code == .shutdown)
    }

    private struct Failure: Error {}

    @Test("If the closure throws, transfers in flight are cancelled")
    func failingClosureCancelsTransfers() async throws {
        let server = try LoopbackServer.scripted([.readHead, .stall])
        let request = try HTTPRequest(url: server.url)
        let failed = Watched<TransportError?>(nil)
        await #expect(throws: Failure.self) {
            try await HTTPClient.withClient(options: .patient) { client in
                Task {
                    do throws(TransportError) {
                        _ = try await client.send(request)
                    } catch {
                        failed.update { $0 = error }
                    }
                }
                try await server.requests(count: 1)
                throw Failure()
            }
        }
        let error = try await failed.wait { $0 }
        #expect(error.code == .shutdown)
    }
}
