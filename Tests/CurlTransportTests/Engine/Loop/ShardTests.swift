internal import HTTPTypes
internal import TestSupport
internal import Testing

@testable internal import CurlTransport

/// Transfers to one origin that are more than one multi handle gets.
@Suite(.serialized, .timeLimit(.minutes(10))) struct ShardTests {
    private static let capacity = OriginShards.capacity

    /// A server that answers below `/wait` when the gate opens, and others at once.
    private func server(_ gate: Gate) throws -> LoopbackServer {
        try LoopbackServer { request in
            let reply = Reply.text(request.target)
            let answer = request.target.hasPrefix("/wait/closing") ? reply.closing() : reply
            return request.target.hasPrefix("/wait") ? answer.after(gate) : answer
        }
    }

    /// Starts transfers, and waits until the server has all of their requests.
    private func start(
        _ count: Int,
        _ target: String,
        _ server: LoopbackServer,
        _ rig: Rig
    ) async throws -> [RecordingDelegate] {
        let before = server.requestCount
        let delegates = (0..<count).map { _ in RecordingDelegate() }
        for delegate in delegates { try rig.start(server.url + target, delegate: delegate) }
        try await server.requests(count: before + count)
        return delegates
    }

    private func expectSuccess(_ delegates: [RecordingDelegate]) async throws {
        for delegate in delegates { #expect(try await delegate.completion() == nil) }
    }

    @Test("A host gets no more connections than its limit, which are reused in all shards")
    func limitSpansShards() async throws {
        let gate = Gate()
        let server = try server(gate)
        let rig = try Rig { $0.maximumConnectionsPerHost = 200 }
        let delegates = (0..<500).map { _ in RecordingDelegate() }
        for (index, delegate) in delegates.enumerated() {
            try rig.start("\(server.url)/wait/\(index)", delegate: delegate)
        }
        try await server.requests(count: 200)
        #expect(server.acceptedConnectionCount == 200)
        gate.open()
        for (index, delegate) in delegates.enumerated() {
            #expect(try await delegate.completion() == nil)
            #expect(delegate.bodyText == "/wait/\(index)")
        }
        #expect(server.acceptedConnectionCount == 200)
        try await expectSuccess(start(200, "/", server, rig))
        #expect(server.acceptedConnectionCount == 200)
    }

    @Test("An idle connection in a later shard is used before another one is opened")
    func idleConnectionOfLaterShardIsUsed() async throws {
        let (gate, second) = (Gate(), Gate())
        let server = try LoopbackServer { request in
            switch request.target {
            case "/closing": .text("x").closing().after(gate)
            case "/keeping": .text("x").after(gate)
            default: .text("x").after(second)
            }
        }
        let rig = try Rig()
        let first = try await start(Self.capacity, "/closing", server, rig)
        let later = try await start(20, "/keeping", server, rig)
        gate.open()
        try await expectSuccess(first + later)
        try await server.openConnections(20)
        let others = try await start(20, "/", server, rig)
        #expect(server.acceptedConnectionCount == Self.capacity + 20)
        second.open()
        try await expectSuccess(others)
    }

    @Test("Idle connections are limited over all shards")
    func idleLimitSpansShards() async throws {
        let (gate, second) = (Gate(), Gate())
        let server = try LoopbackServer { request in
            .text("x").after(request.target == "/first" ? gate : second)
        }
        let limit = Self.capacity + 20
        let rig = try Rig { $0.maximumIdleConnections = limit }
        let first = try await start(limit, "/first", server, rig)
        let others = try await start(Self.capacity * 2, "/", server, rig)
        gate.open()
        try await expectSuccess(first)
        second.open()
        try await expectSuccess(others)
        try await server.openConnections(limit)
    }

    @Test("Transfers in all shards are cancelled, and their connections closed")
    func cancellationReachesAllShards() async throws {
        let server = try server(Gate())
        let rig = try Rig()
        let delegates = (0..<300).map { _ in RecordingDelegate() }
        let handles = try delegates.map { try rig.start("\(server.url)/wait", delegate: $0) }
        try await server.requests(count: 300)
        for handle in handles { handle.cancel() }
        for delegate in delegates { #expect(try await delegate.failure().code == .cancelled) }
        try await server.openConnections(0)
        try await rig.fetch(server.url)
    }

    @Test("A shutdown ends the transfers of all shards, and closes their connections")
    func shutdownReachesAllShards() async throws {
        let gate = Gate()
        let server = try server(gate)
        let rig = try Rig()
        let delegates = try await start(300, "/wait", server, rig)
        await rig.transport.shutdown()
        for delegate in delegates { #expect(try await delegate.failure().code == .shutdown) }
        try await server.openConnections(0)
    }

    @Test("A transfer in a later shard is paused and resumed")
    func pauseInLaterShard() async throws {
        let size = 16 << 20
        let gate = Gate()
        let server = try LoopbackServer { request in
            request.target == "/big"
                ? Reply(body: .repeating(Array(0...255), times: size / 256))
                : .text("x").after(gate)
        }
        let rig = try Rig()
        let others = try await start(Self.capacity, "/", server, rig)
        let delegate = RecordingDelegate(keepsBody: false) { $0.head = { _, _ in .pause } }
        let handle = try rig.start("\(server.url)/big", delegate: delegate)
        try await server.blocked(connection: Self.capacity)
        try await delegate.turnOfHead()
        #expect(delegate.bodyByteCount == 0)
        handle.resumeReceiving()
        #expect(try await delegate.completion() == nil)
        #expect(delegate.bodyByteCount == size)
        gate.open()
        try await expectSuccess(others)
    }

    @Test("A descriptor closed in one shard works in another one")
    func descriptorMovesBetweenShards() async throws {
        let gate = Gate()
        let server = try server(gate)
        let other = try LoopbackServer { _ in .text("x").after(gate) }
        let rig = try Rig()
        var handles: [TransferHandle] = []
        let cancelled = (0..<8).map { _ in RecordingDelegate() }
        for delegate in cancelled { handles.append(try rig.start(other.url, delegate: delegate)) }
        try await other.requests(count: 8)
        let waiting = try await start(Self.capacity, "/wait", server, rig)
        // The kernel assigns their descriptors, which the first shard had, to the next sockets.
        for handle in handles { handle.cancel() }
        for delegate in cancelled { #expect(try await delegate.failure().code == .cancelled) }
        for _ in 0..<3 { try await expectSuccess(start(8, "/now", server, rig)) }
        gate.open()
        try await expectSuccess(waiting)
    }

    @Test("Idle connections of a later shard are closed after their lifetime")
    func unusedShardIsClosed() async throws {
        let gate = Gate()
        let server = try server(gate)
        let rig = try Rig { $0.idleConnectionLifetime = .milliseconds(150) }
        let waiting = try await start(Self.capacity, "/wait", server, rig)
        try await expectSuccess(start(20, "/now", server, rig))
        // The loop isn't idle: other transfers run in the first shard.
        try await server.openConnections(Self.capacity)
        gate.open()
        try await expectSuccess(waiting)
    }

    @Test("Idle connections are closed after their lifetime beside a transfer that lasts longer")
    func idleConnectionsOfUsedShardAreClosed() async throws {
        let (gate, short) = (Gate(), Gate())
        let server = try LoopbackServer { request in
            .text("x").after(request.target == "/short" ? short : gate)
        }
        let rig = try Rig { $0.idleConnectionLifetime = .seconds(1) }
        var waiting = try await start(Self.capacity + 1, "/long", server, rig)
        let ending = try await start(20, "/short", server, rig)
        short.open()
        try await expectSuccess(ending)
        try await server.openConnections(Self.capacity + 1)
        waiting += try await start(1, "/long", server, rig)
        gate.open()
        try await expectSuccess(waiting)
    }

    @Test("Streams of HTTP/2 stay on one connection", .enabled(if: NginxPeer.isAvailable))
    func streamsShareOneConnection() async throws {
        let nginx = try await NginxPeer.shared()
        let client = try PeerClient { $0.httpVersion = .http2 }
        let url = nginx.url(.https, "/connection")
        _ = try await client.fetch(url)
        let answers = try await withThrowingTaskGroup(of: Fetched.self) { group in
            for _ in 0..<Self.capacity + 30 { group.addTask { try await client.fetch(url) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.allSatisfy { $0.metrics.isConnectionReused })
    }

    @Test(
        "A connection of a later shard resumes the TLS session of the first one's",
        .enabled(if: NginxPeer.isAvailable)
    )
    func sessionIsResumedBetweenShards() async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in .text("x").after(gate) }
        let nginx = try await NginxPeer.start(upstream: server.url)
        defer { nginx.stop() }
        let client = try PeerClient { $0.httpVersion = .http1 }
        _ = try await client.fetch(nginx.url(.https))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<Self.capacity {
                group.addTask { _ = try await client.fetch(nginx.url(.https, "/upstream/")) }
            }
            try await server.requests(count: Self.capacity)
            // Version, TLS version, cipher suite, and whether the session was resumed.
            let answer = try await client.fetch(nginx.url(.https, "/connection"))
            #expect(!answer.metrics.isConnectionReused)
            #expect(answer.text.split(separator: " ").dropFirst(3).first == "r")
            gate.open()
            try await group.waitForAll()
        }
    }
}
