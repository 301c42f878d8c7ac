import HTTPTypes
import TestSupport
import Testing

@testable import CurlTransport

/// Requests through squid, microsocks and a small SOCKS4 proxy.
@Suite(.timeLimit(.minutes(10)))
struct ProxyTests {
    private static let secret = "s3cret"

    private func client(_ proxy: ProxyServer, except exceptions: [String] = []) throws -> PeerClient
    {
        try PeerClient {
            $0.proxy = .server(proxy, exceptions: exceptions)
            // libcurl sends only the first address of a name to a SOCKS5 proxy. For localhost that
            // is ::1 since 8.2.1, and the tests' servers refuse connections to it.
            $0.addressFamily = .ipv4
        }
    }

    private func squid(_ squid: SquidPeer, user: String? = nil, password: String = "")
        -> ProxyServer
    {
        let credentials = user.map { Credentials(user: $0, password: password) }
        return ProxyServer(.http, host: "127.0.0.1", port: squid.port, credentials: credentials)
    }

    // MARK: HTTP

    @Test(.enabled(if: SquidPeer.isAvailable))
    func plainRequestIsForwardedByProxy() async throws {
        let server = try LoopbackServer { _ in .text("origin") }
        defer { server.stop() }
        let squid = try await SquidPeer.start()
        defer { squid.stop() }
        let answer = try await client(self.squid(squid)).fetch(server.url + "/path?query")
        #expect(answer.text == "origin")
        #expect(answer.metrics.remotePort == squid.port)
        let request = try await server.request(0)
        #expect(request.header("Via")?.contains("squid") == true)
        #expect(request.target == "/path?query")
    }

    @Test(.enabled(if: SquidPeer.isAvailable && NginxPeer.isAvailable))
    func secureRequestUsesTunnel() async throws {
        let nginx = try await NginxPeer.shared()
        let squid = try await SquidPeer.start()
        defer { squid.stop() }
        let client = try client(self.squid(squid))
        let answer = try await client.fetch(nginx.url(.https, "/connection"))
        #expect(answer.status == 200)
        #expect(answer.metrics.remotePort == squid.port)
        #expect(answer.metrics.tlsVersion == "TLSv1.3")
        #expect(await client.failure(nginx.url(.selfSigned))?.code == .certificateUntrusted)
    }

    @Test(.enabled(if: SquidPeer.isAvailable && NginxPeer.isAvailable))
    func proxyChallengeIsAnswered() async throws {
        let server = try LoopbackServer { _ in .text("origin") }
        defer { server.stop() }
        let nginx = try await NginxPeer.shared()
        let squid = try await SquidPeer.start(user: "u", password: Self.secret)
        defer { squid.stop() }
        var known = self.squid(squid, user: "u", password: Self.secret)
        #expect(try await client(known).fetch(server.url).text == "origin")
        #expect(try await client(known).fetch(nginx.url(.https)).text == "hello, world\n")
        known.alwaysTunnels = true
        #expect(try await client(known).fetch(server.url).text == "origin")
        #expect(server.requestCount == 2)
        for request in server.requests {
            #expect(request.header("Proxy-Authorization") == nil)
            #expect(request.header("Authorization") == nil)
        }

        var wrong = self.squid(squid, user: "u", password: "wr0ng")
        for proxy in [wrong, self.squid(squid)] {
            let refused = await (try client(proxy)).failure(nginx.url(.https))
            #expect(refused?.code == .proxyRefused)
            #expect(refused.map { "\($0)" }?.contains("407") == true)
            #expect(refused.map { "\($0)" }?.contains("wr0ng") == false)
        }
        // Without a tunnel, the proxy's answer is the response.
        #expect(try await client(wrong).fetch(server.url).status == 407)
        wrong.alwaysTunnels = true
        #expect(await (try client(wrong)).failure(server.url)?.code == .proxyRefused)
        #expect(server.requestCount == 2)
    }

    @Test(.enabled(if: SquidPeer.isAvailable))
    func proxyIsReachedOverTLS() async throws {
        let server = try LoopbackServer { _ in .text("origin") }
        defer { server.stop() }
        let squid = try await SquidPeer.start()
        defer { squid.stop() }
        var proxy = ProxyServer(.https, host: "localhost", port: squid.tlsPort)
        let untrusted = await (try client(proxy)).failure(server.url)
        #expect(untrusted?.isTLS == true, "\(untrusted.map { "\($0)" } ?? "none")")
        #expect(server.acceptedConnectionCount == 0)
        proxy.tls.trustRoots = .file(squid.certificates.authority)
        #expect(try await client(proxy).fetch(server.url).text == "origin")
        proxy.alwaysTunnels = true
        #expect(try await client(proxy).fetch(server.url).text == "origin")
    }

    @Test(.enabled(if: SquidPeer.isAvailable))
    func proxyExceptionsConnectDirectly() async throws {
        let server = try LoopbackServer { _ in .text("origin") }
        defer { server.stop() }
        let squid = try await SquidPeer.start()
        defer { squid.stop() }
        for exceptions in [["127.0.0.1"], ["*"], ["example.org", "127.0.0.0/8"]] {
            let client = try client(self.squid(squid), except: exceptions)
            #expect(try await client.fetch(server.url).metrics.remotePort == server.port)
        }
        let other = try client(self.squid(squid), except: ["example.org"])
        #expect(try await other.fetch(server.url).metrics.remotePort == squid.port)
    }

