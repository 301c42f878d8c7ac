internal import TestSupport
internal import Testing

/// Checks the peers with the `curl` command. Each must do what the tests of the client need.
@Suite(.enabled(if: Curl.isAvailable && Certificates.isAvailable), .timeLimit(.minutes(10)))
struct PeerTests {
    private func authority() throws -> String { try Certificates.shared().authority }

    @Test(.enabled(if: NginxPeer.isAvailable))
    func nginxServesEachVersionAndRejectsUntrusted() async throws {
        let nginx = try await NginxPeer.shared()
        let (ca, connection) = (try authority(), "/connection")
        #expect(try await Curl.run(nginx.url(.http)).output == "hello, world\n")
        let http2 = try await Curl.run("--cacert", ca, nginx.url(.https, connection)).output
        #expect(http2.hasPrefix("HTTP/2.0 TLSv1.3"))
        let http1 = try await Curl.run("--cacert", ca, nginx.url(.http1Only, connection)).output
        #expect(http1.hasPrefix("HTTP/1.1 TLSv1.3"))
        let tls12 = try await Curl.run("--cacert", ca, nginx.url(.tls12, connection)).output
        #expect(tls12.hasPrefix("HTTP/2.0 TLSv1.2"))
        for port in [NginxPeer.Port.expired, .notYetValid, .otherHost, .selfSigned] {
            #expect(try await Curl.run("--cacert", ca, nginx.url(port)).status == 60)
        }
        let pin = nginx.certificates.serverPin
        let pinned = ["--cacert", ca, "--pinnedpubkey", pin]
        #expect(try await Curl.run(pinned[0], ca, pinned[2], pin, nginx.url(.https)).status == 0)
        let wrong = "sha256//" + String(repeating: "A", count: 43) + "="
        let refused = try await Curl.run("--cacert", ca, pinned[2], wrong, nginx.url(.https))
        #expect(refused.status == 90)
    }

    @Test(.enabled(if: NginxPeer.isAvailable))
    func nginxAuthenticatesClientCertificate() async throws {
        let nginx = try await NginxPeer.shared()
        let (ca, client) = (try authority(), nginx.certificates.client)
        let url = nginx.url(.clientCertificate, "/client")
        #expect(try await Curl.run("--cacert", ca, url).output.contains("400"))
        let identity = ["--cert", client.certificate, "--key", client.key]
        let known = try await Curl.run(
            "--cacert",
            ca,
            identity[0],
            identity[1],
            identity[2],
            identity[3],
            url
        )
        #expect(known.output == "SUCCESS CN=Test Client\n")
    }

    @Test(.enabled(if: NginxPeer.isAvailable))
    func nginxCompressesServesLargeFilesAndProxies() async throws {
        let server = try LoopbackServer { .text("behind \($0.target)") }
        let nginx = try await NginxPeer.start(upstream: server.url)
        let gzip = try await Curl.run("-D-", "--compressed", nginx.url(.http, "/gzip/hello.txt"))
        #expect(gzip.output.contains("Content-Encoding: gzip"))
        #expect(gzip.output.hasSuffix("hello, world\n"))
        try nginx.makeFile("big", zeros: 300_000_000)
        let big = try await Curl.run("-o/dev/null", "-w%{size_download}", nginx.url(.http, "/big"))
        #expect(big.output == "300000000")
        let behind = try await Curl.run(nginx.url(.http, "/upstream/a?b"))
        #expect(behind.output == "behind /a?b")
        nginx.stop()
        #expect(try await Curl.run(nginx.url(.http)).status == 7)
        server.stop()
    }

    @Test(.enabled(if: NghttpdPeer.isAvailable), arguments: [true, false])
    func nghttpdSpeaksHTTP2(tls: Bool) async throws {
        let nghttpd = try await NghttpdPeer.start(tls: tls, ["--trailer=x-end: yes"])
        let version = tls ? "--http2" : "--http2-prior-knowledge"
        let result = try await Curl.run(
            version,
            "--cacert",
            try authority(),
            "-D-",
            nghttpd.url()
        )
        #expect(result.output.contains("HTTP/2 200"))
        #expect(result.output.contains("hello, world"))
        // Whether its trailer is reported depends on the client: this one stops at the content
        // length.
        #expect(result.output.contains("trailer: x-end"))
    }

    @Test(.enabled(if: SquidPeer.isAvailable))
    func squidForwardsAndTunnelsWithCredentials() async throws {
        let server = try LoopbackServer { _ in .text("origin") }
        let open = try await SquidPeer.start()
        let proxied = ["--noproxy", "", "--proxy"]
        let plain = try await Curl.run(proxied[0], proxied[1], proxied[2], open.url, server.url)
        #expect(plain.output == "origin")
        #expect(try await server.request(0).header("Via")?.contains("squid") == true)
        let tunnel = try await Curl.run(
            proxied[0],
            proxied[1],
            "--proxytunnel",
            "--proxy-cacert",
            try authority(),
            proxied[2],
            open.tlsURL,
            server.url
        )
        #expect(tunnel.output == "origin")
        #expect(try await server.request(1).header("Via") == nil)

        let closed = try await SquidPeer.start(user: "u", password: "p:w")
        let stranger = try await Curl.run(
            proxied[0],
            proxied[1],
            proxied[2],
            closed.url,
            "-o/dev/null",
            "-w%{http_code}",
            server.url
        )
        #expect(stranger.output == "407")
        let known = try await Curl.run(
            proxied[0],
            proxied[1],
            "--proxy-user",
            "u:p:w",
            proxied[2],
            closed.url,
            server.url
        )
        #expect(known.output == "origin")
        server.stop()
    }

    @Test(.enabled(if: SOCKSPeer.isAvailable))
    func socksProxyAuthenticates() async throws {
        let server = try LoopbackServer { _ in .text("origin") }
        let open = try await SOCKSPeer.start()
        let proxy = "socks5h://127.0.0.1:\(open.port)"
        #expect(try await Curl.run("--noproxy", "", "-x", proxy, server.url).output == "origin")
        #expect(try await open.connected().contains(":\(server.port)"))
        let closed = try await SOCKSPeer.start(user: "u", password: "p")
        let stranger = "socks5h://127.0.0.1:\(closed.port)"
        #expect(try await Curl.run("--noproxy", "", "-x", stranger, server.url).status == 97)
        let known = "socks5h://u:p@127.0.0.1:\(closed.port)"
        #expect(try await Curl.run("--noproxy", "", "-x", known, server.url).output == "origin")
        server.stop()
    }

    @Test(.enabled(if: OpenSSLPeer.isAvailable))
    func opensslReportsSession() async throws {
        let peer = try await OpenSSLPeer.start(["-tls1_2"])
        let page = try await Curl.run("--cacert", try authority(), peer.url).output
        #expect(page.contains("TLSv1.2"))
    }

    @Test(.enabled(if: HTTPBinPeer.isAvailable))
    func httpbinAnswers() async throws {
        let httpbin = try await HTTPBinPeer.shared()
        let answer = try await Curl.run(httpbin.url("/get?a=b")).output
        #expect(answer.filter { !$0.isWhitespace }.contains("\"args\":{\"a\":\"b\"}"))
        let parts = try await Curl.run(httpbin.url("/stream/5")).output
        #expect(parts.split(separator: "\n").count == 5)
    }
}
