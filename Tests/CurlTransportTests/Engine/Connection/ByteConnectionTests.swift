import CurlTransport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct ByteConnectionTests {
    typealias Event = ByteRecorder.Event

    /// A server that echoes everything and ends when the client does.
    private static func echo(options: ServerOptions = ServerOptions()) throws -> LoopbackServer {
        try .scripted(options: options, [.converse { [.send($0)] }])
    }

    @Test func bytesGoBothWays() async throws {
        let server = try Self.echo()
        let rig = try Rig()
        let recorder = ByteRecorder()
        let connection = try rig.connect(server.port, delegate: recorder)
        // Sent before and after the connection opens.
        #expect(connection.send(Array("hello, ".utf8)) == .accepted)
        try await recorder.received("hello, ")
        #expect(connection.send(Array("world".utf8)) == .accepted)
        try await recorder.received("hello, world")
        try await recorder.sent(12)
        connection.close()
        #expect(try await recorder.completion() == nil)
        #expect(recorder.events == [.open, .bytes, .metrics, .completed(nil)])
        #expect(connection.send([1]) == .closed)
        let record = try await server.connectionClosed(0)
        #expect(record.bytesReceived == 12)
        let metrics = try #require(recorder.metrics)
        #expect(metrics.requestBytes == 12 && metrics.responseBytes == 12)
        #expect(metrics.remotePort == server.port)
        #expect(!metrics.isConnectionReused)
    }

    @Test func nothingIsSentUnasked() async throws {
        let server = try Self.echo()
        let rig = try Rig()
        let recorder = ByteRecorder()
        let connection = try rig.connect(server.port, delegate: recorder)
        try await recorder.event(.open)
        connection.close()
        #expect(try await recorder.completion() == nil)
        #expect(try await server.connectionClosed(0).bytesReceived == 0)
        #expect(recorder.metrics?.requestBytes == 0)
    }

    @Test func serverMaySendFirst() async throws {
        let server = try LoopbackServer.scripted([.send("220 ready\r\n"), .readUntilClosed])
        let rig = try Rig()
        let recorder = ByteRecorder()
        let connection = try rig.connect(server.port, delegate: recorder)
        try await recorder.received("220 ready\r\n")
        connection.cancel()
        #expect(try await recorder.failure().code == .cancelled)
        #expect(recorder.events == [.open, .bytes, .metrics, .completed(.cancelled)])
    }

    // MARK: Ends

    @Test func bytesCanBeSentAfterPeersEnd() async throws {
        let (received, isEndReported) = (EventRecorder<String>(), Gate())
        let server = try LoopbackServer.scripted([
            .send("bye"), .halfClose,
            .converse { bytes in
                received.record(String(decoding: bytes, as: UTF8.self))
                return []
            },
        ])
        let rig = try Rig()
        let recorder = ByteRecorder { $0.end = { _ in isEndReported.open() } }
        let connection = try rig.connect(server.port, delegate: recorder)
        try await isEndReported.wait()
        #expect(recorder.text == "bye")
        #expect(connection.send(Array("late".utf8)) == .accepted)
        _ = try await received.first { $0 == "late" }
        connection.finishSending()
        #expect(try await recorder.completion() == nil)
        #expect(recorder.events == [.open, .bytes, .end, .metrics, .completed(nil)])
    }

    @Test func sendingSideEndsSeparately() async throws {
        let server = try LoopbackServer.scripted([
            .converse { bytes in bytes.isEmpty ? [.send("that was all")] : [] }
        ])
        let rig = try Rig()
        let recorder = ByteRecorder()
        let connection = try rig.connect(server.port, delegate: recorder)
        #expect(connection.send([1, 2, 3]) == .accepted)
        connection.finishSending()
        #expect(connection.send([4]) == .closed)
        #expect(try await recorder.completion() == nil)
        #expect(recorder.text == "that was all")
        #expect(try await server.connectionClosed(0).bytesReceived == 3)
    }

    @Test func finishSendingBeforeOpenIsRemembered() async throws {
        let server = try LoopbackServer.scripted([
            .converse { bytes in bytes.isEmpty ? [.send("empty")] : [] }
        ])
        let rig = try Rig()
        let recorder = ByteRecorder()
        try rig.connect(server.port, delegate: recorder).finishSending()
        #expect(try await recorder.completion() == nil)
        #expect(recorder.text == "empty")
    }

    @Test func closeSendsAcceptedBytes() async throws {
        var options = ServerOptions()
        options.receiveBufferBytes = 8192
        let gate = Gate()
        let server = try LoopbackServer.scripted(
            options: options,
            [.waitFor(gate), .readUntilClosed]
        )
        let rig = try Rig()
        let recorder = ByteRecorder()
        let size = 16 << 20
        let connection = try rig.connect(server.port, sendBufferSize: size, delegate: recorder)
        try await recorder.event(.open)
        #expect(connection.send([UInt8](repeating: 7, count: size)) == .accepted)
        connection.close(within: .seconds(60))
        gate.open()
        #expect(try await recorder.completion() == nil)
        #expect(try await server.connectionClosed(0).bytesReceived == size)
        #expect(recorder.sent == Int64(size))
    }

    @Test func closeHasTimeLimit() async throws {
        var options = ServerOptions()
        options.receiveBufferBytes = 8192
        let server = try LoopbackServer.scripted(options: options, [.stall])
        let rig = try Rig()
        let recorder = ByteRecorder()
        let size = 16 << 20
        let connection = try rig.connect(server.port, sendBufferSize: size, delegate: recorder)
        #expect(connection.send([UInt8](repeating: 7, count: size)) == .accepted)
        try await recorder.event(.open)
        connection.close(within: .milliseconds(100))
        #expect(try await recorder.failure().code == .idleTimeout)
        #expect(recorder.events.last == .completed(.idleTimeout))
    }

    @Test func closeMayWaitForPeer() async throws {
        let server = try LoopbackServer.scripted([
            .converse { bytes in bytes == [1] ? [.send("last words"), .close] : [] }
        ])
        let rig = try Rig()
        let recorder = ByteRecorder()
        let connection = try rig.connect(server.port, delegate: recorder)
        try await recorder.event(.open)
        #expect(connection.send([1]) == .accepted)
        connection.close(within: .seconds(60), awaitsPeer: true)
        #expect(try await recorder.completion() == nil)
        #expect(recorder.text == "last words")
    }

    @Test func closeStopsWaitingForPeerAfterLimit() async throws {
        let server = try LoopbackServer.scripted([.readUntilClosed])
        let rig = try Rig()
        let recorder = ByteRecorder()
        let connection = try rig.connect(server.port, delegate: recorder)
        try await recorder.event(.open)
        connection.close(within: .milliseconds(100), awaitsPeer: true)
        #expect(try await recorder.completion() == nil)
        try await server.connectionClosed(0)
    }

    @Test func connectionResetIsAnError() async throws {
        let server = try LoopbackServer.scripted([
            .converse { bytes in bytes.isEmpty ? [] : [.reset] }
        ])
        let rig = try Rig()
        let recorder = ByteRecorder()
        let connection = try rig.connect(server.port, delegate: recorder)
        #expect(connection.send([1]) == .accepted)
        let error = try await recorder.failure()
        #expect(error.code == .connectionLost)
        #expect(error.peer == "127.0.0.1:\(server.port)")
        #expect(recorder.events == [.open, .metrics, .completed(.connectionLost)])
    }

    // MARK: Immediate failures

    @Test func refusedConnectionIsAnError() async throws {
        let rig = try Rig()
        let recorder = ByteRecorder()
        let connection = try rig.connect(try LoopbackServer.unusedPort(), delegate: recorder)
        #expect(try await recorder.failure().code == .connectRefused)
        #expect(recorder.events == [.metrics, .completed(.connectRefused)])
        #expect(connection.send([1]) == .closed)
    }

    @Test func invalidAuthorityIsAnError() async throws {
        let rig = try Rig()
        let recorder = ByteRecorder()
        try rig.connect(80, host: "a b", delegate: recorder)
        #expect(try await recorder.failure().code == .invalidRequest)
    }

    @Test func endedTransportConnectsNothing() async throws {
        let rig = try Rig()
        await rig.transport.shutdown()
        let recorder = ByteRecorder()
        let connection = try rig.connect(1, delegate: recorder)
        #expect(recorder.events == [.metrics, .completed(.shutdown)])
        connection.cancel()
        connection.close()
        #expect(connection.send([1]) == .closed)
        #expect(recorder.events.count == 2)
    }

    // MARK: Together with requests

    @Test func connectionsAndTransfersShareALoop() async throws {
        let echo = try Self.echo()
        let server = try LoopbackServer { _ in .text("x") }
        let rig = try Rig()
        let recorders = (0..<50).map { _ in ByteRecorder() }
        let connections = try recorders.map { try rig.connect(echo.port, delegate: $0) }
        for round in 1...5 {
            for connection in connections { #expect(connection.send([UInt8(round)]) == .accepted) }
            try await rig.fetch(server.url)
            for recorder in recorders { try await recorder.received(round) }
        }
        for connection in connections { connection.close() }
        for recorder in recorders {
            #expect(try await recorder.completion() == nil)
            #expect(recorder.bytes == [1, 2, 3, 4, 5])
        }
        #expect(server.acceptedConnectionCount == 1)
        try await echo.openConnections(0)
    }

    /// The limits count requests and connecting byte connections, not open ones.
    @Test func openConnectionUsesNoPlace() async throws {
        let server = try LoopbackServer.scripted([
            .converse { bytes in
                let text = String(decoding: bytes, as: UTF8.self)
                guard text.hasPrefix("GET") else { return [.send(bytes)] }
                return [.send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx")]
            }
        ])
        let rig = try Rig {
            $0.maximumConnectionsPerHost = 1
            $0.maximumConnections = 1
        }
        let recorders = (0..<3).map { _ in ByteRecorder() }
        let connections = try recorders.map { try rig.connect(server.port, delegate: $0) }
        for recorder in recorders { try await recorder.event(.open) }
        #expect(try await rig.fetch(server.url).bodyText == "x")
        for (connection, recorder) in zip(connections, recorders) {
            #expect(connection.send([65]) == .accepted)
            try await recorder.received("A")
            connection.close()
        }
    }
}
