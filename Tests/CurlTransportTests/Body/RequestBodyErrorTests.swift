internal import CurlTransport
internal import HTTPTypes
internal import TestSupport
internal import Testing

/// How an error thrown by a request's body reaches the caller.
@Suite(.timeLimit(.minutes(10))) struct RequestBodyErrorTests {
    private final class SourceFailure: Error, CustomStringConvertible {
        var description: String { "the source broke" }
    }

    @Test("A request whose body throws fails with that error as the underlying error")
    func bodysErrorIsUnderlying() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let client = try HTTPClient()
        let failure = SourceFailure()
        let body = Chunks([[1, 2, 3]], throwing: failure)
        let error = await #expect(throws: TransportError.self) {
            try await client.send(HTTPRequest(method: .post, url: server.url), body: .stream(body))
        }
        #expect(error?.code == .requestBodyFailed)
        #expect(error?.underlying as? SourceFailure === failure)
        #expect(error?.message.contains("the source broke") == true)
        #expect(error?.url?.hasPrefix(server.url) == true)
    }

    @Test("An upload of a broken response body has the response's error as the underlying error")
    func responsesErrorIsUnderlying() async throws {
        let source = try LoopbackServer.scripted([
            .readHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"), .close,
        ])
        let server = try LoopbackServer { _ in .text("x") }
        let client = try HTTPClient()
        let response = try await client.send(HTTPRequest(url: source.url))
        let error = await #expect(throws: TransportError.self) {
            try await client.send(
                HTTPRequest(method: .post, url: server.url),
                body: .stream(response.body)
            )
        }
        #expect(error?.code == .requestBodyFailed)
        #expect((error?.underlying as? TransportError)?.code == .truncatedResponse)
    }

    @Test("A failure that the body didn't throw has no underlying error")
    func otherFailuresHaveNoUnderlyingError() async throws {
        let server = try LoopbackServer.scripted([.readHead, .close])
        let client = try HTTPClient()
        let lost = await #expect(throws: TransportError.self) {
            try await client.send(HTTPRequest(url: server.url))
        }
        #expect(lost?.underlying == nil)
        let short = await #expect(throws: TransportError.self) {
            try await client.send(
                HTTPRequest(method: .post, url: server.url),
                body: .stream(length: 9, Chunks([[1]]))
            )
        }
        #expect(short?.underlying == nil)
    }
}
