internal import CurlURLSession
internal import Foundation
internal import TestSupport
internal import Testing

@Suite(.timeLimit(.minutes(10))) struct AsyncBytesTests {
    @Test("E1: Async bytes deliver the whole body in order", arguments: [0, 1, 70_000, 2_000_000])
    func allBytesArriveInOrder(_ size: Int) async throws {
        let content = [UInt8](count: size) { UInt8(truncatingIfNeeded: $0 &* 11) }
        let server = try LoopbackServer { _ in .bytes(content) }
        let (bytes, response) = try await URLSession.test().bytes(from: server.at("/"))
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
        var read: [UInt8] = []
        for try await byte in bytes { read.append(byte) }
        #expect(read == content)
    }

    @Test func responseIsAvailableBeforeTheContent() async throws {
        let gate = Gate()
        let server = try LoopbackServer.scripted([
            .readHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n"), .waitFor(gate),
            .send("late"), .stall,
        ])
        let (bytes, response) = try await URLSession.test().bytes(from: server.at("/"))
        #expect(response.expectedContentLength == 4)
        gate.open()
        var text = ""
        for try await byte in bytes { text.unicodeScalars.append(Unicode.Scalar(byte)) }
        #expect(text == "late")
    }

    @Test("E1: Async lines end at LF, CRLF or CR")
    func linesEndAtAnyTerminator() async throws {
        let server = try LoopbackServer { _ in .text("one\ntwo\r\n\r\nthree\rfour\n\nfünf") }
        let (bytes, _) = try await URLSession.test().bytes(from: server.at("/"))
        var lines: [String] = []
        for try await line in bytes.lines { lines.append(line) }
        #expect(lines == ["one", "two", "", "three", "four", "", "fünf"])
    }

    @Test("E1: Each server-sent event can be read as soon as it arrives")
    func eventsAreReadAsTheyArrive() async throws {
        let gates = [Gate(), Gate()]
        let server = try LoopbackServer.scripted([
            .readHead,
            .send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 1\n\n"),
            .waitFor(gates[0]), .send("data: 2\n\n"), .waitFor(gates[1]), .send("data: 3\n\n"),
        ])
        let (bytes, _) = try await URLSession.test().bytes(from: server.at("/"))
        var events: [String] = []
        for try await line in bytes.lines where !line.isEmpty {
            events.append(line)
            // The server sends the next event only after the test has read this one.
            if events.count <= gates.count { gates[events.count - 1].open() }
        }
        #expect(events == ["data: 1", "data: 2", "data: 3"])
    }

    @Test("B2: The server stops sending while the client doesn't read")
    func serverStopsSendingWhenClientDoesNotRead() async throws {
        // Socket buffers hold far less than this.
        let size = 64 << 20
        let server = try LoopbackServer { _ in
            Reply(body: .repeating([UInt8](repeating: 1, count: 1024), times: size / 1024))
        }
        let (bytes, _) = try await URLSession.test().bytes(from: server.at("/"))
        try await server.blocked()
        #expect(bytes.task.countOfBytesReceived < 1 << 20)
        var count = 0
        for try await _ in bytes {
            count += 1
            // More than a window, so the server has resumed sending.
            if count == 1 << 20 { break }
        }
        #expect(count == 1 << 20)
    }

    @Test func releasingTheBytesCancelsTheTask() async throws {
        let server = try LoopbackServer.scripted([
            .readHead, .send("HTTP/1.1 200 OK\r\n\r\nabc"), .stall,
        ])
        let session = URLSession.test()
        do {
            let (bytes, _) = try await session.bytes(from: server.at("/"))
            for try await byte in bytes {
                #expect(byte == UInt8(ascii: "a"))
                break
            }
        }
        try await server.connectionClosed(0)
    }

    @Test func cancellingTheSwiftTaskEndsReading() async throws {
        let server = try LoopbackServer.scripted([
            .readHead, .send("HTTP/1.1 200 OK\r\n\r\nabc"), .stall,
        ])
        let session = URLSession.test()
        let url = try server.at("/")
        let begun = Gate()
        let task = Task {
            let (bytes, _) = try await session.bytes(from: url)
            for try await _ in bytes { begun.open() }
        }
        try await begun.wait()
        task.cancel()
        let error = try await urlError { try await task.value }
        #expect(error.code == .cancelled)
    }

    @Test func brokenContentThrowsAfterItsBytes() async throws {
        let server = try LoopbackServer.scripted([
            .readHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"), .close,
        ])
        let (bytes, _) = try await URLSession.test().bytes(from: server.at("/"))
        var count = 0
        let error = try await urlError {
            for try await _ in bytes { count += 1 }
        }
        #expect(error.code == .networkConnectionLost)
        #expect(count == 3)
    }

    @Test func failureBeforeTheResponseIsThrown() async throws {
        let url = try #require(URL(string: "http://127.0.0.1:\(LoopbackServer.unusedPort())/"))
        let error = try await urlError { _ = try await URLSession.test().bytes(from: url) }
        #expect(error.code == .cannotConnectToHost)
    }

    @Test func delegateGetsMetricsBeforeTheEnd() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let delegate = SessionDelegate()
        let (bytes, _) = try await URLSession.test().bytes(from: server.at("/"), delegate: delegate)
        for try await _ in bytes {}
        #expect(delegate.events == [.metrics(transactions: 1)])
    }
}
