import TestSupport
import Testing

@testable import CurlTransport

/// WebSockets that may connect again, and suspended ones.
@Suite(.timeLimit(.minutes(10))) struct WebSocketAttemptTests {
    /// A server that refuses the first connection and echoes on later ones.
    private static func reluctant(_ refusal: [Step]) throws -> LoopbackServer {
        let script = LoopbackServer.WebSocketScript.echo { WebSocketHandshake.accept(for: $0) }
        return try .scripted { connection in
            guard connection > 0 else { return [.readHead] + refusal }
            return [
                .readHead, .respond { LoopbackServer.steps(for: $0, connection, script) },
            ]
        }
    }

    @Test(arguments: [
        [Step.send("HTTP/1.1 401 Who\r\nContent-Length: 0\r\n\r\n"), .readUntilClosed],
        [.send("nonsense\r\n\r\n"), .readUntilClosed], [.reset], [.close],
    ])
    func failedAttemptKeepsPendingOperations(_ refusal: [Step]) async throws {
        let rig = try SocketRig(server: Self.reluctant(refusal))
        let socket = WebSocketConnection(allowsReconnecting: true)
        async let sent: Void = socket.send(.text("early"))
        async let pong: Void = socket.ping()
        let received = Task { try await socket.receive() }
        try rig.connect(socket)
        let end = try await rig.recorder.end()
        #expect(end.error != nil && end.status == nil)
        #expect(socket.closing == nil)
        let second = SocketRecorder()
        try rig.connect(socket, recorder: second)
        #expect(try await received.value == .text("early"))
        try await sent
        try await pong
        #expect(second.events == [.open(nil)])
        socket.close(.normalClosure, reason: "")
        #expect(try await second.end().error == nil)
        let request = try rig.request()
        #expect(!socket.connect(request, over: rig.transport, delegate: second))
    }

    @Test func cancelFailsPendingOperations() async throws {
        let rig = try SocketRig(server: Self.reluctant([.close]))
        let socket = WebSocketConnection(allowsReconnecting: true)
        let received = Task { try await socket.receive() }
        try rig.connect(socket)
        _ = try await rig.recorder.end()
        socket.cancel()
        await #expect(throws: WebSocketError.cancelled) { try await received.value }
        await #expect(throws: WebSocketError.cancelled) { try await socket.send(.text("late")) }
        let request = try rig.request()
        #expect(!socket.connect(request, over: rig.transport, delegate: rig.recorder))
    }

    /// A transport that has ended reports the failure during `connect`.
    @Test func immediatelyFailingAttemptsReportInOrder() async throws {
        let rig = try SocketRig(server: Self.reluctant([.close]))
        let dead = try Transport()
        await dead.shutdown()
        let socket = WebSocketConnection(allowsReconnecting: true)
        let received = Task { try await socket.receive() }
        for _ in 0..<3 {
            let recorder = SocketRecorder()
            let request = try rig.request()
            #expect(socket.connect(request, over: dead, delegate: recorder))
            _ = try await recorder.end()
        }
        try rig.connect(socket)
        _ = try await rig.recorder.end()
        let last = SocketRecorder()
        try rig.connect(socket, recorder: last)
        try await socket.send(.text("x"))
        #expect(try await received.value == .text("x"))
        socket.cancel()
        #expect(try await last.end().error == .cancelled)
    }

    // MARK: Suspension

    @Test func suspendedWebSocketConnectsAndWaits() async throws {
        let rig = try SocketRig { script in
            script = .echo { WebSocketHandshake.accept(for: $0) }
            script.opening = { _ in [.send(ServerFrame.text("hello").bytes)] }
        }
        let socket = WebSocketConnection()
        socket.setSuspended(true)
        try rig.connect(socket)
        // The request has been sent, its answer isn't read.
        _ = try await rig.server.requestHead(0)
        let other = SocketRecorder()
        let second = WebSocketConnection()
        try rig.connect(second, recorder: other)
        try await other.opened()
        #expect(rig.recorder.events.isEmpty)
        socket.setSuspended(false)
        #expect(try await socket.receive() == .text("hello"))
        socket.cancel()
        second.cancel()
    }

    @Test func fullWebSocketResumesAfterSuspension() async throws {
        let frame = ServerFrame.binary([UInt8](repeating: 1, count: 64 * 1024)).bytes
        let rig = try SocketRig { $0.opening = { _ in [.sendRepeating(frame, times: 64)] } }
        let socket = try rig.connected()
        try await rig.recorder.opened()
        for _ in 0..<64 {
            socket.setSuspended(true)
            socket.setSuspended(false)
            guard case .binary(let bytes) = try await socket.receive() else {
                Issue.record("no bytes")
                return
            }
            #expect(bytes.count == 64 * 1024)
        }
        socket.cancel()
    }
}
