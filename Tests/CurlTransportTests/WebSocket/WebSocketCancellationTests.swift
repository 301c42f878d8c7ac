import TestSupport
import Testing

@testable import CurlTransport

/// Swift tasks that are cancelled while they wait for a WebSocket.
@Suite(.timeLimit(.minutes(10))) struct WebSocketCancellationTests {
    @Test func cancelledQueuedMessageIsNotSent() async throws {
        let frames = EventRecorder<String>()
        let rig = try SocketRig { script in
            script = .echo { WebSocketHandshake.accept(for: $0) }
            let echo = script.answer
            script.answer = { frame in
                frames.record(frame.text)
                return echo(frame)
            }
        }
        let socket = WebSocketConnection()
        let first = Task { try await socket.send(.text("taken back")) }
        let second = Task { try await socket.send(.text("sent")) }
        first.cancel()
        await #expect(throws: WebSocketError.cancelled) { try await first.value }
        try rig.connect(socket)
        try await second.value
        #expect(try await socket.receive() == .text("sent"))
        #expect(frames.events == ["sent"])
        socket.cancel()
    }

    @Test func partlySentMessageIsCompleted() async throws {
        let gate = Gate()
        let rig = try SocketRig { $0.opening = { _ in [.waitFor(gate)] } }
        let socket = try rig.connected()
        try await rig.recorder.opened()
        // More than the kernel buffers.
        let long = [UInt8](repeating: 9, count: 64 << 20)
        let sending = Task { try await socket.send(.binary(long)) }
        let pinging = Task { try await socket.ping() }
        sending.cancel()
        pinging.cancel()
        await #expect(throws: WebSocketError.cancelled) { try await pinging.value }
        gate.open()
        // Either may come first; neither hangs.
        let result = await sending.result
        if case .failure(let error) = result {
            #expect(error as? WebSocketError == .cancelled)
        }
        socket.cancel()
    }

    @Test func pendingPingIsCancelled() async throws {
        let pinged = Gate()
        let rig = try SocketRig {
            $0.answer = { frame in
                if frame.opcode == 9 { pinged.open() }
                return frame.opcode == 8 ? nil : []
            }
        }
        let socket = try rig.connected()
        let waiting = Task { try await socket.ping() }
        try await pinged.wait()
        waiting.cancel()
        await #expect(throws: WebSocketError.cancelled) { try await waiting.value }
        socket.cancel()
    }

    @Test func cancelledReceiverTakesNoMessage() async throws {
        let rig = try SocketRig {
            $0.opening = { _ in [.send(ServerFrame.text("kept").bytes)] }
        }
        let socket = try rig.connected()
        for _ in 0..<10 {
            let left = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                _ = try await socket.receive()
            }
            await #expect(throws: WebSocketError.cancelled) { try await left.value }
        }
        #expect(try await socket.receive() == .text("kept"))
        socket.cancel()
    }
}
