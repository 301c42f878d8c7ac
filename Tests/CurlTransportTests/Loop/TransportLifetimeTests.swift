internal import CurlTransport
internal import TestSupport
internal import Testing

@Suite(.timeLimit(.minutes(1))) struct TransportLifetimeTests {
    @Test func aTransportThatNobodyHoldsFinishesItsTransfers() async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in .text("x").after(gate) }
        let delegate = RecordingDelegate()
        try Rig().start(server.url, delegate: delegate)
        _ = try await server.requestHead(0)
        gate.open()
        #expect(try await delegate.completion() == nil)
        // And ends, with its connections.
        try await server.openConnections(0)
    }
}
