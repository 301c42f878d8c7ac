internal import Curl
internal import CurlTransport
internal import HTTPTypes
internal import TestSupport
internal import Testing

/// Bytes after the end of a response must not become the next response.
@Suite(.timeLimit(.minutes(10))) struct UnsolicitedBytesTests {
    private static let forged = LoopbackServer.forgedResponse

    private static let endings = LoopbackServer.completeResponses

    @Test(
        "Bytes that arrive together with a response aren't delivered",
        arguments: [
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 99\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "5\r\nhello\r\n0\r\n\r\n",
            "HTTP/1.1 204 None\r\n\r\n", "HTTP/1.1 304 Same\r\nContent-Length: 10\r\n\r\n",
        ]
    )
    func unsolicitedBytesBehindBodyAreNotDelivered(_ response: String) async throws {
        let truth: [Step] = [
            .readHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ntrue"),
        ]
        // libcurl closes the connection or discards what it has read beyond the response.
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

    /// Sends two requests, the second after the forged response has arrived.
    private func expectTruth(
        from server: LoopbackServer,
        url: String,
        response: String,
        gate: Gate,
        method: HTTPRequest.Method = .get,
        secondMethod: HTTPRequest.Method = .get,
        _ configure: (inout TransferOptions) -> Void = { _ in }
    ) async throws {
        let client = try HTTPClient()
        var options = TransferOptions.patient
        configure(&options)
        let first = try await client.send(HTTPRequest(method: method, url: url), options: options)
        let body = try await first.body.collect(upTo: 100)
        let expected = method == .head || !response.contains("hello") ? "" : "hello"
        #expect(body == Array(expected.utf8))
        gate.open()
        try await server.forgedResponseArrived(behind: response)
        let second = try await client.send(
            HTTPRequest(method: secondMethod, url: url),
            body: secondMethod == .post ? .bytes([1, 2, 3]) : .none,
            options: options
        )
        #expect(try await second.body.collect(upTo: 100) == Array("true".utf8))
        #expect(server.acceptedConnectionCount == 2)
        await client.shutdown()
    }

    @Test("A connection is not reused when bytes arrive after its response", arguments: endings)
    func laterUnsolicitedBytesCloseConnection(_ response: String) async throws {
        let gate = Gate()
        let server = try LoopbackServer.forging(behind: response, at: gate)
        try await expectTruth(from: server, url: server.url, response: response, gate: gate)
    }

    @Test("A POST uses a new connection when the idle one has unread bytes")
    func unsolicitedBytesSendPostOverNewConnection() async throws {
        let gate = Gate()
        let server = try LoopbackServer.forging(behind: Self.endings[0], at: gate)
        try await expectTruth(
            from: server,
            url: server.url,
            response: Self.endings[0],
            gate: gate,
            secondMethod: .post
        )
        #expect(server.requests.filter { $0.method == "POST" }.count == 1)
    }

    @Test("A connection is not reused when bytes arrive after a response to HEAD")
    func unsolicitedBytesBehindHeadCloseConnection() async throws {
        let gate = Gate()
        let response = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"
        let server = try LoopbackServer.forging(behind: response, at: gate)
        try await expectTruth(
            from: server,
            url: server.url,
            response: response,
            gate: gate,
            method: .head
        )
    }

    @Test("A proxy connection is not reused when bytes arrive after its response")
    func unsolicitedBytesFromProxyCloseConnection() async throws {
        let gate = Gate()
        let proxy = try LoopbackServer.forging(behind: Self.endings[0], at: gate)
        try await expectTruth(
            from: proxy,
            url: "http://origin.test/",
            response: Self.endings[0],
            gate: gate
        ) { $0.proxy = .server(ProxyServer(.http, host: "127.0.0.1", port: proxy.port)) }
    }

    @Test("A Unix socket connection is not reused when bytes arrive after its response")
    func unsolicitedBytesOnUnixSocketCloseConnection() async throws {
        let folder = try TemporaryDirectory()
        let path = folder.path + "/server"
        var options = ServerOptions()
        options.address = .unix(path: path)
        let gate = Gate()
        let server = try LoopbackServer.forging(
            behind: Self.endings[0],
            at: gate,
            options: options
        )
        try await expectTruth(
            from: server,
            url: server.url,
            response: Self.endings[0],
            gate: gate
        ) { $0.unixSocket = .path(path) }
    }

    @Test(
        "A TLS connection is not reused when bytes arrive after its response",
        .enabled(if: TLSRelayPeer.isAvailable),
        arguments: [false, true]
    )
    func unsolicitedBytesOverTLSCloseConnection(isInOneRecord: Bool) async throws {
        let gate = Gate()
        // In one record, the bytes that libcurl doesn't read stay in the TLS library.
        let response = Self.endings[0] + (isInOneRecord ? Self.forged : "")
        let server = try LoopbackServer.forging(behind: response, at: gate)
        let relay = try await TLSRelayPeer.start(port: server.port)
        let url = "https://localhost:\(relay.port)/"
        let client = try HTTPClient()
        var options = TransferOptions.patient
        options.tls.trustRoots = .file(relay.certificates.authority)
        options.httpVersion = .http1
        let first = try await client.send(HTTPRequest(url: url), options: options)
        #expect(try await first.body.collect(upTo: 100) == Array("hello".utf8))
        gate.open()
        // The relay forwards bytes in order: answers on another connection arrive later.
        try await server.sent(Self.endings[0].utf8.count + Self.forged.utf8.count)
        var other = options
        other.reusesConnection = false
        for _ in 0..<3 {
            let beside = try await client.send(HTTPRequest(url: url), options: other)
            #expect(try await beside.body.collect(upTo: 100) == Array("true".utf8))
        }
        let count = server.acceptedConnectionCount
        let second = try await client.send(HTTPRequest(url: url), options: options)
        #expect(try await second.body.collect(upTo: 100) == Array("true".utf8))
        #expect(server.acceptedConnectionCount == count + 1)
        await client.shutdown()
    }

    @Test(
        "A connection isn't reused when bytes follow an HTTP/1 response that claims HTTP/2",
        .enabled(if: TLSRelayPeer.isAvailable)
    )
    func unsolicitedBytesBehindFalseVersionCloseConnection() async throws {
        let gate = Gate()
        let response = "HTTP/2 200 OK\r\nContent-Length: 5\r\n\r\nhello"
        let server = try LoopbackServer.forging(behind: response, at: gate)
        let relay = try await TLSRelayPeer.start(port: server.port, protocols: ["http/1.1"])
        let url = "https://localhost:\(relay.port)/"
        let client = try HTTPClient()
        var options = TransferOptions.patient
        options.tls.trustRoots = .file(relay.certificates.authority)
        options.httpVersion = .http2
        let request = try HTTPRequest(url: url)
        guard !CurlVersion.current.isAtLeast(8, 14) else {
            // It refuses such a response.
            let error = await #expect(throws: TransportError.self) {
                try await client.send(request, options: options)
            }
            #expect(error?.code == .invalidResponse)
            return await client.shutdown()
        }
        let first = try await client.send(request, options: options)
        #expect(try await first.body.collect(upTo: 100) == Array("hello".utf8))
        gate.open()
        try await server.sent(response.utf8.count + Self.forged.utf8.count)
        var other = options
        other.reusesConnection = false
        for _ in 0..<3 {
            let beside = try await client.send(HTTPRequest(url: url), options: other)
            #expect(try await beside.body.collect(upTo: 100) == Array("true".utf8))
        }
        let second = try await client.send(HTTPRequest(url: url), options: options)
        #expect(try await second.body.collect(upTo: 100) == Array("true".utf8))
        await client.shutdown()
    }

    /// A server whose first connection sends the head of a response, and its body with the forged
    /// response when the gate opens.
    private static func serverForgingBehindBody(
        of length: Int,
        at gate: Gate
    ) throws -> LoopbackServer {
        let body = String(repeating: "b", count: length)
        let head = "HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\n"
        let truth: [Step] = [
            .readHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ntrue"),
        ]
        return try .scripted { number in
            number > 0
                ? truth + truth + [.stall]
                : [.readHead, .send(head), .waitFor(gate), .send(body + forged)] + truth + [.stall]
        }
    }

    /// Sends two requests through a proxy. The second is sent after the first body has ended.
    private func expectTruth(
        behindBodyOf length: Int,
        at gate: Gate,
        url: String,
        options: TransferOptions
    ) async throws {
        let client = try HTTPClient()
        let first = try await client.send(HTTPRequest(url: url), options: options)
        gate.open()
        let body = try await first.body.collect(upTo: length)
        #expect(body.count == length && body.allSatisfy { $0 == UInt8(ascii: "b") })
        for _ in 0..<2 {
            let next = try await client.send(HTTPRequest(url: url), options: options)
            #expect(try await next.body.collect(upTo: 100) == Array("true".utf8))
        }
        await client.shutdown()
    }

    @Test(
        "An HTTPS proxy's connection isn't reused when bytes follow a body in the same record",
        .enabled(if: TLSRelayPeer.isAvailable && CurlVersion.current.supportsHTTPSProxy)
    )
    func unsolicitedBytesInRecordOfHTTPSProxyCloseConnection() async throws {
        let gate = Gate()
        let server = try Self.serverForgingBehindBody(of: 5, at: gate)
        let relay = try await TLSRelayPeer.start(port: server.port, protocols: ["http/1.1"])
        var proxy = ProxyServer(.https, host: "localhost", port: relay.port)
        proxy.tls.trustRoots = .file(relay.certificates.authority)
        var options = TransferOptions.patient
        options.proxy = .server(proxy)
        try await expectTruth(
            behindBodyOf: 5,
            at: gate,
            url: "http://origin.test/",
            options: options
        )
    }

    /// Options for a server over TLS behind a proxy over TLS.
    private static func options(to relay: TLSRelayPeer, through squid: SquidPeer) -> TransferOptions
    {
        var proxy = ProxyServer(.https, host: "localhost", port: squid.tlsPort)
        proxy.tls.trustRoots = .file(squid.certificates.authority)
        var options = TransferOptions.patient
        options.tls.trustRoots = .file(relay.certificates.authority)
        options.proxy = .server(proxy)
        return options
    }

    /// The body fills a record. The forged response is in the next one, which the proxy sends in a
    /// record of its own TLS together with the end of the first.
    @Test(
        "A forged response in the TLS layer of an HTTPS proxy isn't delivered",
        .enabled(
            if: TLSRelayPeer.isAvailable && SquidPeer.isAvailable
                && CurlVersion.current.supportsHTTPSProxy
        )
    )
    func unsolicitedBytesInTwoLayersOfTLSAreNotDelivered() async throws {
        let gate = Gate()
        let server = try Self.serverForgingBehindBody(of: 1 << 14, at: gate)
        let relay = try await TLSRelayPeer.start(port: server.port, protocols: ["http/1.1"])
        let squid = try await SquidPeer.start()
        defer { squid.stop() }
        var options = Self.options(to: relay, through: squid)
        options.httpVersion = .http1
        try await expectTruth(
            behindBodyOf: 1 << 14,
            at: gate,
            url: "https://localhost:\(relay.port)/",
            options: options
        )
    }

    @Test(
        "A challenge behind an HTTPS proxy is answered on the same connection",
        .enabled(
            if: TLSRelayPeer.isAvailable && SquidPeer.isAvailable
                && CurlVersion.current.supportsHTTPSProxy
        )
    )
    func challengeBehindHTTPSProxyIsAnswered() async throws {
        let server = try LoopbackServer { request in
            guard request.header("Authorization") == nil else { return .text("in") }
            return Reply.status(401)
                .header("WWW-Authenticate", #"Digest realm="r", nonce="n", qop="auth""#)
        }
        let relay = try await TLSRelayPeer.start(port: server.port, protocols: ["http/1.1"])
        let squid = try await SquidPeer.start()
        defer { squid.stop() }
        var options = Self.options(to: relay, through: squid)
        options.authentication = .digest(user: "u", password: "p")
        let client = try HTTPClient()
        for number in 1...2 {
            let request = try HTTPRequest(url: "https://localhost:\(relay.port)/")
            let response = try await client.send(request, options: options)
            #expect(try await response.body.collect(upTo: 100) == Array("in".utf8))
            #expect(server.acceptedConnectionCount == number)
        }
        await client.shutdown()
    }

    @Test(
        "A server that is an exception of an HTTPS proxy keeps its connection",
        .enabled(if: TLSRelayPeer.isAvailable && CurlVersion.current.supportsHTTPSProxy)
    )
    func exceptionOfHTTPSProxyKeepsItsConnection() async throws {
        let server = try LoopbackServer { .text($0.target) }
        let relay = try await TLSRelayPeer.start(port: server.port, protocols: ["http/1.1"])
        var options = TransferOptions.patient
        options.tls.trustRoots = .file(relay.certificates.authority)
        let unused = try LoopbackServer.unusedPort()
        options.proxy = .server(
            ProxyServer(.https, host: "localhost", port: unused),
            exceptions: ["localhost"]
        )
        let client = try HTTPClient()
        for number in 0..<3 {
            let request = try HTTPRequest(url: "https://localhost:\(relay.port)/\(number)")
            let response = try await client.send(request, options: options)
            #expect(try await response.body.collect(upTo: 100) == Array("/\(number)".utf8))
        }
        #expect(server.acceptedConnectionCount == 1)
        await client.shutdown()
    }

    @Test("A connection without unread bytes serves the next request")
    func cleanConnectionIsReused() async throws {
        let server = try LoopbackServer { .text($0.target) }
        let client = try HTTPClient()
        for number in 0..<50 {
            let response = try await client.send(HTTPRequest(url: "\(server.url)/\(number)"))
            #expect(try await response.body.collect(upTo: 100) == Array("/\(number)".utf8))
        }
        #expect(server.acceptedConnectionCount == 1)
        await client.shutdown()
    }
}
