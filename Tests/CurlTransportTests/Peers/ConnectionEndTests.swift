import CurlTransport
import HTTPTypes
import TestSupport
import Testing

/// Servers that end connections while requests use them.
@Suite(.timeLimit(.minutes(10)))
struct ConnectionEndTests {
    /// Fetches a URL `count` times, 64 at once, and returns the errors.
    private func errors(
        of count: Int,
        _ url: String,
        _ version: HTTPVersionPolicy,
        whenEnded: @escaping @Sendable (Int) -> Void = { _ in }
    ) async throws -> [TransportError] {
        let client = try PeerClient { $0.httpVersion = version }
        return await withTaskGroup(of: [TransportError].self) { group in
            for place in 0..<64 {
                group.addTask {
                    var errors: [TransportError] = []
                    for number in stride(from: place, to: count, by: 64) {
                        if let error = await client.failure(url) { errors.append(error) }
                        whenEnded(number)
                    }
                    return errors
                }
            }
            var all: [TransportError] = []
            for await errors in group { all += errors }
            return all
        }
    }

    @Test(
        "GETs succeed when the server closes connections after 50 requests",
        .enabled(if: NginxPeer.isAvailable),
        arguments: [HTTPVersionPolicy.http1, .http2]
    )
    func retiredConnectionFailsNoGET(_ version: HTTPVersionPolicy) async throws {
        let nginx = try await NginxPeer.start(keepaliveRequests: 50)
        defer { nginx.stop() }
        let errors = try await errors(of: 3_000, nginx.url(.https), version)
        #expect(errors.isEmpty, "\(errors.count): \(String(describing: errors.first))")
    }

    @Test(
        "GETs succeed while the server is reloaded repeatedly",
        .enabled(if: NginxPeer.isAvailable),
        arguments: [HTTPVersionPolicy.http1, .http2]
    )
    func reloadedServerFailsNoGET(_ version: HTTPVersionPolicy) async throws {
        let nginx = try await NginxPeer.start(canReload: true)
        defer { nginx.stop() }
        let errors = try await errors(of: 3_000, nginx.url(.https), version) { number in
            if number % 200 == 0 { nginx.reload() }
        }
        #expect(errors.isEmpty, "\(errors.count): \(String(describing: errors.first))")
    }

    /// An empty SETTINGS frame and its acknowledgement.
    ///
    /// GOAWAY names the first stream as the last.
    private static let greeting: [UInt8] = [0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 4, 1, 0, 0, 0, 0]
    private static let goAway: [UInt8] = [0, 0, 8, 7, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0]
    /// The head of the first stream's response, which has no body: status 204.
    private static let head: [UInt8] = [0, 0, 1, 1, 5, 0, 0, 0, 1, 0x89]

    private static func retiringServer() throws -> LoopbackServer {
        try LoopbackServer.scripted { number in
            number == 0
                ? [.readHead, .send(greeting + goAway), .halfClose, .readUntilClosed]
                : [.readHead, .send(greeting + head), .readUntilClosed]
        }
    }

    @Test("A GET is retried when the server ends its new HTTP/2 connection")
    func newConnectionThatEndsRepeatsGET() async throws {
        let server = try Self.retiringServer()
        let client = try PeerClient { $0.httpVersion = .http2PriorKnowledge }
        let answer = try await client.fetch(server.url)
        #expect(answer.status == 204)
        #expect(server.acceptedConnectionCount == 2)
    }

    @Test("A POST is not retried when the server ends its new HTTP/2 connection")
    func newConnectionThatEndsFailsPOST() async throws {
        let server = try Self.retiringServer()
        let client = try PeerClient { $0.httpVersion = .http2PriorKnowledge }
        #expect(await client.failure(server.url, method: .post) != nil)
        #expect(server.acceptedConnectionCount == 1)
    }

    @Test(
        "A request whose stream the server resets is not retried",
        .enabled(if: FaultyHTTP2Peer.isAvailable),
        arguments: ["INTERNAL_ERROR", "ENHANCE_YOUR_CALM", "CANCEL"]
    )
    func resetStreamIsSentOnce(_ code: String) async throws {
        let peer = try await FaultyHTTP2Peer.shared()
        let client = try PeerClient { $0.httpVersion = .http2 }
        _ = try await client.fetch(peer.url("/body"))
        let path = "/reset?when=before-head&code=\(code)&key=once-\(code)"
        #expect(await client.failure(peer.url(path))?.code == .streamReset)
        #expect(try await client.fetch(peer.url("/count?of=once-\(code)")).text == "1")
    }
}
