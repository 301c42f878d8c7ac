internal import CurlURLSession
internal import Foundation
internal import TestSupport
internal import Testing

/// Tests servers that send bytes after the end of a response.
///
/// Such bytes belong to no request (RFC 9112, 6.3). As the next response, they would be stored under
/// a URL that the server may have no right to.
@Suite(.timeLimit(.minutes(10))) struct ForgedResponseTests {
    /// Loads two URLs, the second one after the forged response has arrived.
    private func expectTruth(
        from server: LoopbackServer,
        behind response: String,
        at gate: Gate,
        method: String = "GET",
        usesProxy: Bool = false
    ) async throws {
        let cache = URLCache(memoryCapacity: 1 << 20, diskCapacity: 0)
        let configure: (URLSessionConfiguration) -> Void = { $0.urlCache = cache }
        let session =
            usesProxy
            ? URLSession.test(by: server.port, configure) : URLSession.test(configure)
        let origins = usesProxy ? ["http://one.test", "http://other.test"] : [server.url]
        let first = try #require(origins.first.flatMap { URL(string: $0 + "/first") })
        var request = URLRequest(url: first)
        request.httpMethod = method
        let (body, _) = try await session.data(for: request)
        let expected = method == "HEAD" || !response.contains("hello") ? "" : "hello"
        #expect(body == Data(expected.utf8))
        gate.open()
        try await server.forgedResponseArrived(behind: response)
        let url = try #require(origins.last.flatMap { URL(string: $0 + "/second") })
        let truth = Data("true".utf8)
        let (data, _) = try await session.data(from: url)
        #expect(data == truth)
        #expect(cache.cachedResponse(for: URLRequest(url: url))?.data == truth)
        #expect(server.requests.map(\.connection) == [0, 1])
        // The cache answers this request.
        let (again, _) = try await session.data(from: url)
        #expect(again == truth)
        #expect(server.requestCount == 2)
        session.invalidateAndCancel()
    }

    @Test(
        "A response forged behind another one is neither delivered nor cached",
        arguments: LoopbackServer.completeResponses
    )
    func forgedResponseIsNeitherDeliveredNorCached(_ response: String) async throws {
        let gate = Gate()
        let server = try LoopbackServer.forging(behind: response, at: gate)
        try await expectTruth(from: server, behind: response, at: gate)
    }

    @Test("A response forged behind a response to HEAD is neither delivered nor cached")
    func responseForgedBehindHeadIsNeitherDeliveredNorCached() async throws {
        let gate = Gate()
        let response = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"
        let server = try LoopbackServer.forging(behind: response, at: gate)
        try await expectTruth(from: server, behind: response, at: gate, method: "HEAD")
    }

    @Test(
        "A response forged on a proxy's connection is neither delivered nor cached",
        arguments: LoopbackServer.completeResponses
    )
    func responseForgedByProxyIsNeitherDeliveredNorCached(_ response: String) async throws {
        let gate = Gate()
        let proxy = try LoopbackServer.forging(behind: response, at: gate)
        try await expectTruth(from: proxy, behind: response, at: gate, usesProxy: true)
    }
}
