import TestSupport
import Testing

@testable import CurlTransport

/// The cases of the Autobahn test suite over real sockets.
///
/// The client echoes messages as the suite demands, and the server checks every frame.
@Suite(.timeLimit(.minutes(10))) struct AutobahnTests {
    /// What the server has received.
    private struct Heard: Sendable {
        var messages: [WebSocketMessage] = []
        var opcode: UInt8 = 0
        var partial: [UInt8] = []
        var pongs: [[UInt8]] = []
        var close: ServerFrame?
        var isWrong = false

        mutating func add(_ frame: ServerFrame) {
            if !frame.isMasked || frame.reserved != 0 || close != nil { isWrong = true }
            switch frame.opcode {
            case 8: close = frame
            case 10: pongs.append(frame.payload)
            case 0, 1, 2:
                if frame.opcode != 0 { opcode = frame.opcode }
                partial += frame.payload
                guard frame.isFinal else { return }
                messages.append(
                    opcode == 1
                        ? .text(String(decoding: partial, as: UTF8.self)) : .binary(partial)
                )
                partial = []
            default: isWrong = true
            }
        }
    }

    private func play(_ aCase: AutobahnCase, url: (LoopbackServer) async throws -> String)
        async throws
    {
        let heard = Watched(Heard())
        let hasClosed = Watched(false)
        var script = LoopbackServer.WebSocketScript(
            accept: { WebSocketHandshake.accept(for: $0) }
        )
        script.opening = { _ in
            let isSilent = aCase.outcome == .fine && aCase.messages.isEmpty && aCase.pings.isEmpty
            let end = isSilent ? [Step.send(ServerFrame.close(1000).bytes)] : []
            return aCase.pieces.map { .send($0) } + end
        }
        script.answer = { frame in
            let isDone = heard.update { heard in
                heard.add(frame)
                return heard.messages.count >= aCase.messages.count
                    && heard.pongs.count >= aCase.pings.count
            }
            if frame.opcode == 8 { return nil }
            guard aCase.outcome == .fine, isDone,
                hasClosed.update({ hasClosed in
                    defer { hasClosed = true }
                    return !hasClosed
                })
            else { return [] }
            return [.send(ServerFrame.close(1000).bytes)]
        }
        let server = try LoopbackServer.webSocket(script)
        let transport = try Transport()
        let echo = EchoClient()
        let address = try await url(server)
        var options = TransferOptions.patient
        if address.hasPrefix("wss") {
            options.tls.trustRoots = .file(try Certificates.shared().authority)
        }
        let socket = WebSocketConnection()
        socket.connect(
            try WebSocketRequest(url: address, options: PreparedOptions(options)),
            over: transport,
            delegate: echo
        )
        echo.start(socket)
        let (error, status) = try await echo.end()
        try await server.openConnections(0)
        let result = heard.read { $0 }
        #expect(!result.isWrong, "the client sends wrong frames")
        switch aCase.outcome {
        case .fine:
            #expect(error == nil)
            #expect(status == .normalClosure)
            #expect(result.messages == aCase.messages)
            #expect(result.pongs == aCase.pings)
            #expect(result.close?.status == 1000)
        case .failure(let expected):
            guard case .violation(let violation) = error else {
                Issue.record("it didn't fail, but \(String(describing: error))")
                return
            }
            #expect(violation.status == expected)
            #expect(status == expected)
            #expect(result.close?.status == Int(expected.rawValue))
            #expect(result.messages == Array(aCase.messages.prefix(result.messages.count)))
        case .closed(let expected):
            #expect(error == nil)
            #expect(status == expected ?? .noneReceived)
            #expect(result.close != nil)
            #expect(result.close?.status == expected.map { Int($0.rawValue) })
            #expect(result.pongs.isEmpty)
        }
        await transport.shutdown()
    }

    @Test(arguments: AutobahnCase.all) func suitePassesOverTCP(_ aCase: AutobahnCase) async throws {
        try await play(aCase) { "ws://127.0.0.1:\($0.port)/" }
    }

    /// One case of each group.
    @Test(
        .enabled(if: TLSRelayPeer.isAvailable),
        arguments: AutobahnCase.all.filter {
            [
                "1.1.6", "1.2.8", "2.4", "2.5", "3.2", "5.19", "6.2.4", "6.4.1", "7.1.1", "7.3.6",
                "9.1.3", "9.4.5", "10.1.1",
            ].contains($0.id)
        }
    )
    func suitePassesOverTLS(_ aCase: AutobahnCase) async throws {
        let relay = Watched<TLSRelayPeer?>(nil)
        defer { relay.read { $0 }?.stop() }
        try await play(aCase) { server in
            let peer = try await TLSRelayPeer.start(port: server.port)
            relay.update { $0 = peer }
            return "wss://localhost:\(peer.port)/"
        }
    }

    // MARK: Without a network

    /// Reads a case in pieces of sizes from `size`.
    private func read(_ bytes: [UInt8], size: () -> Int) -> ([WebSocketEvent], WebSocketViolation?)
    {
        var reader = WebSocketReader(maximumMessageSize: 1 << 20)
        var events: [WebSocketEvent] = []
        var start = 0
        while start < bytes.count {
            let end = min(start + size(), bytes.count)
            do {
                try reader.receive(bytes.span.extracting(start..<end), into: &events)
            } catch {
                return (events, error)
            }
            start = end
        }
        return (events, nil)
    }

    private func expect(
        _ aCase: AutobahnCase,
        _ result: (events: [WebSocketEvent], violation: WebSocketViolation?)
    ) {
        var (messages, pings, close) = ([WebSocketMessage](), [[UInt8]](), [WebSocketStatus?]())
        for event in result.events {
            switch event {
            case .message(let message): messages.append(message)
            case .ping(let payload): pings.append(payload)
            case .pong: break
            case .close(let status, _): close.append(status)
            }
        }
        #expect(messages == aCase.messages)
        switch aCase.outcome {
        case .fine:
            #expect(pings == aCase.pings)
            #expect(result.violation == nil && close.isEmpty)
        case .failure(let status):
            #expect(result.violation?.status == status)
            #expect(close.isEmpty)
        case .closed(let status):
            #expect(close == [status])
            #expect(result.violation == nil)
        }
    }

    @Test(arguments: AutobahnCase.all) func suitePassesInAnyPieces(_ aCase: AutobahnCase) {
        let bytes = aCase.wire
        expect(aCase, read(bytes) { bytes.count })
        if bytes.count < 2_000 { expect(aCase, read(bytes) { 1 }) }
        var generator = SeededGenerator(seed: UInt64(bytes.count))
        for _ in 0..<(bytes.count < 2_000 ? 5 : 1) {
            let most = bytes.count < 2_000 ? 9 : 20_000
            expect(aCase, read(bytes) { Int.random(in: 1...most, using: &generator) })
        }
    }
}
