import TestSupport
import Testing

@testable import CurlTransport

/// How WebSockets end or fail to open.
@Suite(.timeLimit(.minutes(10))) struct WebSocketEndingTests {
    typealias Event = SocketRecorder.Event

    // MARK: Refusals

    @Test(arguments: [
        "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic\r\nContent-Length: 2\r\n\r\nno",
        "HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
    ])
    func invalidHandshakeResponseIsARefusal(_ answer: String) async throws {
        let rig = try SocketRig([.readHead, .send(answer), .readUntilClosed])
        let socket = WebSocketConnection()
        let receiving = Task { try await socket.receive() }
        try rig.connect(socket)
        let end = try await rig.recorder.end()
        guard case .refused(let code, _) = end.error else {
            Issue.record("\(String(describing: end.error))")
            return
        }
        #expect(answer.contains(" \(code) "))
        #expect(end.status == nil)
        #expect(
            rig.recorder.events == [.refused(code), .metrics, .completed(end.error, nil)]
        )
        await #expect(throws: WebSocketError.self) { try await receiving.value }
        await #expect(throws: WebSocketError.self) { try await socket.send(.text("x")) }
        // Only the request was sent.
        try await rig.server.connectionClosed(0)
    }

    @Test func nonHTTPHandshakeResponseIsAnError() async throws {
        let rig = try SocketRig([.readHead, .send("nonsense\r\n\r\n"), .readUntilClosed])
        _ = try rig.connected()
        let end = try await rig.recorder.end()
        guard case .connection(let error) = end.error else {
            Issue.record("\(String(describing: end.error))")
            return
        }
        #expect(error.code == .invalidResponse)
    }

    @Test(arguments: ["", "HTTP/1.1 101 Swi"])
    func closeBeforeHandshakeResponseIsAnError(_ sent: String) async throws {
        let rig = try SocketRig([.readHead, .send(sent), .close])
        _ = try rig.connected()
        let end = try await rig.recorder.end()
        guard case .connection(let error) = end.error else {
            Issue.record("\(String(describing: end.error))")
            return
        }
        #expect(error.code == .emptyReply)
    }

    @Test func handshakeTimesOut() async throws {
        let rig = try SocketRig([.readHead, .stall])
        _ = try rig.connected { _, options in options.timeouts.idle = .milliseconds(150) }
        let end = try await rig.recorder.end()
        guard case .connection(let error) = end.error else {
            Issue.record("\(String(describing: end.error))")
            return
        }
        #expect(error.code == .idleTimeout)
    }

    /// The timeout of the handshake's answer doesn't apply afterwards.
    @Test func openWebSocketMayBeIdle() async throws {
        let rig = try SocketRig {
            $0.opening = { _ in [.after(.milliseconds(500)), .send(ServerFrame.text("x").bytes)] }
        }
        let socket = try rig.connected { _, options in
            options.timeouts.idle = .milliseconds(200)
        }
        // A loaded machine may take longer for the answer itself.
        let message = try? await socket.receive()
        if rig.recorder.events.contains(.open(nil)) { #expect(message == .text("x")) }
        socket.cancel()
    }

    @Test func refusedConnectionIsAnError() async throws {
        let rig = try SocketRig([])
        let port = try LoopbackServer.unusedPort()
        try rig.connect(WebSocketConnection(), "ws://127.0.0.1:\(port)/")
        let end = try await rig.recorder.end()
        guard case .connection(let error) = end.error else {
            Issue.record("\(String(describing: end.error))")
            return
        }
        #expect(error.code == .connectRefused)
    }

    // MARK: Closing

    @Test("Messages before a close frame are delivered while the connection is open")
    func messagesBeforeCloseFrameAreDelivered() async throws {
        let frames = [
            ServerFrame.text("first"), .text("second"), .text("third"), .close(4001, []),
        ]
        // The server sends them at once and keeps the connection open.
        let rig = try SocketRig { $0.opening = { _ in [.send(frames.flatMap(\.bytes)), .stall] } }
        let socket = try rig.connected()
        for text in ["first", "second", "third"] {
            #expect(try await socket.receive() == .text(text))
        }
        await #expect(throws: WebSocketError.closed(WebSocketStatus(rawValue: 4001))) {
            try await socket.receive()
        }
        socket.cancel()
    }

    @Test func serverClosesWebSocket() async throws {
        let answers = EventRecorder<ServerFrame>()
        let rig = try SocketRig {
            $0.opening = { _ in
                [
                    .send(ServerFrame.text("last").bytes),
                    .send(ServerFrame.close(4001, Array("bye".utf8)).bytes),
                ]
            }
            $0.answer = { frame in
                answers.record(frame)
                return nil
            }
        }
        let socket = try rig.connected()
        let end = try await rig.recorder.end()
        #expect(end.error == nil && end.status == 4001)
        #expect(
            rig.recorder.events == [
                .open(nil), .close(4001, "bye"), .metrics, .completed(nil, 4001),
            ]
        )
        #expect(answers.events.map(\.status) == [4001])
        // Messages that arrived before can still be received.
        #expect(try await socket.receive() == .text("last"))
        let closed = WebSocketError.closed(WebSocketStatus(rawValue: 4001))
        await #expect(throws: closed) { try await socket.receive() }
        await #expect(throws: closed) { try await socket.send(.text("x")) }
        await #expect(throws: closed) { try await socket.ping() }
    }

    @Test func queuedMessagesAreSentBeforeClose() async throws {
        let frames = EventRecorder<ServerFrame>()
        let hasAsked = Gate()
        let rig = try SocketRig {
            $0.answer = { frame in
                frames.record(frame)
                return frame.opcode == 8
                    ? [.waitFor(hasAsked), .send(ServerFrame.close(1000).bytes), .close] : []
            }
        }
        let socket = try rig.connected { request, _ in
            request.closingLimits = (.seconds(120), .seconds(10))
        }
        try await rig.recorder.opened()
        for number in 0..<20 { socket.send(.binary(bytes(100_000, UInt8(number)))) { _ in } }
        socket.close(.goingAway, reason: "leaving")
        await #expect(throws: WebSocketError.cancelled) { try await socket.send(.text("late")) }
        await #expect(throws: WebSocketError.cancelled) { try await socket.receive() }
        hasAsked.open()
        let end = try await rig.recorder.end()
        #expect(end.error == nil && end.status == 1000)
        let data = frames.events.filter { $0.opcode < 8 }
        #expect(data.reduce(0) { $0 + $1.payload.count } == 2_000_000)
        #expect(frames.events.last?.status == 1001)
        #expect(
            frames.events.last.map { String(decoding: $0.payload.dropFirst(2), as: UTF8.self) }
                == "leaving"
        )
    }

    @Test func closeTimesOutIfServerSendsNoClose() async throws {
        let rig = try SocketRig { $0.answer = { _ in [] } }
        let socket = try rig.connected { request, _ in
            request.closingLimits = (.milliseconds(150), .milliseconds(50))
        }
        try await rig.recorder.opened()
        socket.close(.normalClosure, reason: "")
        let end = try await rig.recorder.end()
        #expect(end.error == nil && end.status == 1006)
        try await rig.server.connectionClosed(0)
    }

    @Test func closeTimesOutIfServerKeepsConnection() async throws {
        let rig = try SocketRig {
            $0.opening = { _ in [.send(ServerFrame.close(1000).bytes)] }
            $0.answer = { _ in [] }
        }
        _ = try rig.connected { request, _ in
            request.closingLimits = (.milliseconds(150), .milliseconds(50))
        }
        let end = try await rig.recorder.end()
        #expect(end.error == nil && end.status == 1000)
        try await rig.server.connectionClosed(0)
    }

    @Test func unreadMessagesDoNotBlockClose() async throws {
        var options = ServerOptions()
        options.sendBufferBytes = 32_768
        let rig = try SocketRig(options: options) {
            $0.opening = { _ in
                [.sendRepeating(ServerFrame.binary(bytes(1_000)).bytes, times: 20_000)]
            }
        }
        // Frames in flight arrive first, which takes a while on a busy machine.
        let socket = try rig.connected { request, _ in
            request.closingLimits = (.seconds(120), .seconds(10))
        }
        try await rig.recorder.opened()
        try await rig.server.blocked()
        socket.close(.normalClosure, reason: "")
        let end = try await rig.recorder.end()
        #expect(end.error == nil && end.status == 1000)
    }

    // MARK: Lost connections

    @Test(arguments: [Step.close, .reset])
    func lostConnectionIsAnError(_ last: Step) async throws {
        let rig = try SocketRig { $0.answer = { _ in [last] } }
        let socket = try rig.connected()
        let receiving = Task { try await socket.receive() }
        try await socket.send(.text("x"))
        let end = try await rig.recorder.end()
        guard case .connection(let error) = end.error else {
            Issue.record("\(String(describing: end.error))")
            return
        }
        #expect(error.code == .connectionLost)
        #expect(end.status == 1006)
        await #expect(throws: WebSocketError.self) { try await receiving.value }
    }

    @Test func shutdownEndsWebSocket() async throws {
        let rig = try SocketRig()
        let socket = try rig.connected()
        let receiving = Task { try await socket.receive() }
        try await rig.recorder.opened()
        await rig.transport.shutdown()
        let end = try await rig.recorder.end()
        guard case .connection(let error) = end.error else {
            Issue.record("\(String(describing: end.error))")
            return
        }
        #expect(error.code == .shutdown)
        await #expect(throws: WebSocketError.self) { try await receiving.value }
    }

    // MARK: Cancelling

    @Test func cancelBeforeConnecting() async throws {
        let rig = try SocketRig()
        let socket = WebSocketConnection()
        let receiving = Task { try await socket.receive() }
        let sending = Task { try await socket.send(.text("x")) }
        await Task.yield()
        socket.cancel()
        try rig.connect(socket)
        #expect(rig.recorder.events.isEmpty)
        await #expect(throws: WebSocketError.cancelled) { try await receiving.value }
        await #expect(throws: WebSocketError.cancelled) { try await sending.value }
        #expect(rig.server.acceptedConnectionCount == 0)
    }

    @Test func cancelWhileConnecting() async throws {
        let listener = try FullListener()
        let rig = try SocketRig()
        let socket = WebSocketConnection()
        let receiving = Task { try await socket.receive() }
        try rig.connect(socket, "ws://127.0.0.1:\(listener.port)/")
        socket.cancel()
        let end = try await rig.recorder.end()
        #expect(end.error == .cancelled && end.status == nil)
        await #expect(throws: WebSocketError.cancelled) { try await receiving.value }
    }

    @Test func cancelDuringHandshake() async throws {
        let rig = try SocketRig([.readHead, .stall])
        let socket = try rig.connected()
        _ = try await rig.server.requestHead(0)
        socket.cancel()
        #expect(try await rig.recorder.end().error == .cancelled)
        try await rig.server.connectionClosed(0)
    }

    @Test func cancelSendsCloseFrame() async throws {
        let frames = EventRecorder<ServerFrame>()
        let rig = try SocketRig {
            $0.answer = { frame in
                frames.record(frame)
                return []
            }
        }
        let socket = try rig.connected()
        let receiving = Task { try await socket.receive() }
        try await rig.recorder.opened()
        socket.cancel()
        socket.cancel()
        let end = try await rig.recorder.end()
        #expect(end.error == .cancelled && end.status == 1006)
        await #expect(throws: WebSocketError.cancelled) { try await receiving.value }
        try await rig.server.connectionClosed(0)
        #expect(frames.events.map(\.opcode) == [8])
        #expect(
            rig.recorder.events.filter { if case .completed = $0 { true } else { false } }.count
                == 1
        )
    }

    @Test func stalledWebSocketIsCancelledImmediately() async throws {
        var options = ServerOptions()
        options.receiveBufferBytes = 8192
        let rig = try SocketRig(options: options) { $0.opening = { _ in [.stall] } }
        let socket = try rig.connected()
        try await rig.recorder.opened()
        let sending = Task { try await socket.send(.binary(bytes(32 << 20))) }
        await Task.yield()
        socket.cancel()
        await #expect(throws: WebSocketError.cancelled) { try await sending.value }
        #expect(try await rig.recorder.end().error == .cancelled)
        #expect(ProcessFacts.connectionCount(toPort: rig.server.port) == 0)
    }

    /// Cancelling at any moment, on any thread, leaves one end and nothing else.
    @Test(arguments: 0..<8) func cancelAtAnyTimeCompletesOnce(_ seed: Int) async throws {
        let rig = try SocketRig { script in
            script = .echo { WebSocketHandshake.accept(for: $0) }
        }
        var generator = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<25 {
            let recorder = SocketRecorder()
            let socket = WebSocketConnection()
            try rig.connect(socket, recorder: recorder)
            let rounds = Int.random(in: 0..<4, using: &generator)
            for _ in 0..<rounds {
                socket.send(.text("x")) { _ in }
                socket.receive { _ in }
            }
            if generator.isOne(in: 2) { try await recorder.opened() }
            if generator.isOne(in: 2) {
                socket.cancel()
            } else {
                socket.close(.normalClosure, reason: "")
            }
            _ = try await recorder.end()
            let completions = recorder.events.count {
                if case .completed = $0 { true } else { false }
            }
            #expect(completions == 1)
        }
        try await rig.server.openConnections(0)
        #expect(ProcessFacts.connectionCount(toPort: rig.server.port) == 0)
    }

    @Test func delegateIsReleasedAtTheEnd() async throws {
        let rig = try SocketRig()
        weak var delegate: SocketRecorder?
        let socket: WebSocketConnection
        do {
            let recorder = SocketRecorder()
            delegate = recorder
            socket = WebSocketConnection()
            try rig.connect(socket, recorder: recorder)
            try await recorder.opened()
            socket.cancel()
            _ = try await recorder.end()
        }
        await rig.transport.shutdown()
        // The loop's thread may still be ending.
        try await Inspection.wait { [weak delegate] in delegate == nil }
        withExtendedLifetime(socket) {}
    }
}
