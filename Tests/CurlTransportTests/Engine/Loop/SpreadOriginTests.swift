internal import HTTPTypes
internal import TestSupport
internal import Testing

@testable internal import CurlTransport

/// Origins whose transfers use several loops. The tests report the loops' load.
@Suite(.timeLimit(.minutes(10))) struct SpreadOriginTests {
    /// A transport whose loops don't measure how busy they are.
    private func transport(
        loops: Int = 2,
        _ configure: (inout TransportConfiguration) -> Void = { _ in }
    ) throws -> Transport {
        var configuration = TransportConfiguration()
        configuration.eventLoopCount = loops
        configuration.idleConnectionLifetime = .seconds(3600)
        configure(&configuration)
        return try Transport(configuration: configuration, measuresLoad: false)
    }

    private func key(_ url: String) throws -> LoopKey {
        LoopKey(try HTTPRequest(url: url))
    }

    /// Reports that the home loop of a URL has been overloaded for long enough.
    private func overload(_ url: String, of transport: Transport) async throws {
        let home = try key(url).home(of: 2)
        let window = LoadWindow(percent: 100, elapsed: Overload.patience + Overload.settling)
        await transport.report(window, ofLoop: home)
    }

    /// Reports that the home loop of a URL has had little to do for long enough.
    private func calm(_ url: String, of transport: Transport) async throws {
        let window = LoadWindow(percent: 5, elapsed: CalmPatience.shortest)
        await transport.report(window, ofLoop: try key(url).home(of: 2))
    }

    @Test("Without overload, all transfers to an origin use one loop")
    func originUsesOneLoop() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let transport = try transport(loops: 4)
        let load = try SteadyLoad(transport, server.url, total: 1_000)
        load.start(64)
        let counts = try await load.completions(1_000)
        #expect(counts.byLoop.count == 1)
        #expect(transport.spread?.origin(for: try key(server.url), route: "") == nil)
        await transport.shutdown()
    }

    @Test("An origin on an overloaded loop uses another one, too, and keeps its connections")
    func hotOriginUsesTwoLoops() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let transport = try transport()
        let load = try SteadyLoad(transport, server.url)
        load.start(64)
        try await load.completions(500)
        try await load.spread(server.url, on: transport)
        let before = try await load.completions(500, onEachOf: 0..<2)
        let opened = server.acceptedConnectionCount
        let after = try await load.completions(4_000, onEachOf: 0..<2)
        let reopened = server.acceptedConnectionCount - opened
        #expect(reopened * 100 <= after.completed - before.completed)
        let counts = try await load.finish()
        #expect(counts.failures.isEmpty)
        #expect(counts.byLoop.keys.sorted() == [0, 1])
        await transport.shutdown()
    }

    @Test("Two origins with the same home loop use both loops")
    func originsOfOneHomeUseBothLoops() async throws {
        let transport = try transport()
        var servers: [LoopbackServer] = []
        // Half of all ports have the first loop.
        while servers.count < 2 {
            let server = try LoopbackServer { _ in .text("x") }
            if try key(server.url).home(of: 2) == 0 { servers.append(server) }
        }
        let loads = try servers.map { try SteadyLoad(transport, $0.url) }
        for load in loads { load.start(32) }
        for load in loads { try await load.completions(200) }
        for (load, server) in zip(loads, servers) {
            try await load.spread(server.url, on: transport)
        }
        for load in loads { try await load.completions(400, onEachOf: 0..<2) }
        for load in loads {
            let counts = try await load.finish()
            #expect(counts.failures.isEmpty)
        }
        await transport.shutdown()
    }

    @Test("An origin with few transfers stays on its loop, and so does one beside a busy loop")
    func originStaysOnLoop() async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in .text("x").after(gate) }
        let transport = try transport()
        let few = try SteadyLoad(transport, server.url, total: LoopShares.minimumInFlight - 1)
        few.start(LoopShares.minimumInFlight - 1)
        try await server.requests(count: LoopShares.minimumInFlight - 1)
        try await overload(server.url, of: transport)
        #expect(transport.spread?.origin(for: try key(server.url), route: "") == nil)

        let home = try key(server.url).home(of: 2)
        let more = try SteadyLoad(transport, server.url, total: 10)
        more.start(10)
        try await server.requests(count: LoopShares.minimumInFlight + 9)
        let busy = try #require(transport.spread).loads[1 - home]
        busy.publish(LoadWindow(percent: 90, elapsed: 1), transfers: 20)
        try await overload(server.url, of: transport)
        #expect(transport.spread?.origin(for: try key(server.url), route: "") == nil)
        // Its transfers are far fewer.
        busy.publish(LoadWindow(percent: 90, elapsed: 1), transfers: 5)
        try await overload(server.url, of: transport)
        #expect(transport.spread?.origin(for: try key(server.url), route: "") != nil)
        gate.open()
        try await few.completions(LoopShares.minimumInFlight - 1)
        try await more.completions(10)
        await transport.shutdown()
    }

    @Test("After low load, new transfers use one loop again")
    func calmOriginUsesOneLoop() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let transport = try transport()
        let load = try SteadyLoad(transport, server.url)
        load.start(64)
        try await load.completions(100)
        try await load.spread(server.url, on: transport)
        try await load.completions(100, onEachOf: 0..<2)
        _ = try await load.finish()
        try await calm(server.url, of: transport)
        // The entry remains until the loops have released the last transfers.
        let origin = transport.spread?.origin(for: try key(server.url), route: "")
        #expect(origin?.current.isSpread != true)
        let later = try SteadyLoad(transport, server.url, total: 500)
        later.start(10)
        let home = try key(server.url).home(of: 2)
        let after = try await later.completions(500)
        #expect(after.byLoop == [home: 500])
        await transport.shutdown()
    }

    @Test("With four loops, an origin uses one more each time that its loop is overloaded")
    func originUsesFurtherLoops() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let transport = try transport(loops: 4)
        let load = try SteadyLoad(transport, server.url)
        load.start(128)
        for count in 2...4 {
            try await load.completions(load.current.completed + 500)
            try await load.spread(server.url, on: transport, over: count, loops: 4)
            let origin = transport.spread?.origin(for: try key(server.url), route: "")
            #expect(origin?.current.members.count == count)
        }
        try await load.completions(500, onEachOf: 0..<4)
        let counts = try await load.finish()
        #expect(counts.failures.isEmpty)
        await transport.shutdown()
    }

    @Test(
        "Shutdown and cancellation complete each transfer of a spread origin once",
        arguments: [false, true]
    )
    func endsAreReportedOnce(cancels: Bool) async throws {
        let gate = Gate()
        let stalls = Watched(false)
        let server = try LoopbackServer { _ in
            stalls.read { $0 } ? .text("x").after(gate) : .text("x")
        }
        let transport = try transport()
        let load = try SteadyLoad(transport, server.url)
        load.start(64)
        try await load.completions(200)
        try await load.spread(server.url, on: transport)
        try await load.completions(100, onEachOf: 0..<2)
        let finished = try await load.finish()
        stalls.update { $0 = true }
        let last = try SteadyLoad(transport, server.url, total: 100)
        last.start(100)
        try await server.requests(count: finished.completed + 100)
        if cancels {
            last.cancelAll()
        } else {
            await transport.shutdown()
        }
        let counts = try await last.completions(100)
        // The last transfers of before may still count when these start.
        #expect(counts.byLoop.keys.sorted() == [0, 1])
        #expect(counts.byLoop.values.allSatisfy { $0 > 20 })
        #expect(counts.failures.count == 100)
        #expect(Set(counts.failures) == [cancels ? .cancelled : .shutdown])
        let origin = try #require(
            transport.spread?.origin(for: try key(server.url), route: "")
        )
        await transport.shutdown()
        #expect(last.current.repeated == 0)
        #expect(load.current.repeated == 0)
        #expect(origin.current.members.allSatisfy { $0.inFlight == 0 })
        gate.open()
    }
}
