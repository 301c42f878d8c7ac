internal import CurlURLSession
internal import Foundation
internal import TestSupport
internal import Testing

/// Tests suspended WebSocket tasks, tasks without a receiver, and timeouts.
@Suite(.timeLimit(.minutes(10))) struct WebSocketTaskFlowTests {
    @Test func suspendedTaskSendsNothing() async throws {
        let frames = EventRecorder<String>()
        let server = try LoopbackServer.sockets { script in
            let echo = script.answer
            script.answer = { frame in
                frames.record(frame.text)
                return echo(frame)
            }
        }
        let session = URLSession.test()
        let task = session.webSocketTask(with: try server.socketURL)
        let other = session.webSocketTask(with: try server.socketURL)
        task.resume()
        other.resume()
        try await task.send(.string("before"))
        expectText(try await task.receive(), "before")
        task.suspend()
        let sent = Gate()
        task.send(.string("held")) { _ in sent.open() }
        // Another task isn't affected.
        try await other.send(.string("other"))
        expectText(try await other.receive(), "other")
        #expect(frames.events == ["before", "other"])
        #expect(!sent.isOpen)
        task.resume()
        try await sent.wait()
        expectText(try await task.receive(), "held")
        session.invalidateAndCancel()
    }

    @Test func suspendedTaskReceivesNothing() async throws {
        let gate = Gate()
        let server = try LoopbackServer.sockets {
            $0.opening = { connection in
                connection == 0 ? [.waitFor(gate), .send(ServerFrame.text("late").bytes)] : []
            }
        }
        let delegate = SocketDelegate()
        let session = URLSession.test(delegate: delegate)
        let task = session.webSocketTask(with: try server.socketURL)
        task.resume()
        try await delegate.opened()
        task.suspend()
        let received = EventRecorder<Bool>()
        task.receive { result in
            if case .success(.string("late")) = result { received.record(true) }
        }
        // The event loop takes the suspension before it answers this ping. What it reads until then
        // may still arrive.
        let other = session.webSocketTask(with: try server.socketURL)
        other.resume()
        try await other.sendPing()
        gate.open()
        try await other.sendPing()
        #expect(received.events.isEmpty)
        task.resume()
        #expect(try await received.wait(count: 1) == [true])
        session.invalidateAndCancel()
    }

    @Test func suspendedTaskCanBeClosed() async throws {
        let server = try LoopbackServer.sockets()
        let delegate = SocketDelegate()
        let session = URLSession.test(delegate: delegate)
        let task = session.webSocketTask(with: try server.socketURL)
        task.resume()
        try await delegate.opened()
        task.suspend()
        task.cancel(with: .normalClosure, reason: nil)
        #expect(try await delegate.completion() == nil)
        #expect(task.closeCode == .normalClosure)
        session.invalidateAndCancel()
    }

    /// The kernel buffers up to 32 MiB for a socket here.
    @Test func serverWaitsWhenNothingIsReceived() async throws {
        let frame = ServerFrame.binary([UInt8](repeating: 7, count: 64 * 1024)).bytes
        let count = 1024
        let server = try LoopbackServer.sockets {
            $0.opening = { _ in [.sendRepeating(frame, times: count)] }
        }
        let session = URLSession.test()
        let task = session.webSocketTask(with: try server.socketURL)
        task.resume()
        try await server.blocked()
        #expect(task.state == .running)
        for _ in 0..<count {
            guard case .data(let data) = try await task.receive() else {
                Issue.record("no data")
                break
            }
            #expect(data.count == 64 * 1024)
        }
        session.invalidateAndCancel()
    }

    // MARK: Timeouts

    @Test func unansweredHandshakeTimesOut() async throws {
        let server = try LoopbackServer.scripted([.readHead, .stall])
        let session = URLSession.test { $0.timeoutIntervalForRequest = 0.2 }
        let task = session.webSocketTask(with: try server.socketURL)
        task.resume()
        await expectFailure(.timedOut) { _ = try await task.receive() }
        session.invalidateAndCancel()
    }

    @Test func openWebSocketCanBeIdleForLonger() async throws {
        let server = try LoopbackServer.sockets {
            $0.opening = { _ in [.after(.seconds(6)), .send(ServerFrame.text("x").bytes)] }
        }
        let session = URLSession.test { $0.timeoutIntervalForRequest = 5 }
        let task = session.webSocketTask(with: try server.socketURL)
        task.resume()
        expectText(try await task.receive(), "x")
        session.invalidateAndCancel()
    }

    @Test func resourceTimeoutEndsTheWebSocket() async throws {
        let server = try LoopbackServer.sockets()
        let delegate = SocketDelegate()
        let session = URLSession.test(delegate: delegate) { $0.timeoutIntervalForResource = 1 }
        let task = session.webSocketTask(with: try server.socketURL)
        task.resume()
        await expectFailure(.timedOut) { _ = try await task.receive() }
        #expect(try await delegate.completion() == URLError.Code.timedOut.rawValue)
        session.invalidateAndCancel()
    }
}
