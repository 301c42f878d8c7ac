import CurlTransport
import TestSupport
import Testing

/// Cancellation, timeouts and shutdown in every state of a byte connection.
@Suite(.timeLimit(.minutes(10))) struct ByteConnectionEndingTests {
    @Test func connectingConnectionIsCancelled() async throws {
        let listener = try FullListener()
        let rig = try Rig()
        let recorder = ByteRecorder()
        let connection = try rig.connect(listener.port, delegate: recorder) {
            $0.timeouts.connect = nil
        }
        // A later request that completes shows that the first has begun to connect.
        let server = try LoopbackServer { _ in .text("x") }
        try await rig.fetch(server.url)
        connection.cancel()
        connection.cancel()
        #expect(try await recorder.failure().code == .cancelled)
        #expect(recorder.events == [.metrics, .completed(.cancelled)])
    }

    @Test func connectingConnectionIsClosed() async throws {
        let listener = try FullListener()
        let rig = try Rig()
        let recorder = ByteRecorder()
        let connection = try rig.connect(listener.port, delegate: recorder)
        #expect(connection.send([1]) == .accepted)
        connection.close()
        #expect(try await recorder.completion() == nil)
        #expect(recorder.events == [.metrics, .completed(nil)])
    }

    @Test func connectionInTLSHandshakeIsCancelled() async throws {
        // The server never answers the TLS handshake.
        let server = try LoopbackServer.scripted([.readUntilClosed])
        let rig = try Rig()
        let recorder = ByteRecorder()
        let connection = try rig.connect(server.port, isSecure: true, delegate: recorder) {
            $0.timeouts.connect = nil
        }
        try await server.connectionsAccepted(1)
        connection.cancel()
        #expect(try await recorder.failure().code == .cancelled)
        try await server.connectionClosed(0)
    }

    @Test func queuedConnectionIsCancelled() async throws {
        let listener = try FullListener()
        let rig = try Rig { $0.maximumConnectionsPerHost = 1 }
        let (first, second) = (ByteRecorder(), ByteRecorder())
        let connection = try rig.connect(listener.port, delegate: first)
        let waiting = try rig.connect(listener.port, delegate: second)
        waiting.cancel()
        #expect(try await second.failure().code == .cancelled)
        connection.cancel()
        #expect(try await first.failure().code == .cancelled)
    }

    @Test func stalledConnectionIsCancelled() async throws {
        var options = ServerOptions()
        options.receiveBufferBytes = 8192
        let server = try LoopbackServer.scripted(options: options, [.send("x"), .stall])
        let rig = try Rig()
        let recorder = ByteRecorder { $0.bytes = { _, _ in .pause } }
        let size = 16 << 20
        let connection = try rig.connect(server.port, sendBufferSize: size, delegate: recorder)
        #expect(connection.send([UInt8](repeating: 7, count: size)) == .accepted)
        try await recorder.received(1)
        connection.cancel()
        #expect(try await recorder.failure().code == .cancelled)
        #expect(ProcessFacts.connectionCount(toPort: server.port) == 0)
    }

    @Test(arguments: [ByteRecorder.Event.open, .bytes, .end])
    func connectionIsCancelledInsideCallback(_ moment: ByteRecorder.Event) async throws {
        let server = try LoopbackServer.scripted([.send("x"), .close])
        let rig = try Rig()
        let recorder = ByteRecorder { answers in
            switch moment {
            case .open: answers.open = { $0.cancel() }
            case .bytes:
                answers.bytes = { _, connection in
                    connection.cancel()
                    return .proceed
                }
            default: answers.end = { $0.cancel() }
            }
        }
        try rig.connect(server.port, delegate: recorder)
        #expect(try await recorder.failure().code == .cancelled)
        #expect(recorder.events.suffix(3) == [moment, .metrics, .completed(.cancelled)])
    }

    @Test func delegateCancelsByItsDecision() async throws {
        let server = try LoopbackServer.scripted([.send("x"), .readUntilClosed])
        let rig = try Rig()
        let recorder = ByteRecorder { $0.bytes = { _, _ in .cancel } }
        try rig.connect(server.port, delegate: recorder)
        #expect(try await recorder.failure().code == .cancelled)
        try await server.connectionClosed(0)
    }

    // MARK: Timeouts

    @Test func connectTimeoutEndsAttempt() async throws {
        let listener = try FullListener()
        let rig = try Rig()
        let recorder = ByteRecorder()
        try rig.connect(listener.port, delegate: recorder) {
            $0.timeouts = Timeouts(connect: .milliseconds(150), idle: nil)
        }
        let error = try await recorder.failure()
        #expect(error.code == .connectTimeout && error.phase == .tcp)
        #expect(error.curlCode == nil, "the loop keeps the limit")
    }

    @Test func stalledTLSHandshakeTimesOut() async throws {
        let server = try LoopbackServer.scripted([.readUntilClosed])
        let rig = try Rig()
        let recorder = ByteRecorder()
        try rig.connect(server.port, isSecure: true, delegate: recorder) {
            $0.timeouts = Timeouts(connect: .milliseconds(300), idle: nil)
        }
        let error = try await recorder.failure()
        // A loaded machine may not reach the handshake in time.
        #expect(error.code == .tlsTimeout || error.code == .connectTimeout)
        try await server.openConnections(0)
    }

    @Test func idleConnectionTimesOut() async throws {
        let server = try LoopbackServer.scripted([.send("x"), .readUntilClosed])
        let rig = try Rig()
        let recorder = ByteRecorder()
        let start = ContinuousClock.now
        // Long enough for a busy machine to connect and to deliver the byte.
        try rig.connect(server.port, delegate: recorder) {
            $0.timeouts.idle = .seconds(3)
        }
        let error = try await recorder.failure()
        #expect(error.code == .idleTimeout)
        #expect(error.peer == "127.0.0.1:\(server.port)")
        #expect(try #require(recorder.completed) - start >= .seconds(3))
        #expect(recorder.text == "x")
    }

    @Test func idleLimitCanBeRemovedAndSet() async throws {
        let server = try LoopbackServer.scripted([
            .converse { bytes in [.after(.milliseconds(4500)), .send(bytes)] }
        ])
        let rig = try Rig()
        // Called on the loop, before it checks its clock again.
        let recorder = ByteRecorder { $0.open = { $0.setIdleLimit(nil) } }
        let connection = try rig.connect(server.port, delegate: recorder) {
            $0.timeouts.idle = .seconds(3)
        }
        #expect(connection.send(Array("slow".utf8)) == .accepted)
        try await recorder.received("slow")
        connection.setIdleLimit(.milliseconds(100))
        #expect(try await recorder.failure().code == .idleTimeout)
    }

    @Test func pausedConnectionIsNotIdle() async throws {
        let (server, gate) = (try LoopbackServer.scripted([.send("x"), .readUntilClosed]), Gate())
        let rig = try Rig()
        let recorder = ByteRecorder {
            $0.bytes = { _, connection in
                connection.setIdleLimit(.milliseconds(100))
                return .pause
            }
        }
        let connection = try rig.connect(server.port, delegate: recorder)
        try await recorder.received(1)
        let pause = try LoopbackServer { _ in .text("x").after(.milliseconds(400)) }
        try await rig.fetch(pause.url)
        #expect(recorder.completed == nil)
        connection.resumeReceiving()
        #expect(try await recorder.failure().code == .idleTimeout)
        gate.open()
    }

    @Test func totalTimeoutEndsConnection() async throws {
        let server = try LoopbackServer.scripted([.sendRepeating("x", times: nil)])
        let rig = try Rig()
        let recorder = ByteRecorder(keepsBytes: false)
        try rig.connect(server.port, delegate: recorder) {
            $0.timeouts.total = .milliseconds(200)
        }
        #expect(try await recorder.failure().code == .deadlineExceeded)
    }

    // MARK: Shutting down

    @Test func shutdownEndsConnectionsInEveryState() async throws {
        let listener = try FullListener()
        let server = try LoopbackServer.scripted([.send("x"), .readUntilClosed])
        let rig = try Rig()
        let recorders = (0..<3).map { _ in ByteRecorder() }
        try rig.connect(server.port, delegate: recorders[0])
        try rig.connect(server.port, delegate: recorders[1]).pauseReceiving()
        try rig.connect(listener.port, delegate: recorders[2])
        try await recorders[0].received(1)
        try await recorders[1].event(.open)
        await rig.transport.shutdown()
        for recorder in recorders {
            #expect(try await recorder.failure().code == .shutdown)
            #expect(recorder.events.suffix(2) == [.metrics, .completed(.shutdown)])
        }
        try await server.openConnections(0)
    }

    @Test func finishingShutdownWaitsForConnections() async throws {
        let server = try LoopbackServer.scripted([.converse { [.send($0)] }])
        let rig = try Rig()
        let recorder = ByteRecorder()
        let connection = try rig.connect(server.port, delegate: recorder)
        try await recorder.event(.open)
        async let end: Void = rig.transport.shutdown(.finish)
        #expect(connection.send([65]) == .accepted)
        try await recorder.received("A")
        connection.close()
        #expect(try await recorder.completion() == nil)
        await end
    }
}
