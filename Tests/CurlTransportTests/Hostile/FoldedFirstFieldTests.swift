internal import CurlTransport
internal import HTTPTypes
internal import TestSupport
internal import Testing

/// From 7.83 to 8.0, libcurl appends a folded first line to freed memory of a reused handle.
///
/// That memory was the last header field of the handle's previous transfer.
@Suite(.timeLimit(.minutes(10))) struct FoldedFirstFieldTests {
    private static let ordinary = "HTTP/1.1 200 OK\r\nX-Last: value\r\nContent-Length: 2\r\n\r\nok"
    private static let long = String(repeating: "A", count: 300)

    /// The pieces of responses whose first field line is folded.
    private static let foldedResponses = [
        ["HTTP/1.1 200 OK\r\n a:\(long)\r\nContent-Length: 2\r\n\r\nok"],
        ["HTTP/1.1 200 OK\r\n\ta:\(long)\r\nContent-Length: 2\r\n\r\nok"],
        ["HTTP/1.1 200 OK\n a:\(long)\nContent-Length: 2\n\nok"],
        ["HTTP/1.1 200 OK\r\n :\r\n\r\n"],
        ["HTTP/1.1 200 OK\r\n", " a:\(long)\r\n", "Content-Length: 2\r\n\r\nok"],
        ["HTTP/1.1 200 OK\r\n ", "a:\(long)\r\nContent-Length: 2\r\n\r\nok"],
        ["HTTP/1.1 103 Early\r\n\r\nHTTP/1.1 200 OK\r\n a:\(long)\r\nContent-Length: 2\r\n\r\nok"],
        ["HTTP/1.1 103 Early\r\n\r\n", "HTTP/1.1 200 OK\r\n", " a:\(long)\r\n\r\n"],
        ["HTTP/1.1 103 Early\r\n a:\(long)\r\n\r\n", ordinary],
        ["HTTP/1.1 103 Early\r\n\r\nhttp/1.1 200 OK\r\n a:\(long)\r\nContent-Length: 2\r\n\r\nok"],
    ]

    @Test(
        "A response with a folded first field line fails only its own transfer",
        arguments: foldedResponses
    )
    func foldedFirstFieldOnlyFailsItsOwnTransfer(_ pieces: [String]) async throws {
        let folded = pieces.flatMap { [Step.send($0), .after(.milliseconds(1))] }
        let answer = [Step.readHead, .send(Self.ordinary)]
        let server = try LoopbackServer.scripted { number in
            number % 2 == 0 ? answer + [.readHead] + folded : answer
        }
        for _ in 0..<10 {
            // A new client, so that its second request has the connection and handle of its first.
            let client = try HTTPClient()
            let first = try await client.send(HTTPRequest(url: server.url))
            #expect(try await first.body.collect(upTo: 10) == Array("ok".utf8))
            let error = await #expect(throws: TransportError.self) {
                _ = try await client.send(HTTPRequest(url: server.url))
            }
            #expect(error?.code == .invalidResponse)
            let third = try await client.send(HTTPRequest(url: server.url))
            #expect(try await third.body.collect(upTo: 10) == Array("ok".utf8))
            #expect(third.headerFields.map { "\($0)" } == ["X-Last: value", "Content-Length: 2"])
            await client.shutdown()
        }
        #expect(server.acceptedConnectionCount == 20)
    }

    @Test("A folded line after the first field belongs to that field on a reused handle")
    func foldedLaterLineContinuesField() async throws {
        let server = try LoopbackServer.scripted(
            [0, 1, 2].flatMap { number in
                [
                    Step.readHead,
                    .send("HTTP/1.1 200 OK\r\nA: \(number)\r\n more\r\nContent-Length: 0\r\n\r\n"),
                ]
            }
        )
        let client = try HTTPClient()
        for number in 0..<3 {
            let response = try await client.send(HTTPRequest(url: server.url))
            #expect(response.headerFields.map { "\($0)" }.first == "A: \(number) more")
            _ = try await response.body.collect(upTo: 1)
        }
        #expect(server.acceptedConnectionCount == 1)
        await client.shutdown()
    }
}
