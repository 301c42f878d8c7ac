internal import CurlTransport
internal import HTTPTypes
internal import TestSupport
internal import Testing

@Suite(.timeLimit(.minutes(10))) struct ConnectionLimitTests {
    @Test("E7: A host gets no more connections than its limit", arguments: [1, 3])
    func connectionsPerHostAreLimited(_ limit: Int) async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in .text("x").after(gate) }
        let other = try LoopbackServer { _ in .text("y") }
        let rig = try Rig { $0.maximumConnectionsPerHost = limit }
        let delegates = (0..<20).map { _ in RecordingDelegate() }
        for delegate in delegates { try rig.start(server.url, delegate: delegate) }
        try await server.requests(count: limit)
        // A host at its limit doesn't block another host.
        for _ in 0..<5 { try await rig.fetch(other.url) }
        #expect(server.requestCount == limit)
        gate.open()
        for delegate in delegates { #expect(try await delegate.completion() == nil) }
        #expect(server.acceptedConnectionCount == limit)
        #expect(server.requestCount == 20)
    }

    @Test("A limit of an origin replaces that of all hosts", arguments: [nil, 4])
    func originHasItsOwnLimit(_ usual: Int?) async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in .text("x").after(gate) }
        let other = try LoopbackServer { _ in .text("x").after(gate) }
        let rig = try Rig { configuration in
            configuration.maximumConnectionsPerHost = usual
            configuration.maximumConnectionsByOrigin = ["HTTP://127.0.0.1:\(server.port)": 2]
        }
        var delegates: [RecordingDelegate] = []
        for url in [server.url, other.url] {
            for _ in 0..<6 {
                let delegate = RecordingDelegate()
                try rig.start(url, delegate: delegate)
                delegates.append(delegate)
            }
        }
        try await other.requests(count: usual ?? 6)
        try await server.requests(count: 2)
        gate.open()
        for delegate in delegates { #expect(try await delegate.completion() == nil) }
        #expect(server.acceptedConnectionCount == 2)
        #expect(other.acceptedConnectionCount == usual ?? 6)
    }

    @Test(
        "A limit of an origin that isn't one, or that has another one, is refused",
        arguments: [
            ("example.org", 1), ("https://", 1), ("https://example.org", 0),
            ("https://example.org/path", 1), ("https://example.org?query", 1),
            ("https://user@example.org", 1), ("HTTPS://other.example:443/", 1),
        ]
    )
    func invalidOriginLimitIsRefused(origin: String, limit: Int) throws {
        var configuration = TransportConfiguration()
        configuration.maximumConnectionsByOrigin["https://other.example"] = 1
        configuration.maximumConnectionsByOrigin[origin] = limit
        let error = #expect(throws: TransportError.self) {
            try Transport(configuration: configuration)
        }
        #expect(error?.code == .configuration)
        #expect(error?.message.contains("maximumConnectionsByOrigin") == true)
    }

    @Test func hostSpellingIsNormalized() async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in .text("x").after(gate) }
        let rig = try Rig { configuration in
            configuration.maximumConnectionsPerHost = 1
            configuration.eventLoopCount = 4
        }
        let delegates = (0..<4).map { _ in RecordingDelegate() }
        for (delegate, host) in zip(
            delegates,
            ["localhost", "LOCALHOST", "Localhost", "localhosT"]
        ) {
            try rig.start("http://\(host):\(server.port)/", delegate: delegate)
        }
        try await server.requests(count: 1)
        gate.open()
        for delegate in delegates { #expect(try await delegate.completion() == nil) }
        #expect(server.acceptedConnectionCount == 1)
    }

    @Test func connectionLimitSpansLoops() async throws {
        let gate = Gate()
        let asked = Watched(0)
        let servers = try (0..<6).map { _ in
            try LoopbackServer { _ in
                asked.update { $0 += 1 }
                return .text("x").after(gate)
            }
        }
        let rig = try Rig { configuration in
            configuration.eventLoopCount = 3
            configuration.maximumConnections = 4
        }
        var delegates: [RecordingDelegate] = []
        for index in 0..<60 {
            let delegate = RecordingDelegate()
            delegates.append(delegate)
            try rig.start(servers[index % servers.count].url, delegate: delegate)
        }
        // Cancelling a queued transfer must not lose a place.
        let cancelled = RecordingDelegate()
        let handle = try rig.start(servers[5].url, delegate: cancelled)
        handle.cancel()
        #expect(try await cancelled.failure().code == .cancelled)
        try await asked.wait { $0 >= 4 ? () : nil }
        #expect(servers.reduce(0) { $0 + $1.openConnectionCount } == 4)
        gate.open()
        for delegate in delegates { #expect(try await delegate.completion() == nil) }
        #expect(servers.allSatisfy { $0.requestCount == 10 })
    }

    @Test func hostsAreServedRoundRobin() async throws {
        let order = EventRecorder<String>()
        let gate = Gate()
        func server(_ name: String) throws -> LoopbackServer {
            try LoopbackServer { _ in
                order.record(name)
                return .text("x").after(gate)
            }
        }
        let greedy = try server("greedy")
        let modest = try server("modest")
        let rig = try Rig { $0.maximumConnections = 1 }
        let delegates = (0..<33).map { _ in RecordingDelegate() }
        for delegate in delegates[..<30] { try rig.start(greedy.url, delegate: delegate) }
        _ = try await greedy.requestHead(0)
        for delegate in delegates[30...] { try rig.start(modest.url, delegate: delegate) }
        gate.open()
        for delegate in delegates { #expect(try await delegate.completion() == nil) }
        #expect(order.events.prefix(10).count { $0 == "modest" } == 3)
    }

    @Test func hostNamesAreNotDelayedByAddresses() async throws {
        let order = EventRecorder<String>()
        let gate = Gate()
        func server(_ name: String) throws -> LoopbackServer {
            try LoopbackServer { _ in
                order.record(name)
                return .text("x").after(gate)
            }
        }
        let greedy = try server("greedy")
        let named = try server("named")
        let rig = try Rig { $0.maximumConnections = 1 }
        let delegates = (0..<31).map { _ in RecordingDelegate() }
        for delegate in delegates[..<30] { try rig.start(greedy.url, delegate: delegate) }
        _ = try await greedy.requestHead(0)
        try rig.start("http://named.test:\(named.port)/", delegate: delegates[30]) { options in
            options.resolve = [
                ResolveOverride(host: "named.test", port: named.port, addresses: ["127.0.0.1"])
            ]
        }
        gate.open()
        for delegate in delegates { #expect(try await delegate.completion() == nil) }
        #expect(order.events.prefix(5).contains("named"))
    }

    @Test func connectionsAreReused() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let rig = try Rig()
        for _ in 0..<50 { try await rig.fetch(server.url) }
        #expect(server.acceptedConnectionCount == 1)
        for _ in 0..<3 { try await rig.fetch(server.url) { $0.reusesConnection = false } }
        #expect(server.acceptedConnectionCount == 4)
        try await server.openConnections(1)
    }

    @Test func idleLoopClosesItsConnections() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let rig = try Rig { $0.idleConnectionLifetime = .milliseconds(150) }
        try await rig.fetch(server.url)
        #expect(try await server.connectionClosed(0).ending == .peer)
        // The transport opens another connection when it needs one.
        try await rig.fetch(server.url)
        #expect(server.acceptedConnectionCount == 2)
    }

    @Test func hundredsOfConcurrentTransfersGetTheirOwnResponses() async throws {
        let server = try LoopbackServer { .text($0.target) }
        let rig = try Rig { $0.maximumConnectionsPerHost = 50 }
        let delegates = (0..<500).map { _ in RecordingDelegate() }
        for (index, delegate) in delegates.enumerated() {
            try rig.start("\(server.url)/\(index)", delegate: delegate)
        }
        for (index, delegate) in delegates.enumerated() {
            #expect(try await delegate.completion() == nil)
            #expect(delegate.bodyText == "/\(index)")
        }
        #expect(server.acceptedConnectionCount <= 50)
    }
}
