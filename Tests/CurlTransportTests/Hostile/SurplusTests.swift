internal import CurlTransport
internal import HTTPTypes
internal import TestSupport
internal import Testing

/// Bytes behind the end of a response must not become the answer to the next request.
@Suite(.timeLimit(.minutes(10))) struct SurplusTests {
    private static let forged = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged"

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 99\r\nTransfer-Encoding: chunked\r\n\r\n"
            + "5\r\nhello\r\n0\r\n\r\n",
        "HTTP/1.1 204 None\r\n\r\n", "HTTP/1.1 304 Same\r\nContent-Length: 10\r\n\r\n",
    ])
    func surplusBytesAreNobodysResponse(_ response: String) async throws {
        let truth: [Step] = [
            .readHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ntrue"),
        ]
        // libcurl closes the connection, or forgets what it has read too much.
        let server = try LoopbackServer.scripted { number in
            number == 0 ? [.readHead, .send(response + Self.forged)] + truth : truth
        }
        let client = try HTTPClient()
        let first = try await client.send(HTTPRequest(url: server.url))
        let body = try await first.body.collect(upTo: 100)
        #expect(body == Array((response.contains("hello") ? "hello" : "").utf8))
        let second = try await client.send(HTTPRequest(url: server.url))
        #expect(try await second.body.collect(upTo: 100) == Array("true".utf8))
        await client.shutdown()
    }
}
