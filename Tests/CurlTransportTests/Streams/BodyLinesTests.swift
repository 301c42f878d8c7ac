import HTTPTypes
import TestSupport
import Testing

@testable import CurlTransport

@Suite(.timeLimit(.minutes(10))) struct BodyLinesTests {
    private static func lines(_ pieces: [[UInt8]], limit: Int = 100) async throws -> [String] {
        let body = ResponseBody(chunks: Pieces(pieces))
        var lines: [String] = []
        for try await line in body.lines(maximumLength: limit) { lines.append(line) }
        return lines
    }

    @Test("Lines end with LF, CR or CR LF, wherever the chunks are split")
    func linesEndInThreeWays() async throws {
        let text = Array("\u{FEFF}eins\r\nzwei\rdrei\n\nvier → fünf".utf8)
        let expected = ["eins", "zwei", "drei", "", "vier → fünf"]
        for split in 0...text.count {
            let pieces = [Array(text[..<split]), Array(text[split...])]
            #expect(try await Self.lines(pieces) == expected)
        }
        #expect(try await Self.lines([]) == [])
        #expect(try await Self.lines([[10]]) == [""])
    }

    @Test("Invalid UTF-8 becomes a replacement character")
    func invalidTextIsRepaired() async throws {
        #expect(
            try await Self.lines([[0x61, 0xFF, 0x62, 10, 0xC3]]) == ["a\u{FFFD}b", "\u{FFFD}"]
        )
    }

    @Test("Each line is returned before the rest of the body has arrived")
    func linesArriveAtOnce() async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in
            Reply(
                headers: [("Transfer-Encoding", "chunked")],
                body: .steps([
                    Reply.chunk(Array("one\ntw".utf8)), .waitFor(gate),
                    Reply.chunk(Array("o\n".utf8)), .send("0\r\n\r\n"),
                ])
            )
        }
        let client = try HTTPClient()
        let response = try await client.send(HTTPRequest(url: server.url))
        var lines = response.body.lines.makeAsyncIterator()
        #expect(try await lines.next() == "one")
        gate.open()
        #expect(try await lines.next() == "two")
        #expect(try await lines.next() == nil)
        #expect(response.metrics != nil)
        await client.shutdown()
    }

    @Test("A line that is too long is an error, and ends the transfer")
    func longLineEndsTransfer() async throws {
        let server = try LoopbackServer { _ in
            Reply(body: .steps([.sendRepeating("endless ", times: nil)])).header(
                "Content-Length",
                "1000000000"
            )
        }
        let client = try HTTPClient()
        let response = try await client.send(HTTPRequest(url: server.url))
        var lines = response.body.lines(maximumLength: 1000).makeAsyncIterator()
        let error = await #expect(throws: TransportError.self) { try await lines.next() }
        #expect(error?.code == .responseTooLarge && error?.message.contains("1000") == true)
        #expect(try await lines.next() == nil)
        try await server.connectionClosed(0)
        await client.shutdown()
    }

    @Test("A line may have exactly the maximum length")
    func limitIsInclusive() async throws {
        let line = String(repeating: "x", count: 100)
        #expect(try await Self.lines([Array("\(line)\n\(line)".utf8)]) == [line, line])
        for text in ["\(line)x\n", "\(line)x"] {
            let error = await #expect(throws: TransportError.self) {
                try await Self.lines([Array(text.utf8)])
            }
            #expect(error?.code == .responseTooLarge)
        }
    }

    @Test("The error of a transfer follows the lines before it")
    func transferErrorIsThrown() async throws {
        let received = Gate()
        let server = try LoopbackServer { _ in
            Reply(
                headers: [("Content-Length", "100")],
                body: .steps([.send("one\ntwo"), .waitFor(received), .close])
            )
        }
        let client = try HTTPClient()
        let response = try await client.send(HTTPRequest(url: server.url))
        var lines: [String] = []
        let error = await #expect(throws: TransportError.self) {
            for try await line in response.body.lines {
                lines.append(line)
                received.open()
            }
        }
        #expect(error?.code == .truncatedResponse)
        #expect(lines == ["one"])
        await client.shutdown()
    }
}

/// A sequence of chunks.
struct Pieces: AsyncSequence, Sendable {
    let pieces: [[UInt8]]

    init(_ pieces: [[UInt8]]) {
        self.pieces = pieces
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        var rest: ArraySlice<[UInt8]>

        mutating func next() async -> [UInt8]? { rest.popFirst() }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(rest: pieces[...]) }
}
