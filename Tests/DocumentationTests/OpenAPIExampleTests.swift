internal import CurlTransport
internal import Foundation
internal import HTTPTypes
internal import TestSupport
internal import Testing

/// The transport of the page "Generated clients", with a stand-in for the package's protocols.
@Suite(.timeLimit(.minutes(10))) struct OpenAPIExampleTests {
    private func send(
        _ request: HTTPRequest,
        _ body: HTTPBody? = nil,
        to server: LoopbackServer,
        base: String = "/v1/"
    ) async throws -> (HTTPResponse, HTTPBody?) {
        let url = try #require(URL(string: server.url + base))
        let client = GeneratedClients.client(url, .shared)
        return try await client.transport.send(
            request,
            body: body,
            baseURL: client.serverURL,
            operationID: "getUser"
        )
    }

    private func bytes(_ body: HTTPBody?) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        for try await chunk in try #require(body) { bytes += chunk }
        return bytes
    }

    @Test("A request goes to its path below the server's, with its method, fields and content")
    func requestIsSent() async throws {
        let server = try LoopbackServer { request in
            LoopbackReply(201, headers: [("X-Id", "7")], body: .bytes(request.body))
        }
        let request = HTTPRequest(
            method: .put,
            scheme: nil,
            authority: nil,
            path: "/users/7?full=true",
            headerFields: [.contentType: "application/json"]
        )
        let (response, body) = try await send(request, HTTPBody(Array("{}".utf8)), to: server)
        #expect(response.status.code == 201)
        #expect(response.headerFields[values: try #require(HTTPField.Name("X-Id"))] == ["7"])
        #expect(body?.length == .known(2))
        #expect(try await bytes(body) == Array("{}".utf8))
        let sent = try #require(server.requests.first)
        #expect(sent.method == "PUT" && sent.target == "/v1/users/7?full=true")
        #expect(sent.header("Content-Type") == "application/json")
        #expect(sent.header("Content-Length") == "2")
    }

    @Test("A content of unknown length is streamed in both directions")
    func contentIsStreamed() async throws {
        let server = try LoopbackServer { request in
            .chunked([request.body, Array("!".utf8)])
        }
        let request = HTTPRequest(method: .post, scheme: nil, authority: nil, path: "/echo")
        let parts = AsyncStream<ArraySlice<UInt8>> { continuation in
            for part in ["a", "b", "c"] { continuation.yield(Array(part.utf8)[...]) }
            continuation.finish()
        }
        let upload = HTTPBody(parts, length: .unknown, iterationBehavior: .single)
        let (_, body) = try await send(request, upload, to: server, base: "")
        #expect(body?.length == .unknown)
        #expect(try await bytes(body) == Array("abc!".utf8))
        #expect(server.requests.first?.header("Transfer-Encoding") == "chunked")
        await #expect(throws: HTTPBody.TooManyIterationsError.self) { try await bytes(upload) }
    }

    @Test("A status such as 404 is a response, and the response to HEAD has no content")
    func statusIsResponse() async throws {
        let server = try LoopbackServer { _ in .status(404) }
        let head = HTTPRequest(method: .head, scheme: nil, authority: nil, path: "/missing")
        let (response, body) = try await send(head, to: server)
        #expect(response.status.code == 404 && body == nil)
    }

    @Test("A content that breaks off is the transport's error for the reader")
    func brokenContentThrows() async throws {
        let server = try LoopbackServer.scripted([
            .readHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello"),
        ])
        let request = HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/")
        let (_, body) = try await send(request, to: server)
        await #expect(throws: TransportError.self) { try await bytes(body) }
    }
}
