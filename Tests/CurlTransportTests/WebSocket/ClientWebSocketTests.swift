import HTTPTypes
import TestSupport
import Testing

@testable import CurlTransport

/// The client's WebSocket.
@Suite(.timeLimit(.minutes(10))) struct ClientWebSocketTests {
    private static func server(
        _ configure: (inout LoopbackServer.WebSocketScript) -> Void = { _ in }
    ) throws -> LoopbackServer {
        var script = LoopbackServer.WebSocketScript.echo { WebSocketHandshake.accept(for: $0) }
        configure(&script)
        return try .webSocket(script)
    }

    private static func open(
        _ server: LoopbackServer,
        _ client: HTTPClient,
        _ configure: (inout WebSocketConfiguration) -> Void = { _ in }
    ) async throws -> WebSocket {
        var configuration = WebSocketConfiguration()
        configure(&configuration)
        let request = try HTTPRequest(url: server.url + "/socket")
        return try await client.webSocket(request, configuration: configuration)
    }

    @Test("Messages arrive in both directions until the program closes")
    func messagesAreExchanged() async throws {
        let (server, client) = (try Self.server(), try HTTPClient())
        let socket = try await client.webSocket(url: "ws://127.0.0.1:\(server.port)/socket")
        #expect(socket.head.statusCode == 101 && socket.subprotocol == nil)
        try await socket.send("größer 🐟")
        try await socket.send([0, 255])
        try await socket.send(.text("last"))
        var received: [WebSocketMessage] = []
        for try await message in socket.messages {
            received.append(message)
            if message == .text("last") { break }
        }
        #expect(received == [.text("größer 🐟"), .binary([0, 255]), .text("last")])
        #expect(try await socket.ping() >= .zero)
        #expect(socket.closure == nil && socket.metrics == nil)
        try await socket.close(WebSocketStatus(rawValue: 4001), reason: "done")
        #expect(socket.closure == .init(status: .init(rawValue: 4001), reason: "done"))
        #expect(socket.metrics != nil)
        await #expect(throws: WebSocketError.closed(.init(rawValue: 4001))) {
            try await socket.send("late")
        }
        for try await _ in socket.messages { Issue.record("a message after the close") }
        await client.shutdown()
    }

    @Test("The request's fields and the subprotocols are in the handshake")
    func handshakeCarriesFields() async throws {
        let server = try Self.server { $0.fields = "Sec-WebSocket-Protocol: two\r\n" }
        let client = try HTTPClient()
        var configuration = WebSocketConfiguration()
        configuration.subprotocols = ["one", "two"]
        let socket = try await client.webSocket(
            url: "ws://127.0.0.1:\(server.port)/chat?room=1",
            headerFields: [.authorization: "Bearer abc"],
            configuration: configuration
        )
        #expect(socket.subprotocol == "two")
        let request = try await server.requestHead(0)
        #expect(request.target == "/chat?room=1")
        #expect(request.header("Authorization") == "Bearer abc")
        #expect(request.header("Sec-WebSocket-Protocol") == "one, two")
        socket.cancel()
        await client.shutdown()
    }

    @Test("The messages end with the server's close frame, after those before it")
    func serverClosesAfterMessages() async throws {
        let server = try Self.server { script in
            script.opening = { _ in
                [
                    .send(ServerFrame.text("first").bytes + ServerFrame.text("second").bytes),
                    .send(ServerFrame.close(1001, Array("bye".utf8)).bytes),
                ]
            }
        }
        let client = try HTTPClient()
        let socket = try await Self.open(server, client)
        var received: [WebSocketMessage] = []
        for try await message in socket.messages { received.append(message) }
        #expect(received == [.text("first"), .text("second")])
        #expect(socket.closure == .init(status: .goingAway, reason: "bye"))
        await #expect(throws: WebSocketError.closed(.goingAway)) { try await socket.receive() }
        await #expect(throws: WebSocketError.closed(.goingAway)) { try await socket.send("x") }
        await client.shutdown()
    }

    @Test("A refused handshake throws the server's status")
    func refusalHasStatus() async throws {
        let server = try LoopbackServer { _ in .text("no", status: 403) }
        let client = try HTTPClient()
        let error = await #expect(throws: WebSocketError.self) {
            try await Self.open(server, client)
        }
        guard case .refused(403, let reason) = error else {
            Issue.record("not refused: \(String(describing: error))")
            return
        }
        #expect(reason.contains("403") && "\(error ?? .cancelled)".contains("403"))
        await client.shutdown()
        let shutDown = await #expect(throws: WebSocketError.self) {
            try await Self.open(server, client)
        }
        guard case .connection(let failure) = shutDown else {
            Issue.record("another error: \(String(describing: shutDown))")
            return
        }
        #expect(failure.code == .shutdown)
    }

    @Test("A message above the maximum size ends the WebSocket with status 1009")
    func largeMessageIsAViolation() async throws {
        let closed = EventRecorder<Int?>()
        let server = try Self.server { script in
            script.opening = { _ in [.send(ServerFrame.text("12345").bytes)] }
            script.answer = { frame in
                if frame.opcode == 8 { closed.record(frame.status) }
                return nil
            }
        }
        let client = try HTTPClient()
        let socket = try await Self.open(server, client) { $0.maximumMessageSize = 4 }
        let error = await #expect(throws: WebSocketError.self) {
            for try await _ in socket.messages {}
        }
        guard case .violation(let violation) = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        #expect(violation.status == .messageTooBig)
        #expect(try await closed.wait(count: 1) == [1009])
        await client.shutdown()
    }

    @Test("A reader that is cancelled leaves the message to the next one")
    func cancelledReaderKeepsSocketOpen() async throws {
        let gate = Gate()
        let server = try Self.server { script in
            script.opening = { _ in [.waitFor(gate), .send(ServerFrame.text("kept").bytes)] }
        }
        let client = try HTTPClient()
        let socket = try await Self.open(server, client)
        let reader = Task {
            for try await _ in socket.messages { Issue.record("a cancelled reader got a message") }
        }
        reader.cancel()
        await #expect(throws: WebSocketError.cancelled) { try await reader.value }
        gate.open()
        #expect(try await socket.receive() == .text("kept"))
        socket.cancel()
        await client.shutdown()
    }

    @Test("Cancelling the task that opens a WebSocket closes the connection")
    func openingIsCancelled() async throws {
        let asked = Gate()
        let server = try LoopbackServer.scripted([.readHead, .open(asked), .stall])
        let client = try HTTPClient()
        let opening = Task { try await Self.open(server, client) }
        try await asked.wait()
        opening.cancel()
        await #expect(throws: WebSocketError.cancelled) { try await opening.value }
        try await server.connectionClosed(0)
        await client.shutdown()
    }

    @Test("Releasing the last reference ends the connection")
    func releaseEndsConnection() async throws {
        let (server, client) = (try Self.server(), try HTTPClient())
        do {
            let socket = try await Self.open(server, client) { $0.pingInterval = .seconds(60) }
            try await socket.send("x")
            _ = try await socket.receive()
        }
        try await server.connectionClosed(0)
        await client.shutdown()
    }

    @Test("A status or reason that can't be sent leaves the WebSocket open")
    func closeIsChecked() async throws {
        let (server, client) = (try Self.server(), try HTTPClient())
        let socket = try await Self.open(server, client)
        for status in [WebSocketStatus.noneReceived, .abnormalClosure, .init(rawValue: 999)] {
            let error = await #expect(throws: WebSocketError.self) {
                try await socket.close(status)
            }
            #expect("\(error ?? .cancelled)".contains("\(status.rawValue)"))
        }
        let long = String(repeating: "é", count: 62)
        let error = await #expect(throws: WebSocketError.self) {
            try await socket.close(reason: long)
        }
        #expect("\(error ?? .cancelled)".contains("124 bytes"))
        try await socket.send("still open")
        #expect(try await socket.receive() == .text("still open"))
        try await socket.close(reason: String(long.dropLast()))
        #expect(socket.closure?.status == .normalClosure)
        await client.shutdown()
    }

    // MARK: Pings

    @Test("Pings are sent at the interval while the server answers them")
    func pingsRepeat() async throws {
        let pings = EventRecorder<[UInt8]>()
        let server = try Self.server { script in
            let echo = script.answer
            script.answer = { frame in
                if frame.opcode == 9 { pings.record(frame.payload) }
                return echo(frame)
            }
        }
        let client = try HTTPClient()
        let socket = try await Self.open(server, client) { $0.pingInterval = .seconds(1) }
        _ = try await pings.wait(count: 2)
        try await socket.close()
        await client.shutdown()
    }

    @Test("A server that answers no ping ends the WebSocket with a timeout")
    func missingPongEndsSocket() async throws {
        let server = try Self.server { script in
            script.answer = { $0.opcode == 8 ? nil : [] }
        }
        let client = try HTTPClient()
        let socket = try await Self.open(server, client) { $0.pingInterval = .seconds(1) }
        let error = await #expect(throws: WebSocketError.self) { try await socket.receive() }
        guard case .connection(let failure) = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        #expect(failure.code == .idleTimeout && failure.message.contains("ping"))
        let later = await #expect(throws: WebSocketError.self) { try await socket.send("x") }
        #expect(later == error)
        await client.shutdown()
    }

    @Test("An idle WebSocket ends after its limit")
    func idleLimitEndsSocket() async throws {
        let (server, client) = (try Self.server(), try HTTPClient())
        let socket = try await Self.open(server, client) { $0.idleLimit = .seconds(1) }
        let error = await #expect(throws: WebSocketError.self) { try await socket.receive() }
        guard case .connection(let failure) = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        #expect(failure.code == .idleTimeout)
        await client.shutdown()
    }
}
