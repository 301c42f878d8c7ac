internal import CurlTransport
internal import HTTPTypes
internal import TestSupport
internal import Testing

@Suite(.timeLimit(.minutes(10))) struct ResponseBodyTests {
    private func get(
        _ reply: Reply,
        method: HTTPRequest.Method = .get,
        _ configure: (inout TransferOptions) -> Void = { _ in }
    ) async throws -> RecordingDelegate {
        let server = try LoopbackServer { _ in reply }
        return try await Rig().fetch(server.url, method: method, configure)
    }

    private func client(_ configure: (inout TransferOptions) -> Void = { _ in }) throws
        -> HTTPClient
    {
        var options = TransferOptions()
        configure(&options)
        return try HTTPClient(options: options)
    }

    // MARK: Framing

    @Test(arguments: [204, 304])
    func statusesWithoutBodyEndAtHead(_ status: Int) async throws {
        let server = try LoopbackServer { _ in
            Reply(status, headers: [("ETag", "\"x\""), ("Content-Length", "5")])
        }
        let rig = try Rig()
        for _ in 0..<2 {
            let delegate = try await rig.fetch(server.url)
            #expect(delegate.heads.map(\.statusCode) == [status])
            #expect(delegate.bodyByteCount == 0)
        }
        #expect(server.acceptedConnectionCount == 1)
    }

    @Test func headResponseHasNoBody() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let rig = try Rig()
        for _ in 0..<2 {
            let delegate = try await rig.fetch(server.url, method: .head)
            #expect(delegate.heads[0].contentLength == 5)
            #expect(delegate.bodyByteCount == 0)
        }
        #expect(server.acceptedConnectionCount == 1)
        #expect(server.requests[0].method == "HEAD")
    }

    @Test func bodyWithoutLengthEndsWithConnection() async throws {
        let bytes = [UInt8](repeating: 9, count: 100_000)
        #expect(try await get(Reply(body: .untilClosed(bytes))).body == bytes)
    }

    @Test func headersKeepOrderBytesAndDuplicates() async throws {
        let head =
            Array("HTTP/1.1 200 Fine\r\nB:1\r\nA:  2  \r\nb: 3\r\nE:\r\nL: caf".utf8) + [0xE9]
            + Array("\r\nContent-Length:2\r\n\r\nok".utf8)
        let server = try LoopbackServer.scripted([.readHead, .send(head), .stall])
        let delegate = try await Rig().fetch(server.url)
        let fields = delegate.heads[0].headerFields
        #expect(fields.map { $0.name.rawName } == ["B", "A", "b", "E", "L", "Content-Length"])
        #expect(Array(fields.map(\.value).prefix(4)) == ["1", "2", "3", ""])
        #expect(delegate.heads[0].firstValueBytes(of: .init("L")!) == Array("caf".utf8) + [0xE9])
        #expect(delegate.heads[0].status.reasonPhrase == "Fine")
        #expect(delegate.bodyText == "ok")
    }

    // MARK: Back-pressure

    @Test func slowReaderPausesServer() async throws {
        let size = 200 << 20
        let server = try LoopbackServer { _ in
            Reply(body: .repeating([UInt8](repeating: 7, count: 1 << 16), times: size >> 16))
        }
        let client = try client()
        let response = try await client.send(HTTPRequest(url: server.url))
        try await server.blocked()
        let sent = try #require(server.connection(0)).bytesSent
        #expect(sent < 24 << 20)
        var count = 0
        var chunks = 0
        for try await chunk in response.body {
            count += chunk.count
            chunks += 1
            // The window is 512 KiB, plus what libcurl delivers in one call.
            #expect(chunk.count <= 600 * 1024)
            if chunks == 3 {
                try await server.blocked()
                #expect(try #require(server.connection(0)).bytesSent < count + 24 << 20)
            }
        }
        #expect(count == size)
        await client.shutdown()
    }

    /// A reader gets all received bytes while the server sends no more.
    ///
    /// The reader of a large body isn't woken for each piece.
    @Test(arguments: [nil, 1024, 512 * 1024])
    func readerGetsReceivedBytesBeforeBodyIsComplete(_ receiveBufferSize: Int?) async throws {
        let piece = [UInt8](count: 200_000) { UInt8(truncatingIfNeeded: $0 &* 31 >> 5) }
        let gates = (0..<4).map { _ in Gate() }
        let server = try LoopbackServer { _ in
            Reply(
                headers: [("Content-Length", "1000000")],
                body: .steps(gates.flatMap { [.send(piece), .waitFor($0)] } + [.send(piece)])
            )
        }
        let client = try client { $0.receiveBufferSize = receiveBufferSize }
        let response = try await client.send(HTTPRequest(url: server.url))
        var received: [UInt8] = []
        var opened = 0
        for try await chunk in response.body {
            received += chunk
            guard opened < gates.count, received.count == (opened + 1) * piece.count else {
                continue
            }
            gates[opened].open()
            opened += 1
        }
        #expect(received == Array(repeatElement(piece, count: 5).joined()))
        await client.shutdown()
    }

    /// The reader of a long body is woken though no bytes follow.
    ///
    /// The loop waits briefly for more bytes before it wakes the reader. Here the server sends no
    /// more until the reader has read all bytes.
    @Test func readerOfLongBodyGetsReceivedBytesWhenServerPauses() async throws {
        let piece = [UInt8](repeating: 3, count: 100_000)
        let gates = (0..<40).map { _ in Gate() }
        let server = try LoopbackServer { _ in
            Reply(
                headers: [("Content-Length", "4100000")],
                body: .steps(gates.flatMap { [.send(piece), .waitFor($0)] } + [.send(piece)])
            )
        }
        let client = try client()
        let response = try await client.send(HTTPRequest(url: server.url))
        var received = 0
        var opened = 0
        for try await chunk in response.body {
            received += chunk.count
            guard opened < gates.count, received == (opened + 1) * piece.count else { continue }
            gates[opened].open()
            opened += 1
        }
        #expect(received == 41 * piece.count)
        await client.shutdown()
    }

    @Test func retainedChunksDoNotChange() async throws {
        let blocks = 0..<160
        let server = try LoopbackServer { _ in
            .chunked(blocks.map { [UInt8](repeating: UInt8($0), count: 1 << 16) })
        }
        let client = try client()
        let response = try await client.send(HTTPRequest(url: server.url))
        // Some chunks are released and some are kept: the memory of released ones is reused.
        var kept: [(offset: Int, bytes: [UInt8])] = []
        var offset = 0
        for try await chunk in response.body {
            if kept.count * 3 < offset >> 16 { kept.append((offset, chunk)) }
            offset += chunk.count
        }
        #expect(offset == blocks.count << 16)
        #expect(!kept.isEmpty)
        for (offset, bytes) in kept {
            let isIntact = bytes.indices.allSatisfy { bytes[$0] == UInt8((offset + $0) >> 16) }
            #expect(isIntact)
        }
        await client.shutdown()
    }

    @Test(arguments: [1, 40], [false, true])
    func largeBodiesAreComplete(_ count: Int, _ decodes: Bool) async throws {
        let bytes = [UInt8](count: 3_000_000) { UInt8(truncatingIfNeeded: $0 &* 31 >> 5) }
        let server = try LoopbackServer { _ in .bytes(bytes) }
        let client = try client { $0.decodesContent = decodes }
        let url = server.url
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<count {
                group.addTask {
                    let response = try await client.send(HTTPRequest(url: url))
                    return try await response.body.collect(upTo: bytes.count) == bytes
                }
            }
            for try await isWhole in group { #expect(isWhole) }
        }
        await client.shutdown()
    }

    // MARK: Collecting

    @Test(arguments: [0, 1, 5, 100_000])
    func collectedBodyMayHaveExactlyTheLimit(_ size: Int) async throws {
        let bytes = [UInt8](repeating: 7, count: size)
        for reply in [Reply.bytes(bytes), .chunked([bytes].filter { !$0.isEmpty })] {
            let server = try LoopbackServer { _ in reply }
            let client = try client()
            let response = try await client.send(HTTPRequest(url: server.url))
            #expect(try await response.body.collect(upTo: size) == bytes)
            #expect(response.metrics?.bodyBytes == Int64(size))
        }
    }

    @Test(arguments: [1, 5, 100_000, 5_000_000], [false, true])
    func collectedBodyOneByteOverLimitFails(_ size: Int, _ isAnnounced: Bool) async throws {
        let bytes = [UInt8](repeating: 7, count: size)
        let server = try LoopbackServer { _ in isAnnounced ? .bytes(bytes) : .chunked([bytes]) }
        let client = try client()
        let response = try await client.send(HTTPRequest(url: server.url))
        let error = await #expect(throws: TransportError.self) {
            try await response.body.collect(upTo: size - 1)
        }
        #expect(error?.code == .responseTooLarge)
    }

    @Test func bufferedBodyHasTheSameCollectLimit() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let client = try client()
        let response = try await client.send(HTTPRequest(url: server.url))
        // After another exchange the first one is certainly complete.
        _ = try await client.send(HTTPRequest(url: server.url)).body.collect(upTo: 5)
        let error = await #expect(throws: TransportError.self) {
            try await response.body.collect(upTo: 4)
        }
        #expect(error?.code == .responseTooLarge)
    }

    @Test func contentLengthOverLimitFailsWithoutWaiting() async throws {
        let server = try LoopbackServer.scripted([
            .readHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n"), .stall,
        ])
        let client = try client()
        let response = try await client.send(HTTPRequest(url: server.url))
        let error = await #expect(throws: TransportError.self) {
            try await response.body.collect(upTo: 999_999)
        }
        #expect(error?.code == .responseTooLarge)
        try await server.connectionClosed(0)
    }

    // MARK: Decoding

    @Test(arguments: ["gzip", "deflate"])
    func compressedBodiesAreDecoded(_ coding: String) async throws {
        let plain = Array(String(repeating: "hello ", count: 50_000).utf8)
        let packed = try await Compression.compressed(plain, coding)
        let reply = Reply(headers: [("Content-Encoding", coding)], body: .bytes(packed))
        let decoded = try await get(reply)
        #expect(decoded.body == plain)
        #expect(decoded.metrics?.bodyBytes == Int64(plain.count))
        #expect(try #require(decoded.metrics).responseBytes < 10_000)
        let raw = try await get(reply) { $0.decodesContent = false }
        #expect(raw.body == packed)
    }

    @Test func encodedBytesAreReportedAsReceived() async throws {
        let gate = Gate()
        let packed = try await Compression.compressed(Compression.text(400_000), "gzip")
        let half = packed.count / 2
        let head =
            "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(packed.count)\r\n\r\n"
        let server = try LoopbackServer.scripted([
            .readHead, .send(Array(head.utf8) + packed[..<half]), .waitFor(gate),
            .send(Array(packed[half...])), .readUntilClosed,
        ])
        let delegate = RecordingDelegate()
        let rig = try Rig()
        try rig.start(server.url, delegate: delegate)
        try await delegate.event(.encodedBody(Int64(half)))
        gate.open()
        #expect(try await delegate.completion() == nil)
        let reported = delegate.encodedBytes
        #expect(reported == reported.sorted())
        #expect(reported.last == Int64(packed.count))
    }

    @Test func encodedBytesAreReportedBeforeDecodedBytes() async throws {
        let packed = try await Compression.compressed(Compression.text(400_000), "gzip")
        let server = try LoopbackServer { _ in
            Reply(headers: [("Content-Encoding", "gzip")], body: .bytes(packed))
        }
        let delegate = RecordingDelegate()
        let rig = try Rig()
        try rig.start(server.url, delegate: delegate)
        #expect(try await delegate.completion() == nil)
        let first = delegate.events.first {
            switch $0 {
            case .body, .encodedBody: true
            default: false
            }
        }
        #expect(delegate.bodyByteCount == 400_000)
        #expect(first == .encodedBody(try #require(delegate.encodedBytes.first)))
    }

    @Test func encodedBytesAreReportedOnlyIfDecoded() async throws {
        let packed = try await Compression.compressed(Array("hello".utf8), "gzip")
        let encoded = Reply(headers: [("Content-Encoding", "gzip")], body: .bytes(packed))
        #expect(try await get(encoded).encodedBytes == [Int64(packed.count)])
        #expect(try await get(encoded) { $0.decodesContent = false }.encodedBytes == [])
        #expect(try await get(.text("hello")).encodedBytes == [])
    }

    @Test func brotliIsDecoded() async throws {
        // "hello" in Brotli: an uncompressed meta-block.
        let packed: [UInt8] = [0x0B, 0x02, 0x80, 0x68, 0x65, 0x6C, 0x6C, 0x6F, 0x03]
        let reply = Reply(headers: [("Content-Encoding", "br")], body: .bytes(packed))
        #expect(try await get(reply).bodyText == "hello")
    }

    @Test func collectLimitCountsDecodedBytes() async throws {
        let plain = [UInt8](repeating: 65, count: 30 << 20)
        let packed = try await Compression.compressed(plain, "gzip")
        #expect(packed.count < 100_000)
        let server = try LoopbackServer { _ in
            Reply(headers: [("Content-Encoding", "gzip")], body: .bytes(packed))
        }
        let client = try client()
        let response = try await client.send(HTTPRequest(url: server.url))
        let error = await #expect(throws: TransportError.self) {
            try await response.body.collect(upTo: 1 << 20)
        }
        #expect(error?.code == .responseTooLarge)
        let whole = try await client.send(HTTPRequest(url: server.url))
        #expect(try await whole.body.collect(upTo: 30 << 20) == plain)
    }

    @Test func decompressionBombIsReadInPieces() async throws {
        let plain = [UInt8](repeating: 65, count: 30 << 20)
        let packed = try await Compression.compressed(plain, "gzip")
        let server = try LoopbackServer { _ in
            Reply(headers: [("Content-Encoding", "gzip")], body: .bytes(packed))
        }
        let response = try await client().send(HTTPRequest(url: server.url))
        var count = 0
        for try await chunk in response.body {
            #expect(chunk.count <= 2 << 20)
            count += chunk.count
        }
        #expect(count == 30 << 20)
    }

    @Test func bodyOfWrongCodingIsAnError() async throws {
        let server = try LoopbackServer { _ in
            Reply(headers: [("Content-Encoding", "gzip")], body: .bytes(Array("plain".utf8)))
        }
        let rig = try Rig()
        let delegate = RecordingDelegate()
        try rig.start(server.url, delegate: delegate)
        #expect(try await delegate.failure().code == .decodingFailed)
    }
}
