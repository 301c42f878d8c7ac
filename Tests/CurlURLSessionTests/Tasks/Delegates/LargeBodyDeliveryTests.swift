internal import CurlURLSession
internal import Foundation
internal import TestSupport
internal import Testing

/// Tests that large bodies are delivered in large pieces, and nothing of them too late.
@Suite(.timeLimit(.minutes(5))) struct LargeBodyDeliveryTests {
    private static func bytes(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](0...250)
        while bytes.count < count { bytes += bytes }
        return Array(bytes.prefix(count))
    }

    private static func head(_ length: Int) -> LoopbackStep {
        .send("HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\n")
    }

    @Test(
        "The delegate gets what has arrived of a large body while the server pauses",
        arguments: [20, 100, 500, 2000, 5100].map { $0 << 10 }
    )
    func delegateGetsArrivedBytesWhileTheServerPauses(_ first: Int) async throws {
        let (gate, body) = (Gate(), Self.bytes(first + (300 << 10)))
        let server = try LoopbackServer.scripted([
            .readHead, Self.head(body.count), .send(Array(body.prefix(first))), .waitFor(gate),
            .send(Array(body.dropFirst(first))), .stall,
        ])
        let delegate = SessionDelegate()
        let session = URLSession.test(delegate: delegate)
        session.dataTask(with: try server.at("/")).resume()
        try await delegate.bytes(first)
        #expect(delegate.data.count == first)
        gate.open()
        try await delegate.completion()
        #expect(delegate.data == Data(body))
        #expect(delegate.errors.isEmpty)
        session.invalidateAndCancel()
    }

    @Test(
        "A body of any size is delivered in order, before the completion",
        arguments: [15, 17, 40, 130, 300, 390, 700, 780, 1300, 5000].map { $0 << 10 }
    )
    func bodyOfAnySizeIsDeliveredBeforeTheCompletion(_ size: Int) async throws {
        let body = Self.bytes(size)
        let server = try LoopbackServer { _ in .bytes(body) }
        let delegate = SessionDelegate()
        let session = URLSession.test(delegate: delegate)
        for count in 1...5 {
            session.dataTask(with: try server.at("/")).resume()
            try await delegate.completion(count)
        }
        #expect(delegate.errors.isEmpty)
        #expect(delegate.data == (1...5).reduce(into: Data()) { all, _ in all += body })
        session.invalidateAndCancel()
    }

    @Test("A reader of bytes gets what has arrived of a large body while the server pauses")
    func readerGetsArrivedBytesWhileTheServerPauses() async throws {
        let (gate, first) = (Gate(), 1 << 20)
        let body = Self.bytes(first + (40 << 10))
        let server = try LoopbackServer.scripted([
            .readHead, Self.head(body.count), .send(Array(body.prefix(first))), .waitFor(gate),
            .send(Array(body.dropFirst(first))), .stall,
        ])
        let (bytes, _) = try await URLSession.test().bytes(from: server.at("/"))
        var read: [UInt8] = []
        for try await byte in bytes {
            read.append(byte)
            if read.count == first { gate.open() }
        }
        #expect(read == body)
    }

    @Test("The body of a refused redirect is delivered while the server pauses")
    func bodyOfRefusedRedirectIsDeliveredWhileTheServerPauses() async throws {
        let (sent, gate, first) = (Gate(), Gate(), 40 << 10)
        let body = Self.bytes(2 * first)
        let server = try LoopbackServer.scripted([
            .readHead,
            .send("HTTP/1.1 302 Found\r\nLocation: /b\r\nContent-Length: \(body.count)\r\n\r\n"),
            .send(Array(body.prefix(first))), .open(sent), .waitFor(gate),
            .send(Array(body.dropFirst(first))), .stall,
        ])
        let delegate = SessionDelegate { answers in
            answers.redirect = { _, _, answer in
                // Most of the body waits for the answer by then.
                sent.waitBlocking()
                answer(nil)
            }
        }
        let session = URLSession.test(delegate: delegate)
        session.dataTask(with: try server.at("/a")).resume()
        try await delegate.bytes(first)
        gate.open()
        try await delegate.completion()
        #expect(delegate.data == Data(body))
        session.invalidateAndCancel()
    }

    @Test("A task that fails in the middle of a large body delivers all before that")
    func failingTaskDeliversWhatArrivedBefore() async throws {
        let size = 100 << 10
        let server = try LoopbackServer.scripted([
            .readHead, Self.head(size + 1), .send(Self.bytes(size)), .close,
        ])
        let delegate = SessionDelegate()
        let session = URLSession.test(delegate: delegate)
        session.dataTask(with: try server.at("/")).resume()
        #expect(try await delegate.failure().code == .networkConnectionLost)
        #expect(delegate.data == Data(Self.bytes(size)))
        session.invalidateAndCancel()
    }

    /// How a body is sent, piece by piece and without an end.
    enum SlowForm: CaseIterable {
        case plain, chunked, gzip

        var head: [UInt8] {
            switch self {
            case .plain:
                Array("HTTP/1.1 200 OK\r\n\r\n".utf8)
            case .chunked:
                Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)
            case .gzip:
                // Source of the last line: RFC 1952, section 2.3.
                Array("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n".utf8)
                    + [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]
            }
        }

        func encode(_ piece: [UInt8]) -> [UInt8] {
            switch self {
            case .plain:
                return piece
            case .chunked:
                let size = Array("\(String(piece.count, radix: 16))\r\n".utf8)
                return size + piece + Array("\r\n".utf8)
            case .gzip:
                // Blocks without compression (RFC 1951, section 3.2.4).
                return stride(from: 0, to: piece.count, by: 0x8000).flatMap { start in
                    let block = piece[start..<min(start + 0x8000, piece.count)]
                    let (low, high) = (UInt8(block.count & 0xff), UInt8(block.count >> 8))
                    return [0, low, high, ~low, ~high] + block
                }
            }
        }
    }

    /// Some pieces are so large that the delegate can wait for more, at the start and in a long body.
    @Test(
        "The delegate gets each piece of a slow body before the server sends the next one",
        arguments: SlowForm.allCases
    )
    func delegateGetsEachPieceOfSlowBody(_ form: SlowForm) async throws {
        let sizes = [1, 1, 20 << 10, 1, 16 << 10, 2 << 20, 1, 300 << 10, 1, 16 << 10, 1]
        let pieces = sizes.map { (piece: Self.bytes($0), gate: Gate()) }
        let server = try LoopbackServer.scripted(
            [.readHead, .send(form.head)]
                + pieces.flatMap { [.send(form.encode($0.piece)), .waitFor($0.gate)] } + [.stall]
        )
        let delegate = SessionDelegate()
        let session = URLSession.test(delegate: delegate)
        session.dataTask(with: try server.at("/")).resume()
        var expected = Data()
        for (piece, gate) in pieces {
            expected += piece
            try await delegate.bytes(expected.count)
            gate.open()
        }
        #expect(delegate.data == expected)
        #expect(delegate.errors.isEmpty)
        session.invalidateAndCancel()
    }

    @Test("The delegate gets each piece of a protocol's slow body before the next one")
    func delegateGetsEachPieceOfProtocolsSlowBody() async throws {
        let (gate, piece) = (Gate(), String(repeating: "x", count: 40 << 10))
        let url = try ScriptedMock.url { mock in
            mock.respond()
            mock.load(piece)
            gate.waitBlocking()
            mock.load(piece)
            mock.finish()
        }
        let delegate = SessionDelegate()
        let session = URLSession.test(delegate: delegate) {
            $0.protocolClasses = [ScriptedMock.self]
        }
        session.dataTask(with: url).resume()
        try await delegate.bytes(piece.utf8.count)
        #expect(delegate.text == piece)
        gate.open()
        try await delegate.completion()
        #expect(delegate.text == piece + piece)
        session.invalidateAndCancel()
    }
}
