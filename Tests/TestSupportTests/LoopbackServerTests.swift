internal import Posix
internal import TestSupport
internal import Testing

@Suite(.timeLimit(.minutes(10))) struct LoopbackServerTests {
    @Test func handlerRespondsByPathAndKeepsConnection() async throws {
        let server = try LoopbackServer { request in
            request.path == "/a" ? .text("first") : .status(404)
        }
        let client = try RawClient(port: server.port)
        try client.send("GET /a?x=1 HTTP/1.1\r\nHost: h\r\nX-Odd:  v \r\n\r\n")
        #expect(try client.receive(until: "first").hasPrefix("HTTP/1.1 200 "))
        try client.send("GET /b HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try client.receive(until: "\r\n\r\n").hasPrefix("HTTP/1.1 404 "))

        let first = try await server.request(0)
        #expect(first.target == "/a?x=1")
        #expect(first.headerLines == ["Host: h", "X-Odd:  v "])
        #expect(server.acceptedConnectionCount == 1)
        #expect(server.requestCount == 2)
        client.close()
        #expect(try await server.connectionClosed(0).ending == .peer)
        #expect(server.openConnectionCount == 0)
    }

    @Test func bodiesAreReadByLengthAndByChunks() async throws {
        let server = try LoopbackServer { .text("got \($0.bodyByteCount)\n") }
        let client = try RawClient(port: server.port)
        try client.send("POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello")
        #expect(try client.receive(until: "got 5\n").contains("got 5\n"))
        try client.send("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n")
        try client.send("2;x=y\r\nde\r\n0\r\nT: v\r\n\r\n")
        #expect(try client.receive(until: "got 5\n").contains("got 5\n"))
        #expect(try await server.request(0).bodyText == "hello")
        #expect(try await server.request(1).bodyText == "abcde")
        #expect(try await server.request(1).trailerLines == ["T: v"])
    }

    @Test func repliesHaveInterimHeadsChunksAndTrailers() throws {
        let server = try LoopbackServer { _ in
            .chunked([Array("ab".utf8), Array("c".utf8)], trailers: [("T", "v")])
                .interim(103, headers: [("Link", "x")]).closing()
        }
        let client = try RawClient(port: server.port)
        try client.send("GET / HTTP/1.1\r\n\r\n")
        let expected =
            "HTTP/1.1 103 Interim\r\nLink: x\r\n\r\nHTTP/1.1 200 Text\r\nConnection: close\r\n"
            + "Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\nT: v\r\n\r\n"
        #expect(try String(decoding: client.receiveAll(), as: UTF8.self) == expected)
    }

    @Test func replyWaitsForGate() async throws {
        let gate = Gate()
        let server = try LoopbackServer {
            $0.path == "/later" ? .text("x").after(gate) : .text("y")
        }
        let late = try RawClient(port: server.port)
        try late.send("GET /later HTTP/1.1\r\n\r\n")
        _ = try await server.request(0)
        let other = try RawClient(port: server.port)
        try other.send("GET / HTTP/1.1\r\n\r\n")
        #expect(try other.receive(until: "\r\n\r\ny").contains("200"))
        #expect(server.connection(0)?.bytesSent == 0)
        gate.open()
        #expect(try late.receive(until: "\r\n\r\nx").contains("200"))
    }

    @Test func expectContinueIsAnsweredBeforeBody() throws {
        let server = try LoopbackServer { .text($0.bodyText) }
        let client = try RawClient(port: server.port)
        try client.send("PUT / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
        #expect(try client.receive(until: "\r\n\r\n").hasPrefix("HTTP/1.1 100 "))
        try client.send("ok")
        #expect(try client.receive(until: "ok").hasPrefix("HTTP/1.1 200 "))
    }

    @Test func scriptResetsConnection() async throws {
        let server = try LoopbackServer.scripted([.readHead, .send("HTTP/1.1 2"), .reset])
        let client = try RawClient(port: server.port)
        try client.send("GET / HTTP/1.1\r\n\r\n")
        try await server.connectionClosed(0)
        #expect(throws: SystemError.self) { try client.receiveAll() }
    }

    @Test func endlessSenderStopsWhenPeerDoesNotRead() async throws {
        let server = try LoopbackServer.scripted([
            .readHead, .sendRepeating("0123456789", times: nil),
        ])
        let client = try RawClient(port: server.port)
        try client.send("GET / HTTP/1.1\r\n\r\n")
        let record = try await server.blocked()
        #expect(record.bytesSent > 0)
        #expect(record.bytesSent < 64 << 20)
        #expect(server.connection(0)?.isOpen == true)
        let some = try client.receive()
        #expect(some.starts(with: Array("01234567890123".utf8)))
        server.stop()
        #expect(server.connection(0)?.ending == .stop)
    }

    @Test func bytesAreRepeatedExactly() throws {
        let server = try LoopbackServer.scripted([.sendRepeating("abc", times: 100_001), .close])
        let bytes = try RawClient(port: server.port).receiveAll()
        #expect(bytes == Array(repeatElement(Array("abc".utf8), count: 100_001).joined()))
    }

    @Test func uploadWaitsUntilScriptReads() async throws {
        let (gate, halfway) = (Gate(), Gate())
        var options = ServerOptions()
        options.receiveBufferBytes = 4096
        let server = try LoopbackServer.scripted(
            options: options,
            [
                .readHead, .waitFor(gate), .readBodyBytes(1_000_000), .open(halfway), .readBody,
                .send("HTTP/1.1 204 Fine\r\n\r\n"),
            ]
        )
        let client = try RawClient(port: server.port)
        let sender = try NativeThread(name: "sender") {
            try? client.send("PUT / HTTP/1.1\r\nContent-Length: 3000000\r\n\r\n")
            try? client.send([UInt8](repeating: 7, count: 3_000_000))
        }
        _ = try await server.requestHead(0)
        #expect(server.requests[0].bodyByteCount == 0)
        gate.open()
        try await halfway.wait()
        let request = try await server.request(0)
        #expect(request.bodyByteCount == 3_000_000)
        #expect(request.body.allSatisfy { $0 == 7 })
        sender.join()
    }

    @Test func serverListensOnIPv6AndUnixSockets() throws {
        var options = ServerOptions()
        options.address = .ipv6
        let server = try LoopbackServer(options: options) { _ in .text("six") }
        let client = try RawClient(ipv6Port: server.port)
        try client.send("GET / HTTP/1.0\r\n\r\n")
        #expect(String(decoding: try client.receiveAll(), as: UTF8.self).hasSuffix("six"))

        let folder = try TemporaryDirectory()
        options.address = .unix(path: folder.path("socket"))
        let local = try LoopbackServer(options: options) { _ in .text("local") }
        let localClient = try RawClient(unixPath: folder.path("socket"))
        try localClient.send("GET / HTTP/1.0\r\n\r\n")
        #expect(String(decoding: try localClient.receiveAll(), as: UTF8.self).hasSuffix("local"))
        local.stop()
        #expect(try folder.contents() == [])
    }

    @Test func delayedReplyIsNotEarly() throws {
        let server = try LoopbackServer { _ in .text("x").after(.milliseconds(50)) }
        let client = try RawClient(port: server.port)
        let start = ContinuousClock.now
        try client.send("GET / HTTP/1.0\r\n\r\n")
        _ = try client.receiveAll()
        #expect(ContinuousClock.now - start >= .milliseconds(50))
    }

    @Test func serverHandlesThousandsOfConnections() async throws {
        let limit = ProcessFacts.raiseDescriptorLimit()
        let count = min(1_500, (limit - 2_000) / 2)
        let gate = Gate()
        let server = try LoopbackServer { _ in .text("done").after(gate) }
        let clients = try await NativeThread.run {
            try (0..<count).map { _ in
                let client = try RawClient(port: server.port)
                try client.send("GET / HTTP/1.1\r\n\r\n")
                return client
            }
        }
        try await server.requests(count: count)
        #expect(server.openConnectionCount == count)
        gate.open()
        let answered = try await NativeThread.run {
            try clients.count { try $0.receive(until: "done").hasSuffix("done") }
        }
        #expect(answered == count)
        for client in clients { client.close() }
        try await server.openConnections(0)
    }

    @Test func unusedPortStaysUnused() throws {
        var options = ServerOptions()
        options.port = try LoopbackServer.unusedPort()
        #expect(throws: SystemFailure.self) {
            try LoopbackServer(options: options) { _ in .text("x") }
        }
        #expect(throws: SystemError.self) { try RawClient(port: options.port) }
        // The system doesn't assign the port to another server either.
        for _ in 0..<200 {
            #expect(try LoopbackServer { _ in .text("x") }.port != options.port)
        }
    }

    @Test func repeatedStartsAndStopsLeakNothing() throws {
        for _ in 0..<100 {
            let server = try LoopbackServer { _ in .status(204) }
            let client = try RawClient(port: server.port)
            try client.send("GET / HTTP/1.1\r\n\r\n")
            #expect(try client.receive(until: "\r\n\r\n").contains("204"))
            server.stop()
            // Its descriptors are closed, so the client's connection has ended.
            #expect(try client.receiveAll().isEmpty)
        }
    }
}
