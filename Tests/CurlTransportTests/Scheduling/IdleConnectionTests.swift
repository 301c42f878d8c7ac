import CurlTransport
import HTTPTypes
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct IdleConnectionTests {
    private func servers(_ count: Int) throws -> [LoopbackServer] {
        try (0..<count).map { _ in try LoopbackServer { _ in .text("x") } }
    }

    @Test("Beyond the limit of idle connections, a connection is closed after its response")
    func connectionBeyondLimitIsClosed() async throws {
        let servers = try servers(5)
        let rig = try Rig { $0.maximumIdleConnections = 2 }
        for server in servers { try await rig.fetch(server.url) }
        for server in servers[2...] {
            #expect(try await server.connectionClosed(0).ending == .peer)
        }
        for server in servers[..<2] {
            try await rig.fetch(server.url)
            #expect(server.acceptedConnectionCount == 1)
        }
    }

    @Test("A connection takes the place of an idle one that its server has closed")
    func closedConnectionMakesRoom() async throws {
        let servers = try servers(2)
        let closing = try LoopbackServer { _ in .text("x").closing() }
        let rig = try Rig { $0.maximumIdleConnections = 1 }
        try await rig.fetch(closing.url)
        try await rig.fetch(servers[0].url)
        try await rig.fetch(servers[0].url)
        #expect(servers[0].acceptedConnectionCount == 1)
        try await rig.fetch(servers[1].url)
        #expect(try await servers[1].connectionClosed(0).ending == .peer)
    }

    @Test("Without idle connections, each connection is closed after its response")
    func noConnectionStaysIdle() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let rig = try Rig { $0.maximumIdleConnections = 0 }
        for number in 0..<3 {
            try await rig.fetch(server.url)
            #expect(try await server.connectionClosed(number).ending == .peer)
        }
    }

    @Test("A reused handle keeps its connection again when there is room")
    func handleKeepsConnectionAgain() async throws {
        let servers = try servers(2)
        let rig = try Rig { $0.maximumIdleConnections = 1 }
        try await rig.fetch(servers[0].url)
        for _ in 0..<2 {
            try await rig.fetch(servers[1].url)
            try await rig.fetch(servers[0].url)
        }
        #expect(servers[0].acceptedConnectionCount == 1)
        #expect(servers[1].acceptedConnectionCount == 2)
    }

    /// Fetches `url` and has the connection closed after the response.
    private func fetchLast(
        _ url: String,
        _ rig: Rig,
        _ options: TransferOptions = .refusingRedirects
    ) async throws {
        var request = TransferRequest(
            try HTTPRequest(url: url),
            options: try PreparedOptions(options)
        )
        request.keepsConnection = false
        let delegate = RecordingDelegate()
        rig.transport.start(request, delegate: delegate)
        #expect(try await delegate.completion() == nil)
    }

    @Test("A connection that the request doesn't keep is closed after the response")
    func unneededConnectionIsClosed() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let rig = try Rig()
        try await fetchLast(server.url, rig)
        #expect(try await server.connectionClosed(0).ending == .peer)
        try await rig.fetch(server.url)
        // It uses the idle connection, and closes it.
        try await fetchLast(server.url, rig)
        #expect(try await server.connectionClosed(1).ending == .peer)
        #expect(server.acceptedConnectionCount == 2)
        // The next request with the same handle keeps its connection.
        for _ in 0..<2 { try await rig.fetch(server.url) }
        #expect(server.acceptedConnectionCount == 3)
    }

    @Test("A connection stays open for a redirect within its origin, and not for another one")
    func redirectWithinOriginKeepsConnection() async throws {
        let other = try LoopbackServer { _ in .text("x") }
        let server = try LoopbackServer { request in
            switch request.target {
            case "/here": .redirect(to: "/there")
            case "/away": .redirect(to: other.url)
            default: .text("x")
            }
        }
        let rig = try Rig()
        try await fetchLast("\(server.url)/here", rig)
        try await fetchLast("\(server.url)/there", rig)
        #expect(try await server.connectionClosed(0).ending == .peer)
        #expect(server.acceptedConnectionCount == 1)
        try await fetchLast("\(server.url)/away", rig)
        #expect(try await server.connectionClosed(1).ending == .peer)
    }

    @Test("A transfer that follows redirects keeps a connection open only within its origin")
    func followedRedirectsLeaveNoConnection() async throws {
        let other = try LoopbackServer { _ in .text("x") }
        let server = try LoopbackServer { request in
            .redirect(to: request.target == "/here" ? "/away" : other.url)
        }
        let rig = try Rig()
        try await fetchLast("\(server.url)/here", rig, .patient)
        #expect(server.acceptedConnectionCount == 1)
        #expect(try await server.connectionClosed(0).ending == .peer)
        #expect(try await other.connectionClosed(0).ending == .peer)
    }
}

extension TransferOptions {
    fileprivate static var refusingRedirects: TransferOptions {
        var options = TransferOptions.patient
        options.redirects = .refuse
        return options
    }
}