    @Test(.enabled(if: SquidPeer.isAvailable && NginxPeer.isAvailable))
    func environmentProxyIsUsedOnlyIfConfigured() async throws {
        let server = try LoopbackServer { _ in .text("origin") }
        defer { server.stop() }
        let nginx = try await NginxPeer.shared()
        let squid = try await SquidPeer.start(user: "u", password: Self.secret)
        defer { squid.stop() }
        let address = "http://u:\(Self.secret)@127.0.0.1:\(squid.port)"
        let client = try PeerClient()
        func fetch(
            _ url: String,
            _ policy: ProxyPolicy,
            _ variables: [String: String]
        ) async throws -> Int? {
            let options = try PreparedOptions(
                PeerClient.options { $0.proxy = policy },
                environment: { variables[$0] }
            )
            let response = try await client.client.send(HTTPRequest(url: url), options: options)
            #expect(response.status == .ok)
            _ = try await response.body.collect(upTo: 1_000)
            return response.metrics?.remotePort
        }
        let secure = nginx.url(.https)
        #expect(try await fetch(server.url, .environment, ["http_proxy": address]) == squid.port)
        #expect(try await fetch(secure, .environment, ["HTTPS_PROXY": address]) == squid.port)
        #expect(try await fetch(secure, .environment, ["all_proxy": address]) == squid.port)
        let exception = ["http_proxy": address, "no_proxy": "127.0.0.1"]
        #expect(try await fetch(server.url, .environment, exception) == server.port)
        #expect(try await fetch(server.url, .environment, ["HTTP_PROXY": address]) == server.port)
        #expect(try await fetch(server.url, .none, ["http_proxy": address]) == server.port)
    }

    // MARK: SOCKS

    @Test(.enabled(if: SOCKSPeer.isAvailable), arguments: [ProxyServer.Kind.socks5, .socks5h])
    func socks5ProxyAuthenticates(kind: ProxyServer.Kind) async throws {
        let server = try LoopbackServer { _ in .text("origin") }
        defer { server.stop() }
        let url = "http://localhost:\(server.port)/"
        let open = try await SOCKSPeer.start()
        defer { open.stop() }
        let direct = ProxyServer(kind, host: "127.0.0.1", port: open.port)
        #expect(try await client(direct).fetch(url).text == "origin")
        // With `socks5` the client resolves the name, with `socks5h` the proxy does.
        let name = kind == .socks5h ? "localhost" : "127.0.0.1"
        #expect(try await open.connected().contains("connected to \(name):\(server.port)"))

        let closed = try await SOCKSPeer.start(user: "u", password: Self.secret)
        defer { closed.stop() }
        let right = Credentials(user: "u", password: Self.secret)
        let known = ProxyServer(kind, host: "127.0.0.1", port: closed.port, credentials: right)
        #expect(try await client(known).fetch(url).text == "origin")
        for credentials in [nil, Credentials(user: "u", password: "wr0ng")] {
            let proxy = ProxyServer(
                kind,
                host: "127.0.0.1",
                port: closed.port,
                credentials: credentials
            )
            let error = try #require(await (try client(proxy)).failure(url))
            #expect(error.code == .proxyFailed)
            #expect(!"\(error)".contains("wr0ng"))
        }
        #expect(server.requestCount == 2)
        #expect(server.requests.allSatisfy { $0.header("Authorization") == nil })
    }

    @Test(.enabled(if: SOCKS4Peer.isAvailable), arguments: [ProxyServer.Kind.socks4, .socks4a])
    func socks4ProxyConnects(kind: ProxyServer.Kind) async throws {
        let server = try LoopbackServer { _ in .text("origin") }
        defer { server.stop() }
        let peer = try await SOCKS4Peer.start()
        defer { peer.stop() }
        let proxy = ProxyServer(kind, host: "127.0.0.1", port: peer.port)
        let answer = try await client(proxy).fetch("http://localhost:\(server.port)/")
        #expect(answer.text == "origin")
        let name = kind == .socks4a ? "localhost" : "127.0.0.1"
        #expect(try await peer.connected().contains("connect \(name):\(server.port)"))
        let nowhere = "http://127.0.0.1:\(try LoopbackServer.unusedPort())/"
        #expect(await (try client(proxy)).failure(nowhere)?.code == .proxyFailed)
    }

    // MARK: Missing proxies

    @Test(arguments: [ProxyServer.Kind.http, .https, .socks5h])
    func unreachableProxyIsNamedInError(kind: ProxyServer.Kind) async throws {
        let server = try LoopbackServer { _ in .text("origin") }
        defer { server.stop() }
        let credentials = Credentials(user: "u", password: Self.secret)
        let absent = ProxyServer(
            kind,
            host: "127.0.0.1",
            port: try LoopbackServer.unusedPort(),
            credentials: credentials
        )
        let refused = try #require(await (try client(absent)).failure(server.url))
        #expect(refused.code == .connectRefused || refused.code == .proxyFailed)
        #expect(refused.isConnectivity && refused.message.contains("proxy"), "\(refused)")
        #expect(!"\(refused)".contains(Self.secret))
        #expect(server.acceptedConnectionCount == 0)
    }

    @Test func unresolvedProxyIsNamedInError() async throws {
        let server = try LoopbackServer { _ in .text("origin") }
        defer { server.stop() }
        let unknown = ProxyServer(.http, host: "proxy.invalid", port: 3128)
        let error = await (try client(unknown)).failure(server.url)
        #expect(error?.code == .proxyNotFound)
    }
}
