internal import CurlTransport
internal import HTTPTypes
internal import TestSupport
internal import Testing

@Suite(.timeLimit(.minutes(10))) struct RequestBodyTests {
    /// Bytes whose pattern reveals a misplaced piece.
    static func bytes(_ count: Int) -> [UInt8] {
        let block = (0..<min(count, 65_521)).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + block.count)
        while bytes.count < count { bytes += block }
        bytes.removeLast(bytes.count - count)
        return bytes
    }

    private struct Failure: Error, CustomStringConvertible {
        var description: String { "the source broke" }
    }

    private func fails(
        _ body: RequestBody,
        fields: HTTPFields = [:],
        server: LoopbackServer
    ) async throws -> TransportError {
        let rig = try Rig()
        let delegate = RecordingDelegate()
        try rig.start(server.url, method: .post, fields: fields, body: body, delegate: delegate)
        return try await delegate.failure()
    }

    @Test(arguments: [0, 1, 16 * 1024, 16 * 1024 + 1, 1 << 20, 20 << 20])
    func bytesBodyArrivesUnchanged(_ count: Int) async throws {
        let bytes = Self.bytes(count)
        let server = try LoopbackServer { .text("\($0.bodyByteCount)") }
        let delegate = try await Rig().fetch(server.url, method: .post, body: .bytes(bytes))
        #expect(delegate.bodyText == "\(count)")
        let request = server.requests[0]
        #expect(request.body == bytes)
        #expect(request.headers("Content-Length") == ["\(count)"])
        #expect(request.header("Transfer-Encoding") == nil)
        #expect(request.header("Expect") == nil)
        #expect(request.header("Content-Type") == nil)
    }

    @Test(arguments: [0, 1, 256 * 1024, 3_000_001])
    func fileBodyArrivesUnchanged(_ count: Int) async throws {
        let bytes = Self.bytes(count)
        let directory = try TemporaryDirectory()
        let path = try directory.write(bytes, to: "upload")
        let server = try LoopbackServer { .text("\($0.bodyByteCount)") }
        let delegate = try await Rig().fetch(server.url, method: .put, body: .file(path: path))
        #expect(delegate.bodyText == "\(count)")
        let request = server.requests[0]
        #expect(request.method == "PUT")
        #expect(request.body == bytes)
        #expect(request.headers("Content-Length") == ["\(count)"])
        #expect(request.header("Content-Type") == nil)
    }

    @Test(arguments: [1, 300_000, 3_000_000, 3_000_001])
    func fileBodyIsSentFromItsOffset(_ offset: Int) async throws {
        let bytes = Self.bytes(3_000_001)
        let directory = try TemporaryDirectory()
        let path = try directory.write(bytes, to: "upload")
        let server = try LoopbackServer { .text("\($0.bodyByteCount)") }
        let body = RequestBody.file(path: path, from: Int64(offset))
        let delegate = try await Rig().fetch(server.url, method: .patch, body: body)
        #expect(delegate.bodyText == "\(bytes.count - offset)")
        #expect(server.requests[0].body == Array(bytes[offset...]))
        #expect(server.requests[0].headers("Content-Length") == ["\(bytes.count - offset)"])
    }

    @Test(arguments: [-1, 4, Int64.max])
    func fileShorterThanOffsetFailsBeforeConnecting(_ offset: Int64) async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let directory = try TemporaryDirectory()
        let path = try directory.write([1, 2, 3], to: "upload")
        let error = try await fails(.file(path: path, from: offset), server: server)
        #expect(error.code == .requestBodyFailed)
        #expect(server.acceptedConnectionCount == 0)
    }

    @Test func informationalHeadIsDeliveredDuringUpload() async throws {
        let gate = Gate()
        let server = try LoopbackServer.scripted([
            .readHead, .readBodyBytes(1),
            .send("HTTP/1.1 104 Upload Resumption Supported\r\nLocation: /1\r\n\r\n"),
            .waitFor(gate), .readBody, .send("HTTP/1.1 204 No Content\r\n\r\n"), .stall,
        ])
        let rig = try Rig()
        let delegate = RecordingDelegate()
        // More than the socket buffers hold.
        let body = RequestBody.bytes([UInt8](repeating: 7, count: 64 << 20))
        try rig.start(server.url, method: .post, body: body, delegate: delegate)
        try await delegate.event(.informational(104))
        gate.open()
        #expect(try await delegate.completion() == nil)
    }

    @Test func streamOfKnownLengthHasContentLength() async throws {
        let bytes = Self.bytes(1_000_000)
        let chunks = stride(from: 0, to: bytes.count, by: 70_001).map {
            Array(bytes[$0..<min($0 + 70_001, bytes.count)])
        }
        let server = try LoopbackServer { _ in .text("ok") }
        let body = RequestBody.stream(length: Int64(bytes.count), Chunks([[]] + chunks + [[]]))
        try await Rig().fetch(server.url, method: .post, body: body)
        #expect(server.requests[0].body == bytes)
        #expect(server.requests[0].headers("Content-Length") == ["1000000"])
        #expect(server.requests[0].header("Transfer-Encoding") == nil)
    }

    @Test(arguments: [0, 1, 1_000_000])
    func streamOfUnknownLengthIsChunked(_ count: Int) async throws {
        let bytes = Self.bytes(count)
        let chunks = stride(from: 0, to: bytes.count, by: 70_001).map {
            Array(bytes[$0..<min($0 + 70_001, bytes.count)])
        }
        let server = try LoopbackServer { _ in .text("ok") }
        try await Rig().fetch(server.url, method: .post, body: .stream(Chunks(chunks)))
        #expect(server.requests[0].body == bytes)
        #expect(server.requests[0].header("Content-Length") == nil)
        #expect(server.requests[0].headers("Transfer-Encoding") == ["chunked"])
        #expect(server.requests[0].header("Expect") == nil)
    }

    @Test func streamIsReadAtTheServersSpeed() async throws {
        var options = ServerOptions()
        options.receiveBufferBytes = 64 * 1024
        let gate = Gate()
        let server = try LoopbackServer.scripted(
            options: options,
            [.readHead, .waitFor(gate), .readBody, .send("HTTP/1.1 204 No\r\n\r\n"), .stall]
        )
        let rig = try Rig()
        let stream = CountingStream(chunk: 64 * 1024, count: 512)
        let delegate = RecordingDelegate()
        try rig.start(server.url, method: .post, body: .stream(stream), delegate: delegate)
        try await stream.produced { $0 >= 10 }
        let other = try LoopbackServer { _ in .text("x") }
        for _ in 0..<50 { try await rig.fetch(other.url) }
        // 32 MiB in all; the kernel buffers a few MiB.
        #expect(stream.count < 300)
        gate.open()
        #expect(try await delegate.completion() == nil)
        #expect(stream.count == 512)
    }

    @Test func missingFileFailsBeforeConnecting() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let directory = try TemporaryDirectory()
        for path in [directory.path("missing"), directory.path, "", "a\0b"] {
            let error = try await fails(.file(path: path), server: server)
            #expect(error.code == .requestBodyFailed)
            #expect(!error.isRetryable)
        }
        #expect(server.acceptedConnectionCount == 0)
    }

    @Test func pipeAsFileBodyIsAnError() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let error = try await fails(.file(path: "/dev/zero"), server: server)
        #expect(error.code == .requestBodyFailed)
        #expect(server.acceptedConnectionCount == 0)
    }

    @Test func shrinkingFileIsAnError() async throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write(Self.bytes(24 << 20), to: "upload")
        var options = ServerOptions()
        options.receiveBufferBytes = 8192
        let gate = Gate()
        let server = try LoopbackServer.scripted(
            options: options,
            [.readHead, .waitFor(gate), .readBody, .stall]
        )
        let rig = try Rig()
        let delegate = RecordingDelegate()
        try rig.start(server.url, method: .post, body: .file(path: path), delegate: delegate)
        _ = try await server.requestHead(0)
        try directory.write([1], to: "upload2")
        try truncateFile(path, to: 1000)
        gate.open()
        #expect(try await delegate.failure().code == .requestBodyFailed)
        try await server.connectionClosed(0)
    }

    static let otherLengths: [([[UInt8]], Int64)] = [
        ([[1, 2, 3]], 2), ([[1], [2], [3]], 2), ([[1, 2, 3]], 4), ([], 1),
        ([[UInt8](repeating: 1, count: 300_000)], 299_999),
    ]

    @Test(arguments: otherLengths)
    func streamOfWrongLengthIsAnError(_ chunks: [[UInt8]], _ length: Int64) async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let error = try await fails(
            .stream(length: length, Chunks(chunks)),
            server: server
        )
        #expect(error.code == .requestBodyFailed)
        #expect(error.message.contains("\(length)"))
        // The server never receives more than was announced.
        if let request = server.requests.first { #expect(request.bodyByteCount <= length) }
    }

    @Test func throwingStreamFailsWithItsReason() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        for length in [Int64?.none, 100] {
            let error = try await fails(
                .stream(length: length, Chunks([[1, 2]], throwing: Failure())),
                server: server
            )
            #expect(error.code == .requestBodyFailed)
            #expect(error.message.contains("the source broke"))
        }
        try await server.openConnections(0)
        #expect(server.requests.allSatisfy { !$0.isComplete })
    }

    @Test func negativeLengthFailsBeforeConnecting() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let error = try await fails(.stream(length: -1, Chunks([])), server: server)
        #expect(error.code == .invalidRequest)
        #expect(server.acceptedConnectionCount == 0)
    }

    @Test func getRequestMayHaveBody() async throws {
        let server = try LoopbackServer { .text("\($0.method) \($0.bodyText)") }
        let rig = try Rig()
        let delegate = try await rig.fetch(server.url, method: .get, body: .text("query"))
        #expect(delegate.bodyText == "GET query")
        let bytes = Self.bytes(100_000)
        try await rig.fetch(server.url, method: .get, body: .bytes(bytes))
        #expect(server.requests[1].method == "GET")
        #expect(server.requests[1].body == bytes)
    }

    @Test(arguments: ["PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND", "get"])
    func methodIsSentUnchanged(_ method: String) async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let rig = try Rig()
        let name = try #require(HTTPRequest.Method(rawValue: method))
        try await rig.fetch(server.url, method: name, body: .text("abc"))
        try await rig.fetch(server.url, method: name, body: .stream(Chunks([[65]])))
        try await rig.fetch(server.url, method: name)
        #expect(server.requests.map(\.method) == [method, method, method])
        #expect(server.requests.map(\.bodyText) == ["abc", "A", ""])
    }

    @Test func emptyPostHasContentLengthZero() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let rig = try Rig()
        for method in [HTTPRequest.Method.post, .put, .patch] {
            try await rig.fetch(server.url, method: method)
        }
        try await rig.fetch(server.url)
        try await rig.fetch(server.url, method: .delete)
        #expect(
            server.requests.map { $0.header("Content-Length") } == ["0", "0", "0", nil, nil]
        )
        #expect(server.requests.allSatisfy { $0.header("Content-Type") == nil })
    }

    @Test func contentTypeIsSentOnceUnchanged() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        try await Rig().fetch(
            server.url,
            method: .post,
            fields: [.contentType: "text/x"],
            body: .text("abc")
        )
        #expect(server.requests[0].headers("Content-Type") == ["text/x"])
    }

    @Test func contentLengthFieldMustMatchBody() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let rig = try Rig()
        let fields: HTTPFields = [.contentLength: "3"]
        try await rig.fetch(server.url, method: .post, fields: fields, body: .text("abc"))
        #expect(server.requests[0].headers("Content-Length") == ["3"])
        // A stream of unknown length takes its length from the field.
        try await rig.fetch(
            server.url,
            method: .post,
            fields: fields,
            body: .stream(Chunks([[1], [2, 3]]))
        )
        #expect(server.requests[1].headers("Content-Length") == ["3"])
        #expect(server.requests[1].header("Transfer-Encoding") == nil)
        for body in [RequestBody.text("abcd"), .none, .stream(length: 2, Chunks([]))] {
            #expect(try await fails(body, fields: fields, server: server).code == .invalidRequest)
        }
        let nonsense: HTTPFields = [.contentLength: "3, 3"]
        let error = try await fails(.text("abc"), fields: nonsense, server: server)
        #expect(error.code == .invalidRequest)
        #expect(server.requestCount == 2)
    }

    @Test func largeBodyIsSentWithoutExpectContinue() async throws {
        var options = ServerOptions()
        options.continuesExpectedBodies = false
        let server = try LoopbackServer(options: options) { _ in .text("ok") }
        for body in [RequestBody.bytes(Self.bytes(3 << 20)), .stream(Chunks([[1]]))] {
            try await Rig().fetch(server.url, method: .post, body: body)
        }
        #expect(server.requests.allSatisfy { $0.header("Expect") == nil })
    }

    @Test func bodyWaitsFor100ContinueIfConfigured() async throws {
        let gate = Gate()
        let server = try LoopbackServer.scripted([
            .readHead, .waitFor(gate), .send("HTTP/1.1 100 Continue\r\n\r\n"), .readBody,
            .send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"), .stall,
        ])
        let rig = try Rig()
        let delegate = RecordingDelegate()
        try rig.start(
            server.url,
            method: .post,
            body: .bytes(Self.bytes(100_000)),
            delegate: delegate
        ) {
            $0.expectContinue = .seconds(30)
        }
        let head = try await server.requestHead(0)
        #expect(head.header("Expect") == "100-continue")
        #expect(head.bodyByteCount == 0)
        gate.open()
        #expect(try await delegate.completion() == nil)
        #expect(delegate.heads.map(\.statusCode) == [100, 200])
        #expect(server.requests[0].bodyByteCount == 100_000)
    }

    @Test func bodyIsSentWithout100ContinueAfterTimeout() async throws {
        var options = ServerOptions()
        options.continuesExpectedBodies = false
        let server = try LoopbackServer(options: options) { _ in .text("ok") }
        try await Rig().fetch(server.url, method: .post, body: .bytes(Self.bytes(100_000))) {
            $0.expectContinue = .milliseconds(100)
        }
        #expect(server.requests[0].bodyByteCount == 100_000)
    }

    @Test func earlyErrorResponseIsDelivered() async throws {
        let server = try LoopbackServer.scripted([
            .readHead, .readBodyBytes(100_000),
            .send("HTTP/1.1 413 Large\r\nContent-Length: 2\r\n\r\nno"), .readUntilClosed,
        ])
        let rig = try Rig()
        for body in [
            RequestBody.bytes(Self.bytes(20 << 20)),
            .stream(CountingStream(chunk: 64 * 1024, count: 1000)),
            .stream(SilentStream(after: [Self.bytes(200_000)])),
        ] {
            let delegate = try await rig.fetch(server.url, method: .post, body: body)
            #expect(delegate.heads.map(\.statusCode) == [413])
            #expect(delegate.bodyText == "no")
        }
    }
}
