import Curl
import Posix
import Testing

@testable import CurlTransport

@Suite struct PreparedOptionsTests {
    private func settings(
        isSecure: Bool = false,
        _ change: (inout TransferOptions) -> Void = { _ in }
    ) throws -> [EasySetting] {
        var options = TransferOptions()
        change(&options)
        return try PreparedOptions(options) { _ in nil }.route(isSecure: isSecure).settings
    }

    @Test func plainTransferSetsOnlyNonDefaultOptions() throws {
        let clear = try settings()
        let quickExit: [EasySetting] =
            CurlVersion.current.isAtLeast(7, 87) ? [.flag(.quickExit, true)] : []
        #expect(
            Set(clear)
                == Set(
                    [
                        .flag(.noSignal, true), .number(.protocols, EasyValue.Scheme.http),
                        .number(.redirectProtocols, EasyValue.Scheme.http), .flag(.pathAsIs, true),
                        .text(.proxy, ""), .text(.noProxy, ""),
                        .flag(.tcpKeepAlive, true),
                        .number(.httpVersion, EasyValue.HTTPVersion.http1_1),
                    ] + quickExit
                )
        )
        #expect(clear.count == 8 + quickExit.count)
    }

    @Test func secureTransferAddsTLSVersionsAndCAFile() throws {
        let secure = try settings(isSecure: true) {
            $0.httpVersion = .http1
            $0.tls.trustRoots = .file("/etc/passwd")
        }
        let clear = try settings()
        #expect(secure.count == clear.count + 3)
        let added = secure.filter { !clear.contains($0) }
        #expect(
            Set(added)
                == [
                    .number(.protocols, EasyValue.Scheme.https),
                    .number(.redirectProtocols, EasyValue.Scheme.https),
                    .number(.sslVersion, EasyValue.TLSVersion.v1_2),
                    .text(.caInfo, "/etc/passwd"), .text(.caPath, nil),
                ]
        )
    }

    @Test func plainTransferSetsNoTLSOption() throws {
        let clear = try settings { $0.tls.trustRoots = .directory("/etc") }
        #expect(!clear.contains(.text(.caPath, "/etc")))
        let secure = try settings(isSecure: true) { $0.tls.trustRoots = .directory("/etc") }
        #expect(secure.contains(.text(.caPath, "/etc")))
        #expect(secure.contains(.text(.caInfo, nil)))
    }

    @Test func verificationOptionsAreIndependent() throws {
        let verified = try settings(isSecure: true)
        #expect(!verified.contains(.flag(.sslVerifyPeer, false)))
        #expect(!verified.contains(.number(.sslVerifyHost, 0)))
        let anyIssuer = try settings(isSecure: true) {
            $0.tls.dangerouslyDisablesPeerVerification = true
        }
        #expect(anyIssuer.contains(.flag(.sslVerifyPeer, false)))
        #expect(!anyIssuer.contains(.number(.sslVerifyHost, 0)))
        let anyHost = try settings(isSecure: true) {
            $0.tls.dangerouslyDisablesHostVerification = true
        }
        #expect(!anyHost.contains(.flag(.sslVerifyPeer, false)))
        #expect(anyHost.contains(.number(.sslVerifyHost, 0)))
    }

    @Test func identityWithoutPasswordDoesNotPrompt() throws {
        let secure = try settings(isSecure: true) { $0.tls.clientIdentity = .pkcs12([1, 2]) }
        #expect(secure.contains(.bytes(.sslCertificateBlob, [1, 2])))
        #expect(secure.contains(.text(.sslCertificateType, "P12")))
        #expect(secure.contains(.text(.keyPassword, "")))
    }

    @Test func libcurlTimeoutsExceedLoopTimeouts() throws {
        let short = try settings { $0.timeouts.connect = .seconds(295) }
        for case .number(let option, _) in short {
            #expect(option != .connectTimeoutMilliseconds)
        }
        let long = try settings {
            $0.timeouts.connect = .seconds(600)
            $0.timeouts.total = .milliseconds(1)
        }
        #expect(long.contains(.number(.connectTimeoutMilliseconds, 605_000)))
        #expect(long.contains(.number(.timeoutMilliseconds, 5001)))
        let none = try settings {
            $0.timeouts = Timeouts(connect: nil, idle: nil, total: .seconds(1 << 40))
        }
        #expect(none.contains(.number(.connectTimeoutMilliseconds, Int(Int32.max))))
        #expect(none.contains(.number(.timeoutMilliseconds, Int(Int32.max))))
    }

    @Test func eachSchemeMayHaveItsOwnProxy() throws {
        let one = ProxyServer(.http, host: "a.example", port: 1)
        let other = ProxyServer(.socks5h, host: "b.example", port: 2)
        func lines(_ policy: ProxyPolicy, isSecure: Bool) throws -> [EasySetting] {
            try settings(isSecure: isSecure) { $0.proxy = policy }.filter { setting in
                guard case .text(let option, _) = setting else { return false }
                return option == .proxy || option == .noProxy
            }
        }
        let both = ProxyPolicy.servers(http: one, https: other, exceptions: ["c.example"])
        #expect(
            try lines(both, isSecure: false)
                == [.text(.proxy, "http://a.example:1"), .text(.noProxy, "c.example")]
        )
        #expect(
            try lines(both, isSecure: true)
                == [.text(.proxy, "socks5h://b.example:2"), .text(.noProxy, "c.example")]
        )
        let half = ProxyPolicy.servers(http: nil, https: other)
        #expect(
            try lines(half, isSecure: false) == [.text(.proxy, ""), .text(.noProxy, "")]
        )
        var options = TransferOptions()
        options.proxy = half
        let prepared = try PreparedOptions(options)
        #expect(!prepared.usesProxy(isSecure: false))
        #expect(prepared.usesProxy(isSecure: true))
        #expect(!prepared.answersChallenges)
        #expect(prepared.route.contains("b.example:2"))
        options.proxy = .servers(
            http: ProxyServer(
                .http,
                host: "a.example",
                port: 1,
                credentials: Credentials(user: "u", password: "p")
            ),
            https: nil
        )
        #expect(try PreparedOptions(options).answersChallenges)
        options.proxy = .environment
        let none = try PreparedOptions(options) { _ in nil }
        #expect(!none.usesProxy(isSecure: false) && !none.usesProxy(isSecure: true))
    }

    @Test func resolveEntriesHaveLibcurlFormat() throws {
        let timed = ResolveOverride(
            host: "a.example",
            port: 443,
            addresses: ["192.0.2.1", "2001:db8::1"]
        )
        #expect(
            try PreparedConnection.line(timed, "r") == "+a.example:443:192.0.2.1,[2001:db8::1]"
        )
        var kept = timed
        kept.isPermanent = true
        #expect(
            try PreparedConnection.line(kept, "r") == "a.example:443:192.0.2.1,[2001:db8::1]"
        )
        let all = ConnectOverride(toHost: "::1", toPort: 8080)
        #expect(try PreparedConnection.line(all, "c") == "::[::1]:8080")
        let one = ConnectOverride(host: "a.example", port: 443, toHost: "b.example")
        #expect(try PreparedConnection.line(one, "c") == "a.example:443:b.example:")
    }

    @Test func unixSocketPathMayHave107Bytes() throws {
        let path = String(repeating: "a", count: 107)
        #expect(
            try settings { $0.unixSocket = .path(path) }.contains(.text(.unixSocketPath, path))
        )
        #expect(
            try settings { $0.unixSocket = .abstract(path) }
                .contains(.text(.abstractUnixSocket, path))
        )
    }

    @Test func interfaceNamesAreNotResolved() throws {
        #expect(
            try settings { $0.localInterface = .name("lo") }.contains(.text(.interface, "if!lo"))
        )
        #expect(
            try settings { $0.localInterface = .address("::1") }
                .contains(.text(.interface, "host!::1"))
        )
    }

    @Test func proxyKindSetsItsOptions() throws {
        var server = ProxyServer(
            .http,
            host: "::1",
            port: 3128,
            credentials: Credentials(user: "u", password: "p")
        )
        server.alwaysTunnels = true
        let policy = ProxyPolicy.server(server, exceptions: ["a.example", "[::1]"])
        let clear = try settings { $0.proxy = policy }
        #expect(clear.contains(.text(.proxy, "http://[::1]:3128")))
        #expect(clear.contains(.text(.noProxy, "a.example,::1")))
        #expect(clear.contains(.flag(.suppressConnectHeaders, true)))
        #expect(clear.contains(.flag(.httpProxyTunnel, true)))
        let secure = try settings(isSecure: true) { $0.proxy = policy }
        #expect(!secure.contains(.flag(.httpProxyTunnel, true)))

        server.kind = .socks5h
        let socks = try settings { $0.proxy = .server(server) }
        #expect(socks.contains(.text(.proxy, "socks5h://[::1]:3128")))
        #expect(socks.contains(.text(.noProxy, "")))
        #expect(socks.contains(.number(.socks5Auth, EasyValue.Authentication.basic)))
        #expect(!socks.contains(.flag(.suppressConnectHeaders, true)))
    }

    @Test func httpsProxyHasItsOwnTrustOptions() throws {
        try #require(CurlVersion.current.supportsHTTPSProxy)
        var server = ProxyServer(.https, host: "p", port: 443)
        server.tls.trustRoots = .file("/etc/passwd")
        let clear = try settings { $0.proxy = .server(server) }
        #expect(clear.contains(.text(.proxyCAInfo, "/etc/passwd")))
        #expect(clear.contains(.text(.proxyCAPath, nil)))
        #expect(clear.contains(.number(.proxySSLVersion, EasyValue.TLSVersion.v1_2)))
        #expect(!clear.contains(.text(.caInfo, "/etc/passwd")))
    }

    @Test func starExceptionDisablesProxy() throws {
        #expect(try PreparedProxy.list(["a", "*"]) == "*")
        #expect(try PreparedProxy.list([]) == "")
    }

    @Test func cleartextPriorKnowledgeUsesNewConnectionsBefore8() throws {
        try #require(CurlVersion.current.supportsHTTP2)
        let clear = try settings { $0.httpVersion = .http2PriorKnowledge }
        #expect(
            clear.contains(.number(.httpVersion, EasyValue.HTTPVersion.http2PriorKnowledge))
        )
        let isOld = !CurlVersion.current.isAtLeast(8, 0)
        #expect(clear.contains(.flag(.forbidReuse, true)) == isOld)
        #expect(clear.contains(.flag(.freshConnect, true)) == isOld)
    }

    @Test func http3IsAnErrorIfUnsupported() throws {
        if CurlVersion.current.supportsHTTP3 {
            #expect(throws: InvalidOption.self) { try settings { $0.httpVersion = .http3 } }
        } else {
            let error = try #require(throws: InvalidOption.self) {
                try settings(isSecure: true) { $0.httpVersion = .http3 }
            }
            #expect(error.missingFeature == "HTTP/3")
        }
    }

    @Test func securityTokenIsPassedToHeaderList() throws {
        var options = TransferOptions()
        options.authentication = .awsSigV4(
            provider: "aws:amz:eu-west-1:s3",
            accessKey: "k",
            secretKey: "s",
            sessionToken: "t"
        )
        let prepared = try PreparedOptions(options)
        #expect(prepared.securityToken == "t")
        #expect(prepared.credentials.contains(.text(.awsSigV4, "aws:amz:eu-west-1:s3")))
        // libcurl signs all listed fields, and proxies may change these two.
        #expect(prepared.userAgentField == nil)
        #expect(prepared.acceptEncodingField == nil)
    }

    @Test func descriptionsContainNoSecrets() throws {
        var options = TransferOptions()
        var server = ProxyServer(.http, host: "p", port: 1)
        server.credentials = Credentials(user: "secret", password: "secret")
        server.headers = [ProxyHeader(name: "a", value: "secret")]
        options.proxy = .server(server)
        options.tls.clientIdentity = .pkcs12([1], password: "secret")
        for authentication in Self.everyAuthentication {
            options.authentication = authentication
            var dumped = ""
            dump(options, to: &dumped)
            #expect(!dumped.contains("secret"))
            #expect(!String(describing: options).contains("secret"))
            #expect(!String(reflecting: options).contains("secret"))
        }
    }

    static let everyAuthentication: [Authentication] = [
        .basic(user: "secret", password: "secret"), .digest(user: "secret", password: "secret"),
        .bearer(token: "secret"), .ntlm(user: "secret", password: "secret"),
        .any(user: "secret", password: "secret"),
        .awsSigV4(
            provider: "aws",
            accessKey: "secret",
            secretKey: "secret",
            sessionToken: "secret"
        ),
    ]
}
