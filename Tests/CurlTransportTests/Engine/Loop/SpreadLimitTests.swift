internal import HTTPTypes
internal import TestSupport
internal import Testing

@testable internal import CurlTransport

/// Limits of connections to origins whose transfers use several loops.
@Suite(.timeLimit(.minutes(10))) struct SpreadLimitTests {
    private static let limit = 64

    private func server(_ handler: @escaping @Sendable () -> Reply = { .text("x") }) throws
        -> LoopbackServer
    {
        var options = ServerOptions()
        options.connectionLimit = Self.limit
        options.recordsRequests = false
        return try LoopbackServer(options: options) { _ in handler() }
    }

    private func transport(loops: Int, limit: Int = Self.limit) throws -> Transport {
        var configuration = TransportConfiguration()
        configuration.eventLoopCount = loops
        configuration.maximumConnectionsPerHost = limit
        configuration.idleConnectionLifetime = .seconds(3600)
        return try Transport(configuration: configuration, measuresLoad: false)
    }

    private func key(_ server: LoopbackServer) throws -> LoopKey {
        LoopKey(try HTTPRequest(url: server.url))
    }

    /// Reports for long enough that the origin's home loop is overloaded, or has nothing to do.
    private func report(
        isOverloaded: Bool,
        _ server: LoopbackServer,
        to transport: Transport
    ) async throws {
        let window =
            isOverloaded
            ? LoadWindow(percent: 100, elapsed: Overload.patience + Overload.settling)
            : LoadWindow(percent: 0, elapsed: 64 * CalmPatience.shortest)
        await transport.report(window, ofLoop: try key(server).home(of: 2))
    }

    private func origin(_ server: LoopbackServer, _ transport: Transport) throws -> SpreadOrigin? {
        try #require(transport.spread).origin(for: try key(server), route: "")
    }

    @Test("A host gets no more connections than its limit from all loops", arguments: [2, 4])
    func limitHoldsOverLoops(loops: Int) async throws {
        let server = try server()
        let transport = try transport(loops: loops)
        let load = try SteadyLoad(transport, server.url)
        load.start(300)
        try await load.completions(1_000)
        try await load.spread(server.url, on: transport, over: loops, loops: loops)
        let spread = try #require(try origin(server, transport))
        #expect(spread.current.members.count == loops)
        // Each loop gets its share, and uses it.
        while spread.current.members.contains(where: { $0.granted != Self.limit / loops }) {
            try await load.completions(load.current.completed + 500)
        }
        try await load.completions(500, onEachOf: 0..<loops)
        let counts = try await load.finish()
        #expect(counts.failures.isEmpty)
        #expect(counts.repeated == 0)
        #expect(server.excessConnectionCount == 0)
        #expect(spread.current.members.reduce(0) { $0 + $1.granted } == Self.limit)
        await transport.shutdown()
    }

    @Test("The limit holds while connections move to another loop and back")
    func limitHoldsWhileShareMoves() async throws {
        let server = try server()
        let transport = try transport(loops: 2)
        let load = try SteadyLoad(transport, server.url)
        load.start(300)
        for _ in 0..<5 {
            try await load.completions(load.current.completed + 1_000)
            try await load.spread(server.url, on: transport)
            try await load.completions(300, onEachOf: 0..<2)
            try await report(isOverloaded: false, server, to: transport)
        }
        let counts = try await load.finish()
        #expect(counts.failures.isEmpty)
        #expect(server.excessConnectionCount == 0)
        await transport.shutdown()
    }

    @Test("A limit that is too small for two loops keeps an origin on one")
    func smallLimitKeepsOriginOnLoop() async throws {
        let server = try server()
        let transport = try transport(loops: 2, limit: 2 * LoopShares.minimumShare - 1)
        let load = try SteadyLoad(transport, server.url)
        load.start(100)
        try await load.completions(500)
        try await report(isOverloaded: true, server, to: transport)
        #expect(try origin(server, transport) == nil)
        try await load.completions(load.current.completed + 500)
        let counts = try await load.finish()
        #expect(counts.byLoop.count == 1)
        await transport.shutdown()
    }

    @Test("Transfers that wait on a loop that gets no new ones complete")
    func waitingTransfersCompleteAfterCalm() async throws {
        let gate = Gate()
        let stalls = Watched(false)
        let server = try server { stalls.read { $0 } ? .text("x").after(gate) : .text("x") }
        let transport = try transport(loops: 2)
        let load = try SteadyLoad(transport, server.url)
        load.start(300)
        try await load.completions(500)
        try await load.spread(server.url, on: transport)
        try await load.completions(500, onEachOf: 0..<2)
        stalls.update { $0 = true }
        try await report(isOverloaded: false, server, to: transport)
        #expect(try origin(server, transport)?.current.isSpread == false)
        gate.open()
        let counts = try await load.finish()
        #expect(counts.failures.isEmpty)
        #expect(server.excessConnectionCount == 0)
        await transport.shutdown()
    }
}
