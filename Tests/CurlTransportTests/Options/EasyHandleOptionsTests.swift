import Curl
import Posix
import Testing

@testable import CurlTransport

/// The installed libcurl accepts the prepared options.
@Suite struct EasyHandleOptionsTests {
    @Test(arguments: [true, false])
    func libcurlAcceptsDefaults(isSecure: Bool) throws {
        try apply(TransferOptions(), isSecure: isSecure)
    }

    @Test(arguments: PreparedOptionsTests.everyAuthentication)
    func libcurlAcceptsCredentials(authentication: Authentication) throws {
        if case .ntlm = authentication, !CurlVersion.current.supportsNTLM { return }
        var options = TransferOptions()
        options.authentication = authentication
        try apply(options, isSecure: true)
    }

    @Test func libcurlAcceptsNegotiate() throws {
        guard CurlVersion.current.supportsNegotiate else { return }
        var options = TransferOptions()
        options.authentication = .negotiate
        try apply(options, isSecure: false)
    }

    @Test(arguments: [
        ProxyServer.Kind.http, .https, .socks4, .socks4a, .socks5, .socks5h,
    ])
    func libcurlAcceptsEveryProxyKind(kind: ProxyServer.Kind) throws {
        if kind == .https, !CurlVersion.current.supportsHTTPSProxy { return }
        var server = ProxyServer(kind, host: "p.example", port: 1)
        server.credentials = Credentials(user: "u", password: "p")
        server.authentication = [.basic, .digest]
        if kind == .http { server.headers = [ProxyHeader(name: "A", value: "")] }
        server.tls.cipherList = "HIGH"
        server.tls.tls13Ciphers = "TLS_AES_256_GCM_SHA384"
        server.tls.publicKeyPins = ["47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="]
        server.tls.clientIdentity = .pkcs12([1])
        var options = TransferOptions()
        options.proxy = .server(server, exceptions: ["a.example"])
        try apply(options, isSecure: false)
    }

    @Test func libcurlAcceptsOtherOptions() throws {
        var options = TransferOptions()
        options.timeouts = Timeouts(connect: nil, total: .seconds(1))
        options.expectContinue = .seconds(1)
        options.maximumReceiveSpeed = .max
        options.maximumSendSpeed = 1
        options.decodesContent = false
        options.resolve = [ResolveOverride(host: "a", port: 1, addresses: ["::1"])]
        options.connectTo = [ConnectOverride(toPort: 1)]
        options.addressFamily = .ipv6
        options.happyEyeballsDelay = .milliseconds(1)
        options.unixSocket = .path("/tmp/s")
        options.localInterface = .name("lo")
        options.localPorts = 1...65535
        options.tcpKeepAlive = TCPKeepAlive(idle: .seconds(1), interval: .milliseconds(1500))
        options.tcpNoDelay = false
        options.tcpFastOpen = true
        options.reusesConnection = false
        options.isVerbose = true
        options.tls.clientIdentity = .pem(
            certificate: Array("-----BEGIN".utf8) + [0x20],
            key: Array("-----BEGIN".utf8) + [0x20]
        )
        options.tls.minimumVersion = .v1_2
        options.tls.maximumVersion = .v1_3
        options.tls.curves = "X25519"
        options.tls.evaluatesServerTrust = true
        try apply(options, isSecure: true)
    }

    private func apply(_ options: TransferOptions, isSecure: Bool) throws {
        let prepared = try PreparedOptions(options)
        let multi = try MultiHandle(callbacks: Silent())
        let easy = try EasyHandle(for: multi)
        try easy.apply(
            prepared,
            isSecure: isSecure,
            sendsCredentials: true,
            waitsForMultiplexing: true
        )
    }
}

private final class Silent: EasyCallbacks, MultiCallbacks {
    func received(headerLine: Span<UInt8>) -> EasyDataAction { .accept }
    func received(body: Span<UInt8>) -> EasyDataAction { .accept }
    func fill(_ output: inout OutputSpan<UInt8>) -> EasyFillAction { .endOfBody }
    func seekRequestBody(to offset: Int64) -> EasySeekAction { .impossible }
    func readyToSend(between ends: ConnectionEnds) -> Bool { true }
    func openedSocket(_ descriptor: Int32) {}
    func logged(_ kind: EasyLogKind, _ bytes: Span<UInt8>) {}
    func watch(_ descriptor: Int32, for interest: SocketInterest?, by multi: Int) {}
    func setTimer(milliseconds: Int?, of multi: Int) {}
    func closeSocket(_ descriptor: Int32) {}
}
