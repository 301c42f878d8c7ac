import CurlTransport
import HTTPTypes
import TestSupport
import Testing

/// HTTP/2 without faults: streams that share connections.
@Suite(.timeLimit(.minutes(10)))
struct HTTP2Tests {
    private func client(
        configuration: TransportConfiguration = TransportConfiguration(),
        _ version: HTTPVersionPolicy = .http2
    ) throws -> PeerClient {
        try PeerClient(configuration: configuration) { $0.httpVersion = version }
    }

    /// Fetches a URL `count` times at once.
    private func burst(
        _ count: Int,
        _ client: PeerClient,
        _ url: String
    ) async throws -> [Fetched] {
        try await withThrowingTaskGroup(of: Fetched.self) { group in
            for _ in 0..<count { group.addTask { try await client.fetch(url) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test(.enabled(if: NginxPeer.isAvailable))
    func concurrentRequestsShareOneConnection() async throws {
        let nginx = try await NginxPeer.shared()
        let answers = try await burst(50, client(), nginx.url(.https, "/connection"))
        let connections = Set(answers.map { $0.text.split(separator: " ").dropFirst(4).first })
        #expect(connections.count == 1)
        #expect(answers.allSatisfy { $0.text.hasPrefix("HTTP/2.0 ") })
        #expect(answers.allSatisfy { $0.metrics.httpVersion == "2" })
        #expect(answers.filter { !$0.metrics.isConnectionReused }.count == 1)
    }

    @Test(.enabled(if: NginxPeer.isAvailable))
    func policySelectsHTTPVersion() async throws {
        let nginx = try await NginxPeer.shared()
        let expected = HTTPVersionPolicy.offersHTTP2ByDefault ? "2" : "1.1"
        for (policy, version) in [
            (HTTPVersionPolicy.automatic, expected), (.http1, "1.1"), (.http2, "2"),
        ] {
            let answer = try await client(policy).fetch(nginx.url(.https))
            #expect(answer.metrics.httpVersion == version)
        }
        let fallback = try await client().fetch(nginx.url(.http1Only))
        #expect(fallback.metrics.httpVersion == "1.1")
    }

    @Test(.enabled(if: NginxPeer.isAvailable))
    func concurrentHTTP1RequestsAreNotSerialised() async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in .text("done").after(gate) }
        defer { server.stop() }
        let nginx = try await NginxPeer.start(upstream: server.url)
        defer { nginx.stop() }
        let client = try client()
        // The gate opens when the first request has arrived; below, when all five have.
        async let answers = burst(5, client, nginx.url(.http1Only, "/upstream/"))
        try await server.requests(count: 1)
        gate.open()
        #expect(try await answers.count == 5)

        let second = Gate()
        let slow = try LoopbackServer { _ in .text("done").after(second) }
        defer { slow.stop() }
        let other = try await NginxPeer.start(upstream: slow.url)
        defer { other.stop() }
        _ = try await client.fetch(other.url(.http1Only))
        async let more = burst(5, client, other.url(.http1Only, "/upstream/"))
        try await slow.requests(count: 5)
        second.open()
        #expect(try await more.count == 5)
    }

    @Test(.enabled(if: NghttpdPeer.isAvailable))
    func serversStreamLimitIsRespected() async throws {
        let nghttpd = try await NghttpdPeer.start(["--max-concurrent-streams=2"])
        defer { nghttpd.stop() }
        let answers = try await burst(20, client(), nghttpd.url())
        #expect(answers.allSatisfy { $0.text == "hello, world\n" })
    }

    @Test(.enabled(if: FaultyHTTP2Peer.isAvailable))
    func trailersArrive() async throws {
        let peer = try await FaultyHTTP2Peer.shared()
        let answer = try await client().fetch(peer.url("/trailers"))
        #expect(answer.bytes.count == 10_000)
        #expect(answer.response.trailers?[HTTPField.Name("x-checksum")!] == "123")
        #expect(answer.response.trailers?[HTTPField.Name("x-end")!] == "yes")
    }

    @Test(.enabled(if: NginxPeer.isAvailable))
    func largeBodiesArriveInBothDirections() async throws {
        let server = try LoopbackServer { .text("\($0.bodyByteCount)") }
        defer { server.stop() }
        let nginx = try await NginxPeer.start(upstream: server.url)
        defer { nginx.stop() }
        let client = try client()
        #expect(try await client.fetch(nginx.url(.https, "/1m.bin")).bytes == NginxPeer.megabyte)
        let body = Array(repeatElement(NginxPeer.megabyte, count: 8).joined())
        let bodies: [RequestBody] = [
            .bytes(body), .stream(length: Int64(body.count), OddPieces(of: body)),
        ]
        for body in bodies {
            let answer = try await client.fetch(
                nginx.url(.https, "/upstream/"),
                method: .post,
                body: body
            )
            #expect(answer.text == "\(8 << 20)")
        }
    }

    @Test(.enabled(if: FaultyHTTP2Peer.isAvailable))
    func uploadsAreEchoedExactly() async throws {
        let peer = try await FaultyHTTP2Peer.shared()
        let client = try client()
        let body = Array(NginxPeer.megabyte.prefix(300_001))
        for body in [RequestBody.bytes(body), .stream(OddPieces(of: body))] {
            let answer = try await client.fetch(peer.url("/echo"), method: .post, body: body)
            #expect(answer.bytes == Array(NginxPeer.megabyte.prefix(300_001)))
        }
    }

    @Test(.enabled(if: FaultyHTTP2Peer.isAvailable))
    func unreadStreamDoesNotBlockOthers() async throws {
        let peer = try await FaultyHTTP2Peer.shared()
        let client = try client()
        let request = try HTTPRequest(url: peer.url("/body?size=5000000&length=no"))
        let unread = try await client.client.send(request)
        for _ in 0..<5 {
            let answer = try await client.fetch(peer.url("/body?size=1000000"))
            #expect(answer.bytes.count == 1_000_000)
            #expect(answer.metrics.isConnectionReused)
        }
        #expect(try await unread.body.collect(upTo: 5_000_000).count == 5_000_000)
    }

    @Test(.enabled(if: FaultyHTTP2Peer.isAvailable))
    func cancelledStreamsDoNotStallConnection() async throws {
        let peer = try await FaultyHTTP2Peer.shared()
        let client = try client()
        let request = try HTTPRequest(url: peer.url("/body?size=3000000&length=no"))
        // Each cancelled stream leaves at most the bytes that the peer has sent already.
        for _ in 0..<80 {
            let response = try await client.client.send(request)
            var bytes = response.body.makeAsyncIterator()
            _ = try await bytes.next()
        }
        let answer = try await client.fetch(peer.url("/body?size=3000000"))
        #expect(answer.bytes.count == 3_000_000)
        #expect(answer.metrics.isConnectionReused)
    }

    @Test(.enabled(if: NghttpdPeer.isAvailable))
    func priorKnowledgeNeedsNoTLS() async throws {
        let nghttpd = try await NghttpdPeer.start(tls: false)
        defer { nghttpd.stop() }
        let client = try client(.http2PriorKnowledge)
        for _ in 0..<3 {
            let answer = try await client.fetch(nghttpd.url())
            #expect(answer.text == "hello, world\n")
            #expect(answer.metrics.httpVersion == "2")
        }
        let answers = try await burst(10, client, nghttpd.url("/1m.bin"))
        #expect(answers.allSatisfy { $0.bytes == NginxPeer.megabyte })
    }

    @Test(
        "Streams of a connection to a refused address are only opened for transfers that may use it",
        .enabled(if: NginxPeer.isAvailable)
    )
    func connectionToRefusedAddressIsNotShared() async throws {
        let url = try await NginxPeer.shared().url(.https)
        let client = try client()
        let limited = try PeerClient.options {
            $0.httpVersion = .http2
            $0.addressScope = .publicOnly
        }
        _ = try await client.fetch(url)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<30 {
                group.addTask {
                    if number % 3 == 0 {
                        let error = await client.failure(url, options: limited)
                        #expect(error?.code == .addressRefused, "\(error as Any)")
                    } else {
                        let answer = try await client.fetch(url)
                        #expect(answer.metrics.httpVersion == "2")
                    }
                }
            }
            try await group.waitForAll()
        }
        // The connection is as good as before.
        #expect(try await client.fetch(url).metrics.isConnectionReused)
    }

    @Test(.enabled(if: FaultyHTTP2Peer.isAvailable))
    func refusedStreamIsRetried() async throws {
        let peer = try await FaultyHTTP2Peer.shared()
        let answer = try await client().fetch(peer.url("/refused-once?key=client"))
        #expect(answer.bytes.count == 10_000)
    }
}

/// Bytes in pieces of an odd size.
struct OddPieces: AsyncSequence, Sendable {
    typealias Element = [UInt8]
    private let bytes: [UInt8]

    init(of bytes: [UInt8]) { self.bytes = bytes }

    func makeAsyncIterator() -> Iterator { Iterator(rest: bytes[...]) }

    struct Iterator: AsyncIteratorProtocol {
        var rest: ArraySlice<UInt8>

        mutating func next() async -> [UInt8]? {
            let chunk = rest.prefix(9_999)
            rest = rest.dropFirst(9_999)
            return chunk.isEmpty ? nil : Array(chunk)
        }
    }
}
