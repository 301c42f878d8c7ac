import CurlTransport
import HTTPTypes
import TestSupport
import Testing

/// The limits of response heads over HTTP/1.1 and HTTP/2.
@Suite(.timeLimit(.minutes(10)))
struct ResponseHeadLimitTests {
    private func server(cookies count: Int, of size: Int) throws -> LoopbackServer {
        let value = String(repeating: "c", count: size)
        let fields = Array(repeating: ("Set-Cookie", value), count: count)
        return try LoopbackServer { [fields] _ in
            Reply(headers: fields, body: .bytes(Array("ok".utf8)))
        }
    }

    @Test("A response with 1,500 cookies is delivered over HTTP/1.1")
    func manyCookiesArriveOverHTTP1() async throws {
        let server = try server(cookies: 1_500, of: 60)
        let response = try await PeerClient().fetch(server.url + "/")
        #expect(response.response.headerFields[values: .setCookie].count == 1_500)
        #expect(response.text == "ok")
    }

    @Test(
        "A response with 1,500 cookies is delivered over HTTP/2",
        .enabled(if: FaultyHTTP2Peer.isAvailable)
    )
    func manyCookiesArriveOverHTTP2() async throws {
        let peer = try await FaultyHTTP2Peer.shared()
        let client = try PeerClient { $0.httpVersion = .http2 }
        let response = try await client.fetch(peer.url("/fields?count=1500"))
        #expect(response.response.headerFields[values: .setCookie].count == 1_500)
    }

    /// libcurl before 8.0 holds back what doesn't fit into its buffer.
    @Test(
        "A response head larger than the receive buffer is delivered over HTTP/2",
        .enabled(if: FaultyHTTP2Peer.isAvailable)
    )
    func headLargerThanBufferArrivesOverHTTP2() async throws {
        let peer = try await FaultyHTTP2Peer.shared()
        let client = try PeerClient {
            $0.httpVersion = .http2
            $0.receiveBufferSize = 1_024
            $0.timeouts.idle = .seconds(20)
        }
        let response = try await client.fetch(peer.url("/fields?count=100"))
        #expect(response.response.headerFields[values: .setCookie].count == 100)
    }

    @Test(
        "A response head beyond the limits is an error",
        arguments: [(5_001, 4), (1_000, 300), (3, 90_000)]
    )
    func headBeyondLimitsIsAnError(_ count: Int, _ size: Int) async throws {
        let server = try server(cookies: count, of: size)
        let error = try #require(await PeerClient().failure(server.url + "/"))
        #expect(error.code == .responseHeadTooLarge, "\(error)")
        #expect(error.retry == .never)
    }

    @Test("Too many fields are an error over HTTP/2", .enabled(if: FaultyHTTP2Peer.isAvailable))
    func fieldTooManyIsAnErrorOverHTTP2() async throws {
        let peer = try await FaultyHTTP2Peer.shared()
        let client = try PeerClient { $0.httpVersion = .http2 }
        let error = try #require(await client.failure(peer.url("/fields?count=5001&size=4")))
        #expect(error.code == .responseHeadTooLarge, "\(error)")
    }
}
