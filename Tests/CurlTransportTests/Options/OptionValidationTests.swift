import Testing

@testable import CurlTransport

/// Each invalid value fails with an error that names only its property.
@Suite struct OptionValidationTests {
    struct BadValue: Sendable, CustomTestStringConvertible {
        let option: String
        let change: @Sendable (inout TransferOptions) -> Void
        var testDescription: String { option }

        init(_ option: String, _ change: @escaping @Sendable (inout TransferOptions) -> Void) {
            self.option = option
            self.change = change
        }
    }

    static let limits: [BadValue] = [
        BadValue("timeouts.connect") { $0.timeouts.connect = .zero },
        BadValue("timeouts.connect") { $0.timeouts.connect = .seconds(-1) },
        BadValue("timeouts.idle") { $0.timeouts.idle = .zero },
        BadValue("timeouts.firstByte") { $0.timeouts.firstByte = .nanoseconds(-1) },
        BadValue("timeouts.total") { $0.timeouts.total = .milliseconds(-5) },
        BadValue("timeouts.queue") { $0.timeouts.queue = .zero },
        BadValue("expectContinue") { $0.expectContinue = .zero },
        BadValue("maximumReceiveSpeed") { $0.maximumReceiveSpeed = 0 },
        BadValue("maximumSendSpeed") { $0.maximumSendSpeed = -1 },
        BadValue("receiveBufferSize") { $0.receiveBufferSize = 1023 },
        BadValue("receiveBufferSize") { $0.receiveBufferSize = 524_289 },
        BadValue("userAgent") { $0.userAgent = "a\r\nX: y" },
        BadValue("userAgent") { $0.userAgent = "" },
        BadValue("redirects.limit") { $0.redirects.limit = -1 },
        BadValue("responseHeadLimits.maximumFieldCount") {
            $0.responseHeadLimits.maximumFieldCount = -1
        },
        BadValue("responseHeadLimits.maximumBytes") { $0.responseHeadLimits.maximumBytes = -1 },
    ]

    static let connections: [BadValue] = [
        BadValue("happyEyeballsDelay") { $0.happyEyeballsDelay = .zero },
        BadValue("tcpKeepAlive.idle") { $0.tcpKeepAlive = TCPKeepAlive(idle: .milliseconds(999)) },
        BadValue("tcpKeepAlive.interval") {
            $0.tcpKeepAlive = TCPKeepAlive(interval: .seconds(32_768))
        },
        BadValue("localPorts.lowerBound") { $0.localPorts = 0...10 },
        BadValue("localInterface") { $0.localInterface = .address("localhost") },
        BadValue("localInterface") { $0.localInterface = .name("a-name-of-16-byte") },
        BadValue("localInterface") { $0.localInterface = .name("eth0/1") },
        BadValue("localInterface") { $0.localInterface = .name("") },
        BadValue("unixSocket") { $0.unixSocket = .path("") },
        BadValue("unixSocket") { $0.unixSocket = .path("/tmp/a\0b") },
        BadValue("unixSocket") { $0.unixSocket = .path(String(repeating: "a", count: 108)) },
        BadValue("unixSocket") { $0.unixSocket = .path(String(repeating: "ä", count: 54)) },
        BadValue("unixSocket") { $0.unixSocket = .abstract(String(repeating: "a", count: 108)) },
        BadValue("addressScope") {
            $0.addressScope = .publicOnly
            $0.unixSocket = .path("/tmp/a")
        },
        BadValue("addressScope.allowing[1]") {
            $0.addressScope = .publicOnly.allowing(["10.0.0.0/8", "10.0.0.1/8"])
        },
        BadValue("addressScope.allowing[0]") {
            $0.addressScope = .publicOnly.allowing(["localhost"])
        },
        BadValue("resolve[0].host") { $0.resolve = [override(host: "a b")] },
        BadValue("resolve[0].host") { $0.resolve = [override(host: "")] },
        BadValue("resolve[0].host") { $0.resolve = [override(host: "192.0.2.1")] },
        BadValue("resolve[0].host") { $0.resolve = [override(host: "müller.example")] },
        BadValue("resolve[1].port") { $0.resolve = [override(), override(port: 0)] },
        BadValue("resolve[0].port") { $0.resolve = [override(port: 65_536)] },
        BadValue("resolve[0].addresses") { $0.resolve = [override(addresses: [])] },
        BadValue("resolve[0].addresses[1]") {
            $0.resolve = [override(addresses: ["192.0.2.1", "192.0.2.1:80"])]
        },
        BadValue("resolve[0].addresses[0]") { $0.resolve = [override(addresses: ["[::1]"])] },
        BadValue("connectTo[0]") { $0.connectTo = [ConnectOverride(host: "a", port: 1)] },
        BadValue("connectTo[0].host") { $0.connectTo = [ConnectOverride(host: "a:b", toPort: 1)] },
        BadValue("connectTo[0].toHost") { $0.connectTo = [ConnectOverride(toHost: "a\n")] },
        BadValue("connectTo[0].toPort") { $0.connectTo = [ConnectOverride(toPort: -1)] },
    ]

