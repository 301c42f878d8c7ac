internal import CurlTransport
internal import HTTPTypes
internal import TestSupport
internal import Testing

/// libcurl before 8.1 appends a folded line to freed memory.
///
/// It appends the line to the last header field of the handle's previous transfer.
@Suite(.timeLimit(.minutes(10))) struct FoldedFirstFieldTests {
    @Test("A response with a folded first field line fails only its own transfer")
    func foldedFirstFieldOnlyFailsItsOwnTransfer() async throws {
        let server = try LoopbackServer.foldingFirstField()
        let client = try HTTPClient()
        for _ in 0..<20 {
            let first = try await client.send(HTTPRequest(url: server.url))
            #expect(try await first.body.collect(upTo: 10) == Array("ok".utf8))
            let error = await #expect(throws: TransportError.self) {
                _ = try await client.send(HTTPRequest(url: server.url))
            }
            #expect(error?.code == .invalidResponse)
            let third = try await client.send(HTTPRequest(url: server.url))
            #expect(try await third.body.collect(upTo: 10) == Array("ok".utf8))
        }
        await client.shutdown()
    }
}
