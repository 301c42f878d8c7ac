import HTTPTypes
import TestSupport
import Testing

@testable import CurlTransport

@Suite(.timeLimit(.minutes(10))) struct WebSocketConnectionTests {
    private static func echo(
        _ configure: (inout LoopbackServer.WebSocketScript) -> Void = { _ in }
    ) throws -> SocketRig {
        try SocketRig { script in
            script = .echo { WebSocketHandshake.accept(for: $0) }
            configure(&script)
        }
    }

    // MARK: Messages

    @Test func messagesArriveInBothDirections() async throws {
        let rig = try Self.echo()
        let socket = try rig.connected()
        let messages: [WebSocketMessage] = [
            .text("hello"), .binary([0, 255, 3]), .text(""), .binary([]), .text("größer 🐟"),
        ]
        for message in messages {
            try await socket.send(message)
            #expect(try await socket.receive() == message)
        }
        socket.close(.normalClosure, reason: "done")
        let end = try await rig.recorder.end()
        #expect(end.error == nil && end.status == 1000)
        #expect(
            rig.recorder.events == [
                .open(nil), .close(1000, "done"), .metrics, .completed(nil, 1000),
            ]
        )
    }

    @Test func handshakeHasRequiredFields() async throws {
        let rig = try Self.echo { $0.fields = "Sec-WebSocket-Protocol: two\r\n" }
        let socket = WebSocketConnection()
        try rig.connect(
            socket,
            subprotocols: ["one", "two"],
            fields: [.origin: "http://example.com"]
        )
        try await rig.recorder.event(.open("two"))
        let request = try await rig.server.requestHead(0)
        #expect(request.target == "/socket")
        #expect(request.header("Host") == "127.0.0.1:\(rig.server.port)")
        #expect(request.header("Origin") == "http://example.com")
        #expect(request.header("Sec-WebSocket-Protocol") == "one, two")
        #expect(request.header("User-Agent") == TransferOptions.defaultUserAgent)
        socket.cancel()
    }

    @Test func operationsBeforeConnectingWait() async throws {
        let rig = try Self.echo()
        let socket = WebSocketConnection()
        async let sent: Void = socket.send(.text("early"))
        let received = Task { try await socket.receive() }
        async let pong: Void = socket.ping()
        try rig.connect(socket)
        try rig.connect(socket)
        try await sent
        #expect(try await received.value == .text("early"))
        try await pong
        #expect(rig.server.acceptedConnectionCount == 1)
        socket.cancel()
    }

    @Test func framesAfterHandshakeResponseAreRead() async throws {
        let rig = try SocketRig {
            $0.opening = { _ in
                [.send(ServerFrame.text("first").bytes + ServerFrame.text("second").bytes)]
            }
        }
        let socket = try rig.connected()
        #expect(try await socket.receive() == .text("first"))
        #expect(try await socket.receive() == .text("second"))
        socket.cancel()
    }

    @Test func messagesKeepTheirOrder() async throws {
        let rig = try Self.echo()
        let socket = try rig.connected()
        async let sending: Void = {
            for number in 0..<300 { try await socket.send(.text("\(number)")) }
        }()
        for number in 0..<300 { #expect(try await socket.receive() == .text("\(number)")) }
        try await sending
        socket.cancel()
    }

    @Test func pongIsSentDuringLongMessage() async throws {
        let order = EventRecorder<UInt8>()
        let rig = try SocketRig {
            $0.opening = { _ in [.send(ServerFrame.ping([7]).bytes)] }
            $0.answer = { frame in
                order.record(frame.opcode)
                return frame.opcode == 8 ? nil : []
            }
        }
        let socket = WebSocketConnection()
        let long = [UInt8](repeating: 9, count: 24 << 20)
        let sent = Gate()
        socket.send(.binary(long)) { _ in sent.open() }
        try rig.connect(socket)
        try await sent.wait()
        let last = try await order.wait(count: long.count / WebSocketOutbox.frameSize + 1)
        #expect(last.first == 2)
        let pong = try #require(last.firstIndex(of: 10))
        #expect(pong < last.count - 1)
        socket.cancel()
    }

    @Test func cancelledReceiveTakesNoMessage() async throws {
        let gate = Gate()
        let rig = try SocketRig {
            $0.opening = { _ in [.waitFor(gate), .send(ServerFrame.text("kept").bytes)] }
        }
        let socket = try rig.connected()
        try await rig.recorder.opened()
        let waiting = Task { try await socket.receive() }
        waiting.cancel()
        await #expect(throws: WebSocketError.cancelled) { try await waiting.value }
        gate.open()
        #expect(try await socket.receive() == .text("kept"))
        socket.cancel()
    }

    // MARK: Pings

    @Test func pongCompletesAllEarlierPings() async throws {
        let payloads = EventRecorder<[UInt8]>()
        let rig = try SocketRig {
            $0.answer = { frame in
                guard frame.opcode == 9 else { return frame.opcode == 8 ? nil : [] }
                payloads.record(frame.payload)
                guard payloads.events.count == 3 else { return [] }
                // An unsolicited pong, then one for the third ping only.
                return [
                    .send(ServerFrame.pong([1]).bytes + ServerFrame.pong(frame.payload).bytes)
                ]
            }
        }
        let socket = try rig.connected()
        async let first: Void = socket.ping()
        async let second: Void = socket.ping()
        async let third: Void = socket.ping()
        _ = try await (first, second, third)
        #expect(Set(payloads.events).count == 3)
        socket.cancel()
    }

    @Test func pingWithoutPongFailsAtClose() async throws {
        let rig = try SocketRig { $0.answer = { $0.opcode == 9 ? nil : [] } }
        let socket = try rig.connected()
        await #expect(throws: WebSocketError.self) { try await socket.ping() }
        let end = try await rig.recorder.end()
        #expect(end.status == 1006)
    }

    // MARK: Limits

    @Test func tooLargeMessageClosesWebSocket() async throws {
        let status = EventRecorder<Int?>()
        let rig = try SocketRig {
            $0.opening = { _ in
                [
                    .send(ServerFrame.binary(bytes(100)).bytes),
                    .send(ServerFrame.binary(bytes(60), isFinal: false).bytes),
                    .send(ServerFrame.more(bytes(41), isFinal: true).bytes),
                ]
            }
            $0.answer = { frame in
                status.record(frame.status)
                return frame.opcode == 8 ? nil : []
            }
        }
        let socket = WebSocketConnection()
        socket.maximumMessageSize = 100
        try rig.connect(socket)
        #expect(try await socket.receive() == .binary(bytes(100)))
        await #expect(throws: WebSocketError.violation(.tooBig(limit: 100))) {
            try await socket.receive()
        }
        #expect(try await status.wait(count: 1) == [1009])
        let end = try await rig.recorder.end()
        #expect(end.status == 1009)
    }

    @Test func messageSizeLimitCanBeChanged() async throws {
        let rig = try Self.echo()
        let socket = try rig.connected()
        #expect(socket.maximumMessageSize == 1 << 20)
        socket.maximumMessageSize = 5 << 20
        let big = WebSocketMessage.binary(bytes(3 << 20))
        async let sent: Void = socket.send(big)
        #expect(try await socket.receive() == big)
        try await sent
        socket.cancel()
    }

    @Test func unreadMessagesBlockServer() async throws {
        let message = ServerFrame.binary(bytes(1_000)).bytes
        var options = ServerOptions()
        options.sendBufferBytes = 32_768
        let count = 20_000
        let rig = try SocketRig(options: options) {
            $0.opening = { _ in [.sendRepeating(message, times: count)] }
        }
        let socket = try rig.connected()
        try await rig.server.blocked()
        let expected = WebSocketMessage.binary(bytes(1_000))
        for _ in 0..<count {
            guard try await socket.receive() == expected else {
                Issue.record("another message came")
                break
            }
        }
        socket.cancel()
        let record = try await rig.server.connectionClosed(0)
        #expect(record.bytesSent >= count * message.count)
    }

    @Test func serverThatDoesNotReadBlocksSender() async throws {
        var options = ServerOptions()
        options.receiveBufferBytes = 8192
        let gate = Gate()
        let rig = try SocketRig(options: options) {
            $0.opening = { _ in [.waitFor(gate)] }
        }
        let socket = try rig.connected()
        try await rig.recorder.opened()
        let sent = Watched(0)
        // More than the system's buffers hold.
        let count = 4_096
        for _ in 0..<count {
            socket.send(.binary(bytes(16_384))) { error in
                if error == nil { sent.update { $0 += 1 } }
            }
        }
        try await sent.wait { $0 >= 1 ? () : nil }
        #expect(sent.read { $0 } < count)
        gate.open()
        try await sent.wait { $0 == count ? () : nil }
        socket.cancel()
    }
}
