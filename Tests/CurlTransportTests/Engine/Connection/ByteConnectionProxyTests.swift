import CurlTransport
import TestSupport
import Testing

/// Byte connections through proxies; an HTTP proxy always opens a tunnel.
@Suite(.timeLimit(.minutes(10))) struct ByteConnectionProxyTests {
    private func expectEcho(through proxy: ProxyServer) async throws {
        let server = try LoopbackServer.scripted([.converse { [.send($0)] }])
        let rig = try Rig()
        let recorder = ByteRecorder()
        let connection = try rig.connect(server.port, delegate: recorder) {
            $0.proxy = .server(proxy)
        }
        #expect(connection.send(Array("tunnelled".utf8)) == .accepted)
        try await recorder.received("tunnelled")
        #expect(recorder.events == [.open, .bytes])
        connection.close()
        #expect(try await recorder.completion() == nil)
        #expect(recorder.metrics?.remotePort == proxy.port)
        #expect(try await server.connectionClosed(0).bytesReceived == 9)
    }

    @Test(.enabled(if: SquidPeer.isAvailable))
    func connectionGoesThroughHTTPProxyTunnel() async throws {
        let squid = try await SquidPeer.start()
        defer { squid.stop() }
        try await expectEcho(through: ProxyServer(.http, host: "127.0.0.1", port: squid.port))
    }

    @Test(.enabled(if: SquidPeer.isAvailable))
    func httpProxyChallengeIsAnswered() async throws {
        let squid = try await SquidPeer.start(user: "u", password: "p")
        defer { squid.stop() }
        let credentials = Credentials(user: "u", password: "p")
        try await expectEcho(
            through: ProxyServer(
                .http,
                host: "127.0.0.1",
                port: squid.port,
                credentials: credentials
            )
        )
        let rig = try Rig()
        let recorder = ByteRecorder()
        try rig.connect(1, delegate: recorder) {
            $0.proxy = .server(ProxyServer(.http, host: "127.0.0.1", port: squid.port))
        }
        #expect(try await recorder.failure().code == .proxyRefused)
    }

    @Test(.enabled(if: SOCKSPeer.isAvailable))
    func connectionGoesThroughSOCKSProxy() async throws {
        let socks = try await SOCKSPeer.start()
        defer { socks.stop() }
        try await expectEcho(through: ProxyServer(.socks5, host: "127.0.0.1", port: socks.port))
    }

    @Test("A proxy's header line with a NUL is an invalid response")
    func unstorableLineIsTheProxysFault() async throws {
        let proxy = try LoopbackServer.scripted([
            .readHead, .send("HTTP/1.1 200 OK\r\nX-A: a\0b\r\n\r\n"), .stall,
        ])
        let rig = try Rig()
        let recorder = ByteRecorder()
        _ = try rig.connect(9, isSecure: true, delegate: recorder) {
            $0.proxy = .server(ProxyServer(.http, host: "127.0.0.1", port: proxy.port))
            // So libcurl stores the proxy's lines.
            $0.reportsTunnels = true
        }
        #expect(try await recorder.failure().code == .invalidResponse)
    }

    @Test("A proxy's head without end fails the connection")
    func endlessHeadIsAnError() async throws {
        let proxy = try LoopbackServer.scripted([
            .readHead, .send("HTTP/1.1 200 OK\r\n"), .sendRepeating("X-A: b\r\n", times: nil),
        ])
        let rig = try Rig()
        let recorder = ByteRecorder()
        _ = try rig.connect(9, isSecure: true, delegate: recorder) {
            $0.proxy = .server(ProxyServer(.http, host: "127.0.0.1", port: proxy.port))
            $0.reportsTunnels = true
            // Below libcurl's own limits.
            $0.responseHeadLimits.maximumFieldCount = 100
            $0.timeouts.connect = nil
        }
        let failure = try await recorder.failure()
        #expect(failure.code == .responseHeadTooLarge, "\(failure)")
        withExtendedLifetime(rig) {}
    }

    /// A proxy that never answers.
    @Test func pendingTunnelIsCancelled() async throws {
        let proxy = try LoopbackServer.scripted([.readHead, .stall])
        let rig = try Rig()
        let recorder = ByteRecorder()
        let connection = try rig.connect(9, delegate: recorder) {
            $0.proxy = .server(ProxyServer(.http, host: "127.0.0.1", port: proxy.port))
            $0.timeouts.connect = nil
        }
        let request = try await proxy.requestHead(0)
        #expect(request.method == "CONNECT" && request.target == "127.0.0.1:9")
        connection.cancel()
        #expect(try await recorder.failure().code == .cancelled)
        try await proxy.connectionClosed(0)
    }
}
