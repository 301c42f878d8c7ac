import CurlTransport
import HTTPTypes
import TestSupport
import Testing

/// Servers that limit the concurrent HTTP/2 streams of a connection.
@Suite(.timeLimit(.minutes(10)), .enabled(if: StreamLimitPeer.isAvailable))
struct ConcurrentStreamsTests {
    private func client(maximumConnections: Int? = nil) throws -> PeerClient {
        var configuration = TransportConfiguration()
        configuration.maximumConnectionsPerHost = maximumConnections
        return try PeerClient(configuration: configuration) { $0.httpVersion = .http2 }
    }

    /// Sends `count` requests at once, and returns the texts of the responses.
    private func burst(
        _ count: Int,
        _ client: PeerClient,
        _ url: String,
        method: HTTPRequest.Method = .get,
        body: RequestBody = .none
    ) async throws -> [String] {
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<count {
                group.addTask { try await client.fetch(url, method: method, body: body).text }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    /// The server's counts, by another client.
    private func report(
        _ peer: StreamLimitPeer,
        _ path: String = "/report"
    ) async throws -> [String: Int] {
        let answer = try await client().fetch(peer.url(path))
        var counts: [String: Int] = [:]
        for pair in answer.text.split(separator: " ") {
            let parts = pair.split(separator: "=")
            if parts.count == 2 { counts[String(parts[0])] = Int(parts[1]) }
        }
        return counts
    }

    @Test("A host gets no more connections than its limit if its server allows few streams")
    func connectionLimitAppliesToFewStreams() async throws {
        let peer = try await StreamLimitPeer.start(limit: 2)
        defer { peer.stop() }
        let client = try client(maximumConnections: 3)
        // libcurl has read the server's limit, and opens a connection if both streams are in use.
        _ = try await client.fetch(peer.url("/item"))
        let texts = try await burst(30, client, peer.url("/item"))
        #expect(texts == Array(repeating: "done", count: 30))
        let counts = try await report(peer)
        #expect(counts["requests"] == 31)
        #expect(try #require(counts["connections"]) <= 3)
        #expect(counts["exceeded"] == 0)
    }

    @Test("Requests beyond the first streams of a connection succeed if the server refuses them")
    func refusedRequestsSucceed() async throws {
        let peer = try await StreamLimitPeer.start(limit: 1, refuses: true)
        defer { peer.stop() }
        let texts = try await burst(30, client(), peer.url("/item"))
        #expect(texts == Array(repeating: "done", count: 30))
        let counts = try await report(peer)
        #expect(counts["peak"] == 1)
        #expect(counts["exceeded"] == 0)
    }

    /// Earlier versions of libcurl don't report each refusal.
    @Test(
        "Requests that aren't idempotent succeed if they find no free stream",
        .enabled(if: HTTPVersionPolicy.offersHTTP2ByDefault)
    )
    func postsSucceedWithoutFreeStream() async throws {
        let peer = try await StreamLimitPeer.start(limit: 1, refuses: true)
        defer { peer.stop() }
        let client = try client()
        _ = try await client.fetch(peer.url("/item"))
        let body = RequestBody.bytes(Array("hello".utf8))
        let texts = try await burst(30, client, peer.url("/item"), method: .post, body: body)
        #expect(texts == Array(repeating: "done", count: 30))
        let counts = try await report(peer)
        #expect(counts["peak"] == 1)
    }

    /// Earlier versions of libcurl don't report the limit.
    @Test(
        "No more transfers run than the server allows streams, when its limit is known",
        .enabled(if: HTTPVersionPolicy.offersHTTP2ByDefault)
    )
    func serversLimitAppliesToTransfers() async throws {
        let peer = try await StreamLimitPeer.start(limit: 2)
        defer { peer.stop() }
        let client = try client()
        _ = try await client.fetch(peer.url("/item"))
        _ = try await burst(30, client, peer.url("/item"))
        _ = try await report(peer, "/forget")
        let texts = try await burst(30, client, peer.url("/item"))
        #expect(texts == Array(repeating: "done", count: 30))
        let counts = try await report(peer)
        #expect(counts["requests"] == 30)
        #expect(try #require(counts["peak"]) <= 2)
        #expect(try #require(counts["connections"]) <= 2)
    }

    @Test("A cancelled transfer resets its stream, and its connection is reused")
    func cancelledTransferKeepsConnection() async throws {
        let peer = try await StreamLimitPeer.start(limit: 100)
        defer { peer.stop() }
        let client = try client()
        func hold() -> Task<String, any Error> {
            Task { try await client.fetch(peer.url("/held")).text }
        }
        let transfers = [hold(), hold(), hold()]
        _ = try await report(peer, "/await/held/3")
        transfers[1].cancel()
        // libcurl 7.88 sends the reset with the connection's next frame.
        let late = hold()
        _ = try await report(peer, "/await/held/4")
        _ = try await report(peer, "/await/reset/1")
        let counts = try await report(peer, "/release")
        #expect(counts["connections"] == 1)
        #expect(counts["reset"] == 1)
        for transfer in [transfers[0], transfers[2], late] {
            let text = try await transfer.value
            #expect(text == "done")
        }
        let cancelled = await transfers[1].result
        #expect(throws: TransportError.self) { try cancelled.get() }
    }
}
