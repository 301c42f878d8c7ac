import CurlTransport
import TestSupport
import Testing

/// Back-pressure in both directions.
@Suite(.timeLimit(.minutes(10))) struct ByteConnectionFlowTests {
    @Test func peerThatDoesNotReadBlocksSender() async throws {
        var options = ServerOptions()
        options.receiveBufferBytes = 8192
        let (gate, full) = (Gate(), Gate())
        let server = try LoopbackServer.scripted(
            options: options,
            [.waitFor(gate), .readUntilClosed]
        )
        let rig = try Rig()
        let recorder = ByteRecorder()
        let connection = try rig.connect(server.port, sendBufferSize: 65_536, delegate: recorder)
        let piece = [UInt8](repeating: 1, count: 16_384)
        // More than the system's buffers hold, so that the connection's own buffer fills up.
        let total = 32 << 20
        async let sending: Void = {
            var accepted = 0
            while accepted < total {
                switch connection.send(piece) {
                case .accepted: accepted += piece.count
                case .full:
                    full.open()
                    try await recorder.sent(Int64(accepted + piece.count - 65_536))
                case .closed: throw UnexpectedSuccess()
                }
                #expect(connection.waitingBytes <= 65_536)
            }
        }()
        try await full.wait()
        gate.open()
        try await sending
        connection.close(within: .seconds(60))
        #expect(try await recorder.completion() == nil)
        #expect(try await server.connectionClosed(0).bytesReceived == total)
    }

    @Test func pausedDelegateBlocksServer() async throws {
        let block = [UInt8](count: 65_536) { UInt8(truncatingIfNeeded: $0) }
        var options = ServerOptions()
        options.sendBufferBytes = 32_768
        let total = 64 * block.count
        let server = try LoopbackServer.scripted(
            options: options,
            [.sendRepeating(block, times: 64)]
        )
        let rig = try Rig()
        let recorder = ByteRecorder { $0.bytes = { _, _ in .pause } }
        let connection = try rig.connect(server.port, delegate: recorder)
        try await recorder.received(1)
        try await server.blocked()
        // Only the first piece has been delivered.
        let first = recorder.byteCount
        #expect(first <= 65_536)
        // Each resumption delivers one piece.
        var count = first
        while count < total {
            connection.resumeReceiving()
            try await recorder.received(count + 1)
            count = recorder.byteCount
        }
        connection.resumeReceiving()
        try await recorder.event(.end)
        #expect(recorder.bytes.count == total)
        #expect(recorder.bytes == Array(repeatElement(block, count: 64).joined()))
        connection.close()
        #expect(try await recorder.completion() == nil)
    }

    @Test func floodingConnectionDoesNotStarveOthers() async throws {
        let torrent = try LoopbackServer.scripted([
            .sendRepeating([UInt8](repeating: 1, count: 65_536), times: nil)
        ])
        let server = try LoopbackServer { _ in .text("x") }
        let rig = try Rig()
        let recorder = ByteRecorder(keepsBytes: false)
        let connection = try rig.connect(torrent.port, delegate: recorder)
        try await recorder.received(1 << 20)
        for _ in 0..<20 { #expect(try await rig.fetch(server.url).bodyText == "x") }
        connection.cancel()
        #expect(try await recorder.failure().code == .cancelled)
    }

    @Test func manyBytesKeepTheirOrder() async throws {
        let server = try LoopbackServer.scripted([.converse { [.send($0)] }])
        let rig = try Rig()
        let recorder = ByteRecorder()
        let connection = try rig.connect(server.port, delegate: recorder)
        var generator = SeededGenerator(seed: 7)
        var sent: [UInt8] = []
        for _ in 0..<150 {
            let count = Int.random(in: 1..<20_000, using: &generator)
            let piece = [UInt8](
                repeating: UInt8.random(in: 0...255, using: &generator),
                count: count
            )
            while connection.send(piece) == .full {
                try await recorder.sent(Int64(sent.count + count - 256 * 1024))
            }
            sent += piece
        }
        try await recorder.received(sent.count)
        #expect(recorder.bytes == sent)
        connection.close()
        #expect(try await recorder.completion() == nil)
    }
}
