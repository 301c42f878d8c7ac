internal import CurlTransport
internal import HTTPTypes
internal import TestSupport
internal import Testing

@Suite(.timeLimit(.minutes(10))) struct PauseTests {
    static let size = 16 << 20

    static func bigServer(after gate: Gate? = nil) throws -> LoopbackServer {
        try LoopbackServer { _ in
            let reply = Reply(body: .repeating(Array(0...255), times: size / 256))
            return gate.map { reply.after($0) } ?? reply
        }
    }

    @Test func pauseAtHeadDelaysBody() async throws {
        let server = try Self.bigServer()
        let rig = try Rig()
        let delegate = RecordingDelegate(keepsBody: false) { $0.head = { _, _ in .pause } }
        let handle = try rig.start(server.url, delegate: delegate)
        try await server.blocked()
        // The server may have sent that much before the head is read.
        try await delegate.turnOfHead()
        #expect(delegate.bodyByteCount == 0)
        handle.resumeReceiving()
        #expect(try await delegate.completion() == nil)
        #expect(delegate.bodyByteCount == Self.size)
    }

    @Test func pauseAtEachPieceDeliversEachOnce() async throws {
        let text = (0..<20_000).map { "\($0)," }.joined()
        let server = try LoopbackServer { _ in .text(text) }
        let rig = try Rig()
        let delegate = RecordingDelegate { answers in
            answers.body = { _, transfer in
                transfer.resumeReceiving()
                return .pause
            }
        }
        try rig.start(server.url, delegate: delegate)
        #expect(try await delegate.completion() == nil)
        #expect(delegate.bodyText == text)
    }

    @Test func handlePausesAndResumesBody() async throws {
        let gate = Gate()
        let server = try Self.bigServer(after: gate)
        let rig = try Rig()
        let delegate = RecordingDelegate(keepsBody: false)
        let handle = try rig.start(server.url, delegate: delegate)
        handle.pauseReceiving()
        // Without the gate, the response could arrive before the loop learns of the pause.
        gate.open()
        try await server.blocked()
        // A pause requested at the start applies from the start.
        #expect(delegate.bodyByteCount == 0)
        handle.resumeReceiving()
        handle.resumeReceiving()
        try await delegate.bodyBytes(1)
        handle.pauseReceiving()
        handle.resumeReceiving()
        #expect(try await delegate.completion() == nil)
        #expect(delegate.bodyByteCount == Self.size)
        #expect(delegate.heads.count == 1)
    }

    @Test func pausedTransferDeliversNothing() async throws {
        let server = try Self.bigServer()
        let rig = try Rig()
        let delegate = RecordingDelegate(keepsBody: false) { $0.body = { _, _ in .pause } }
        let handle = try rig.start(server.url, delegate: delegate)
        // The pause begins with the first bytes.
        try await delegate.bodyBytes(1)
        try await server.blocked()
        let count = delegate.bodyByteCount
        // Other transfers run meanwhile, for several turns.
        let other = try LoopbackServer { _ in .text("x") }
        for _ in 0..<10 { try await rig.fetch(other.url) }
        #expect(delegate.bodyByteCount == count)
        #expect(try #require(server.connection(0)).bytesSent < Self.size)
        handle.cancel()
        _ = try await delegate.completion()
    }

    @Test func handlePausesAndResumesUpload() async throws {
        let server = try LoopbackServer { .text("\($0.bodyByteCount)") }
        let rig = try Rig()
        let size = 8 << 20
        let paused = Gate()
        let delegate = RecordingDelegate { answers in
            answers.act = { event, transfer in
                guard case .sentBody = event, !paused.isOpen else { return }
                paused.open()
                transfer.pauseSending()
            }
        }
        let handle = try rig.start(
            server.url,
            method: .post,
            body: .bytes([UInt8](repeating: 3, count: size)),
            delegate: delegate
        )
        try await paused.wait()
        let other = try LoopbackServer { _ in .text("x") }
        for _ in 0..<10 { try await rig.fetch(other.url) }
        #expect(!delegate.events.contains(.requestSent))
        _ = try await server.requestHead(0)
        #expect(!server.requests[0].isComplete)
        handle.resumeSending()
        #expect(try await delegate.completion() == nil)
        #expect(delegate.bodyText == "\(size)")
    }

    @Test func bothDirectionsPauseIndependently() async throws {
        let gate = Gate()
        let size = 4 << 20
        let server = try LoopbackServer.scripted([
            .readHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345"), .readBody,
            .waitFor(gate), .send("67890"), .stall,
        ])
        let rig = try Rig()
        let delegate = RecordingDelegate { $0.head = { _, _ in .pause } }
        let handle = try rig.start(
            server.url,
            method: .post,
            body: .bytes([UInt8](repeating: 3, count: size)),
            delegate: delegate
        )
        // A transfer that doesn't receive still sends.
        _ = try await server.request(0)
        try await delegate.turnOfHead()
        #expect(delegate.bodyByteCount == 0)
        handle.resumeReceiving()
        try await delegate.bodyBytes(5)
        gate.open()
        #expect(try await delegate.completion() == nil)
        #expect(delegate.bodyText == "1234567890")
    }

    @Test func pausedTransferIsNotIdle() async throws {
        let server = try Self.bigServer()
        let rig = try Rig()
        let delegate = RecordingDelegate(keepsBody: false) { $0.head = { _, _ in .pause } }
        let handle = try rig.start(server.url, delegate: delegate) { options in
            options.timeouts.idle = .seconds(3)
        }
        try await server.blocked()
        // A later transfer with a longer idle timeout shows that the timeout has passed.
        let silent = try LoopbackServer.scripted([.readHead, .stall])
        let other = RecordingDelegate()
        try rig.start(silent.url, delegate: other) { options in
            options.timeouts.idle = .milliseconds(3300)
        }
        #expect(try await other.failure().code == .idleTimeout)
        #expect(!delegate.isComplete)
        handle.resumeReceiving()
        #expect(try await delegate.completion() == nil)
        #expect(delegate.bodyByteCount == Self.size)
    }

    @Test func pauseBeforeFirstByteIsNotIdle() async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in .text("late").after(gate) }
        let rig = try Rig()
        let delegate = RecordingDelegate()
        let handle = try rig.start(server.url, delegate: delegate) { options in
            options.timeouts.idle = .seconds(3)
        }
        handle.pauseReceiving()
        let silent = try LoopbackServer.scripted([.readHead, .stall])
        let other = RecordingDelegate()
        try rig.start(silent.url, delegate: other) { options in
            options.timeouts.idle = .milliseconds(3300)
        }
        #expect(try await other.failure().code == .idleTimeout)
        #expect(!delegate.isComplete)
        handle.resumeReceiving()
        gate.open()
        #expect(try await delegate.completion() == nil)
        #expect(delegate.bodyText == "late")
    }
}