    static let tls: [BadValue] = [
        BadValue("tls.trustRoots") { $0.tls.trustRoots = .file("/nowhere/roots.pem") },
        BadValue("tls.trustRoots") { $0.tls.trustRoots = .file("/") },
        BadValue("tls.trustRoots") { $0.tls.trustRoots = .file("/dev/null") },
        BadValue("tls.trustRoots") { $0.tls.trustRoots = .file("") },
        BadValue("tls.trustRoots") { $0.tls.trustRoots = .directory("/nowhere") },
        BadValue("tls.trustRoots") { $0.tls.trustRoots = .directory("/etc/passwd") },
        BadValue("tls.trustRoots") { $0.tls.trustRoots = .pem([]) },
        BadValue("tls.trustRoots") { $0.tls.trustRoots = .pem(Array("no certificate".utf8)) },
        BadValue("tls.maximumVersion") {
            $0.tls.minimumVersion = .v1_3
            $0.tls.maximumVersion = .v1_2
        },
        BadValue("tls.cipherList") { $0.tls.cipherList = "" },
        BadValue("tls.tls13Ciphers") { $0.tls.tls13Ciphers = "a\n" },
        BadValue("tls.curves") { $0.tls.curves = "\u{7F}" },
        BadValue("tls.publicKeyPins[0]") { $0.tls.publicKeyPins = ["/etc/passwd"] },
        BadValue("tls.clientIdentity.certificate") {
            $0.tls.clientIdentity = .pemFiles(certificate: "/nowhere/c.pem", key: "/etc/passwd")
        },
        BadValue("tls.clientIdentity.key") {
            $0.tls.clientIdentity = .pemFiles(certificate: "/etc/passwd", key: "/nowhere/k.pem")
        },
        BadValue("tls.clientIdentity.certificate") {
            $0.tls.clientIdentity = .pem(certificate: [], key: [])
        },
        BadValue("tls.clientIdentity") { $0.tls.clientIdentity = .pkcs12([]) },
        BadValue("tls.clientIdentity") { $0.tls.clientIdentity = .pkcs12File("/nowhere") },
        BadValue("tls.clientIdentity.password") {
            $0.tls.clientIdentity = .pkcs12([1], password: "a\0b")
        },
    ]

    static let credentials: [BadValue] = [
        BadValue("authentication.user") {
            $0.authentication = .basic(user: "a:b", password: "")
        },
        BadValue("authentication.user") {
            $0.authentication = .digest(user: "a\n", password: "")
        },
        BadValue("authentication.password") {
            $0.authentication = .basic(user: "a", password: "secret\0")
        },
        BadValue("authentication.token") { $0.authentication = .bearer(token: "") },
        BadValue("authentication.token") { $0.authentication = .bearer(token: "secret\r\nX: y") },
        BadValue("authentication.provider") {
            $0.authentication = .awsSigV4(provider: "aws::s3", accessKey: "k", secretKey: "secret")
        },
        BadValue("authentication.accessKey") {
            $0.authentication = .awsSigV4(provider: "aws", accessKey: "", secretKey: "secret")
        },
        BadValue("authentication.sessionToken") {
            $0.authentication = .awsSigV4(
                provider: "aws",
                accessKey: "k",
                secretKey: "s",
                sessionToken: "secret\n"
            )
        },
    ]

