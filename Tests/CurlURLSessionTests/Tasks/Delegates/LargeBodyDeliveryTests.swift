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
}
