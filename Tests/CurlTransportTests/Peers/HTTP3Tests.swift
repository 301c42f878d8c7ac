import CurlTransport
import HTTPTypes
import TestSupport
import Testing

@testable import Curl
@testable import Posix

/// HTTP/3 with nginx as the server, if libcurl and nginx support it.
@Suite(
    .enabled(if: HTTPVersionPolicy.offersHTTP3 && NginxPeer.speaksHTTP3),
    .timeLimit(.minutes(10))
)
struct HTTP3Tests {
    private func client(
        _ change: (inout TransferOptions) -> Void = { _ in }
    ) throws -> PeerClient {
        try PeerClient {
            $0.httpVersion = .http3
            // On a busy machine a TCP connection could be faster.
            $0.happyEyeballsDelay = .seconds(50)
            change(&$0)
        }
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

    @Test("A request goes over HTTP/3, and its metrics say so")
    func requestGoesOverHTTP3() async throws {
        let nginx = try await NginxPeer.shared()
        let answer = try await client().fetch(nginx.url(.http3, "/connection"))
        #expect(answer.text.hasPrefix("HTTP/3.0 TLSv1.3 "))
        let metrics = answer.metrics
        #expect(metrics.httpVersion == "3" && metrics.tlsVersion == "TLSv1.3")
        #expect(metrics.remotePort == nginx.port(.http3) && !metrics.isConnectionReused)
        #expect(metrics.connect != nil && metrics.firstByte != nil)
    }

    @Test("Sequential requests share one HTTP/3 connection")
    func sequentialRequestsUseOneConnection() async throws {
        let nginx = try await NginxPeer.shared()
        let client = try client()
        for number in 0..<5 {
            let answer = try await client.fetch(nginx.url(.http3))
            #expect(answer.text == "hello, world\n" && answer.metrics.httpVersion == "3")
            #expect(answer.metrics.isConnectionReused == (number > 0))
        }
    }

    @Test("Concurrent requests share one HTTP/3 connection")
    func burstSharesOneConnection() async throws {
        let nginx = try await NginxPeer.shared()
        try await allowingLostStreams {
            let answers = try await burst(50, client(), nginx.url(.http3, "/1m.bin"))
            #expect(answers.allSatisfy { $0.bytes == NginxPeer.megabyte })
            #expect(answers.allSatisfy { $0.metrics.httpVersion == "3" })
            #expect(answers.filter { !$0.metrics.isConnectionReused }.count == 1)
        }
    }

    @Test("Bodies of every kind arrive complete in both directions")
    func bodiesGoBothWays() async throws {
        let body = Array(repeatElement(NginxPeer.megabyte, count: 3).joined()).dropLast(7)
        let bytes = Array(body)
        let server = try LoopbackServer { .text($0.body == bytes ? "the same" : "another") }
        defer { server.stop() }
        let nginx = try await NginxPeer.start(upstream: server.url)
        defer { nginx.stop() }
        let client = try client()
        let bodies: [RequestBody] = [
            .bytes(bytes), .stream(length: Int64(bytes.count), OddPieces(of: bytes)),
            .stream(OddPieces(of: bytes)),
        ]
        try nginx.makeFile("large.bin", bytes)
        try await allowingLostStreams {
            for body in bodies {
                let answer = try await client.fetch(
                    nginx.url(.http3, "/upstream/"),
                    method: .post,
                    body: body
                )
                #expect(answer.text == "the same" && answer.metrics.httpVersion == "3")
            }
            let answer = try await client.fetch(nginx.url(.http3, "/large.bin"))
            #expect(answer.bytes == bytes && answer.metrics.httpVersion == "3")
        }
    }

    /// OpenSSL's QUIC sometimes stops reading a connection with a paused stream.
    @Test(
        "A body that isn't read doesn't block other streams",
        .enabled(if: !CurlVersion.current.usesOpenSSLQUIC)
    )
    func unreadBodyDoesNotHoldUpOtherStreams() async throws {
        let nginx = try await NginxPeer.start()
        defer { nginx.stop() }
        try nginx.makeFile("zeros.bin", zeros: 20_000_000)
        let client = try client()
        let request = try HTTPRequest(url: nginx.url(.http3, "/zeros.bin"))
        let unread = try await client.client.send(request)
        for _ in 0..<3 {
            let answer = try await client.fetch(nginx.url(.http3, "/1m.bin"))
            #expect(answer.bytes == NginxPeer.megabyte && answer.metrics.isConnectionReused)
        }
        #expect(try await unread.body.collect(upTo: 20_000_000).count == 20_000_000)
    }

    @Test("Requests don't stall after earlier requests were cancelled")
    func cancelledRequestsDoNotStallOthers() async throws {
        let nginx = try await NginxPeer.start()
        defer { nginx.stop() }
        try nginx.makeFile("zeros.bin", zeros: 20_000_000)
        let client = try client()
        let request = try HTTPRequest(url: nginx.url(.http3, "/zeros.bin"))
        for _ in 0..<10 {
            let response = try await client.client.send(request)
            var bytes = response.body.makeAsyncIterator()
            _ = try await bytes.next()
        }
        for _ in 0..<3 {
            let answer = try await client.fetch(nginx.url(.http3, "/1m.bin"))
            #expect(answer.bytes == NginxPeer.megabyte && answer.metrics.httpVersion == "3")
        }
    }

    /// With OpenSSL's QUIC such a request sometimes gets no answer.
    @Test(
        "No request is lost when the server closes its connection gracefully",
        .enabled(if: !CurlVersion.current.usesOpenSSLQUIC)
    )
    func serverCloseLosesNoRequest() async throws {
        let nginx = try await NginxPeer.start(keepaliveRequests: 3)
        defer { nginx.stop() }
        let client = try client()
        var connections = 0
        for _ in 0..<10 {
            let answer = try await client.fetch(nginx.url(.http3))
            #expect(answer.text == "hello, world\n" && answer.metrics.httpVersion == "3")
            if !answer.metrics.isConnectionReused { connections += 1 }
        }
        #expect(connections > 1)
    }

    @Test("No request is sent before the handshake is complete")
    func nothingIsSentBeforeTheHandshakeIsDone() async throws {
        let nginx = try await NginxPeer.shared()
        let client = try client { $0.reusesConnection = false }
        for _ in 0..<3 {
            let answer = try await client.fetch(nginx.url(.http3, "/early"))
            #expect(answer.metrics.httpVersion == "3" && !answer.metrics.isConnectionReused)
            #expect(!answer.text.contains("1"))
        }
    }

    // MARK: Trust

    @Test("A certificate of an unknown authority, other host or other key is refused")
    func untrustedServersAreRefused() async throws {
        let nginx = try await NginxPeer.shared()
        let url = nginx.url(.http3)
        let wrongPin = String(repeating: "A", count: 43) + "="
        let unknown = try client { $0.tls.trustRoots = .system }
        #expect(await unknown.failure(url)?.code == .certificateUntrusted)
        // The error of the first address counts, and nginx listens on the IPv4 address only.
        let pinned = try client {
            $0.tls.publicKeyPins = [wrongPin]
            $0.addressFamily = .ipv4
        }
        #expect(await pinned.failure(url)?.code == .pinMismatch)
        let other = try client {
            let port = nginx.port(.http3)
            $0.resolve = [
                ResolveOverride(host: "other.test", port: port, addresses: ["127.0.0.1"])
            ]
        }
        let error = await other.failure("https://other.test:\(nginx.port(.http3))/")
        #expect(error?.code == .certificateHostname)
        let pin = nginx.certificates.serverPin
        let right = try client { $0.tls.publicKeyPins = [pin] }
        #expect(try await right.fetch(url).metrics.httpVersion == "3")
    }

    // MARK: Fallback

    @Test("A request falls back to an earlier version when the UDP port is closed")
    func closedUDPPortFallsBack() async throws {
        let nginx = try await NginxPeer.shared()
        let client = try client()
        for (port, version) in [(NginxPeer.Port.https, "2"), (.http1Only, "1.1")] {
            let answer = try await client.fetch(nginx.url(port))
            #expect(answer.text == "hello, world\n" && answer.metrics.httpVersion == version)
        }
    }

    @Test("A request falls back to an earlier version when no datagram is answered")
    func silentUDPPortFallsBack() async throws {
        let nginx = try await NginxPeer.start()
        defer { nginx.stop() }
        for (port, version) in [(NginxPeer.Port.https, "2"), (.http1Only, "1.1")] {
            let silent = try SilentUDPPort(nginx.port(port))
            let client = try client { $0.happyEyeballsDelay = nil }
            let answer = try await client.fetch(nginx.url(port))
            #expect(answer.text == "hello, world\n" && answer.metrics.httpVersion == version)
            #expect(silent.hasReceived)
        }
    }

    @Test("A request fails with a connectivity error when UDP and TCP ports are closed")
    func portWithoutAnyListenerIsAnError() async throws {
        let port = try LoopbackServer.unusedPort()
        let error = try #require(await client().failure("https://localhost:\(port)/"))
        #expect(error.isConnectivity && error.bytesSent == 0)
    }

    @Test("The connect timeout ends a request when UDP is silent and TCP is closed")
    func silentServerRunsIntoTheConnectTimeout() async throws {
        let silent = try SilentUDPPort()
        let client = try client { $0.timeouts.connect = .milliseconds(700) }
        let error = try #require(await client.failure("https://127.0.0.1:\(silent.port)/"))
        #expect(error.code == .connectTimeout)
        #expect(silent.hasReceived)
    }

    @Test("Requests to a server without HTTP/3 share one connection")
    func fallbackConnectionIsReused() async throws {
        let nginx = try await NginxPeer.shared()
        let client = try client()
        for number in 0..<3 {
            let answer = try await client.fetch(nginx.url(.https))
            #expect(answer.metrics.httpVersion == "2")
            #expect(answer.metrics.isConnectionReused == (number > 0))
        }
    }
}