    static let proxies: [BadValue] = [
        BadValue("addressScope") {
            $0.addressScope = .publicOnly
            $0.proxy = proxy { _ in }
        },
        BadValue("proxy.server.host") { $0.proxy = proxy { $0.host = "http://a" } },
        BadValue("proxy.server.host") { $0.proxy = proxy { $0.host = "[::1]" } },
        BadValue("proxy.server.port") { $0.proxy = proxy { $0.port = 0 } },
        BadValue("proxy.server.credentials.user") {
            $0.proxy = proxy { $0.credentials = Credentials(user: "a\r", password: "secret") }
        },
        BadValue("proxy.server.credentials.password") {
            $0.proxy = proxy { $0.credentials = Credentials(user: "a", password: "secret\n") }
        },
        BadValue("proxy.server.credentials") {
            $0.proxy = proxy {
                $0.kind = .socks5
                $0.credentials = Credentials(
                    user: "a",
                    password: String(repeating: "secret", count: 43)
                )
            }
        },
        BadValue("proxy.server.authentication") { $0.proxy = proxy { $0.authentication = [] } },
        BadValue("proxy.server.headers[0].name") {
            $0.proxy = proxy { $0.headers = [ProxyHeader(name: "a b", value: "secret")] }
        },
        BadValue("proxy.server.headers[0].value") {
            $0.proxy = proxy { $0.headers = [ProxyHeader(name: "a", value: "secret\r\n")] }
        },
        BadValue("proxy.server.headers") {
            $0.proxy = proxy {
                $0.kind = .socks5h
                $0.headers = [ProxyHeader(name: "a", value: "secret")]
            }
        },
        BadValue("proxy.server.exceptions[1]") {
            $0.proxy = .server(ProxyServer(.http, host: "p", port: 1), exceptions: ["a", "b,c"])
        },
        BadValue("proxy.server.exceptions[0]") {
            $0.proxy = .server(ProxyServer(.http, host: "p", port: 1), exceptions: [""])
        },
        BadValue("proxy.server.tls.curves") {
            $0.proxy = proxy {
                $0.kind = .https
                $0.tls.curves = "X25519"
            }
        },
        BadValue("proxy.server.tls.evaluatesServerTrust") {
            $0.proxy = proxy {
                $0.kind = .https
                $0.tls.evaluatesServerTrust = true
            }
        },
        BadValue("proxy.server.tls.failsOnCertificateRequest") {
            $0.proxy = proxy {
                $0.kind = .https
                $0.tls.failsOnCertificateRequest = true
            }
        },
        BadValue("proxy.server.tls.trustRoots") {
            $0.proxy = proxy {
                $0.kind = .https
                $0.tls.trustRoots = .file("/nowhere")
            }
        },
    ]

    @Test(arguments: limits + connections + tls + credentials + proxies)
    func invalidValueIsAnErrorThatNamesIt(bad: BadValue) throws {
        var options = TransferOptions()
        bad.change(&options)
        let error = try #require(throws: InvalidOption.self) {
            try PreparedOptions(options) { _ in nil }
        }
        #expect(error.option == bad.option)
        let shown = error.transportError
        #expect(shown.code == .configuration)
        #expect(shown.message.contains(bad.option))
        #expect(!shown.message.contains("secret"))
    }

    @Test func defaultsAreValid() throws {
        _ = try PreparedOptions(TransferOptions())
    }

    @Test func missingFileErrorHasErrno() throws {
        var options = TransferOptions()
        options.tls.trustRoots = .file("/nowhere/roots.pem")
        let error = try #require(throws: TransportError.self) { try PreparedOptions(options) }
        #expect(error.systemErrno == 2)
        #expect(error.message.contains("/nowhere/roots.pem"))
        #expect(error.message.contains("No such file"))
    }

    @Test func missingLibcurlFeatureIsUnsupported() {
        let error = InvalidOption("httpVersion", missing: "HTTP/3").transportError
        #expect(error.code == .unsupportedFeature)
        #expect(error.message.contains("HTTP/3"))
        #expect(error.message.contains("httpVersion"))
    }
}

private func override(
    host: String = "a.example",
    port: Int = 80,
    addresses: [String] = ["192.0.2.1"]
) -> ResolveOverride {
    ResolveOverride(host: host, port: port, addresses: addresses)
}

private func proxy(_ change: (inout ProxyServer) -> Void) -> ProxyPolicy {
    var server = ProxyServer(.http, host: "proxy.example", port: 3128)
    change(&server)
    return .server(server)
}
