import Curl
import CurlTransport
import HTTPTypes
import TestSupport
import Testing

/// What a server or a proxy sees of the options.
@Suite(.timeLimit(.minutes(10))) struct OptionsOnTheWireTests {
    private let server: LoopbackServer

    init() throws {
        server = try LoopbackServer { _ in .text("ok") }
    }

    /// Requests `url` and returns the first request that reaches the server.
    ///
    /// If `url` is nil, the request goes to the server itself.
    private func request(
        _ url: String? = nil,
        _ change: (inout TransferOptions) -> Void = { _ in }
    ) async throws -> RecordedRequest {
        var options = TransferOptions()
        change(&options)
        try await send(url ?? "\(server.url)/x", options)
        return try await server.request(0)
    }

    private func send(_ url: String, _ options: TransferOptions, times: Int = 1) async throws {
        let client = try HTTPClient(options: options)
        for _ in 0..<times {
            let response = try await client.send(HTTPRequest(url: url))
            let body = try await response.body.collect(upTo: 100)
            #expect(response.status == .ok)
            #expect(body == Array("ok".utf8))
        }
        await client.shutdown()
    }

    @Test func defaultsSendUserAgentAndAcceptEncoding() async throws {
        let seen = try await request()
        #expect(seen.header("User-Agent") == TransferOptions.defaultUserAgent)
        #expect(seen.header("Accept-Encoding")?.contains("gzip") == true)
        #expect(seen.header("Authorization") == nil)
        #expect(seen.header("Expect") == nil)
    }

    @Test func disabledFieldsAreNotSent() async throws {
        let seen = try await request {
            $0.userAgent = nil
            $0.decodesContent = false
        }
        #expect(seen.header("User-Agent") == nil)
        #expect(seen.header("Accept-Encoding") == nil)
    }

    @Test func pathIsSentUnchanged() async throws {
        let seen = try await request("\(server.url)/a/../b/./c?d=../e")
        #expect(seen.target == "/a/../b/./c?d=../e")
    }

    /// libcurl drops the question mark for proxies and, since 8.8, for servers too.
    @Test func emptyQueryIsSentToServersAndProxies() async throws {
        #expect(try await request("\(server.url)/ü?#f").target.lowercased() == "/%c3%bc?")
        let other = try OptionsOnTheWireTests()
        let proxy = ProxyPolicy.server(
            ProxyServer(
                .http,
                host: "127.0.0.1",
                port: other.server.port,
                credentials: Credentials(user: "u", password: "p")
            )
        )
        let seen = try await other.request("http://nowhere.invalid/x?") { $0.proxy = proxy }
        #expect(seen.target == "http://nowhere.invalid/x?")
    }

    /// Newer libcurl signs a path only if it may resolve dot segments.
    @Test(arguments: ["/a/../b", "/.", "/a/%2E%2e/b?c"])
    func pathWithDotSegmentsIsSignedAsGivenOrRefused(path: String) async throws {
        var options = TransferOptions()
        options.authentication = .awsSigV4(
            provider: "aws:amz:eu-west-1:s3",
            accessKey: "key",
            secretKey: "secret"
        )
        do {
            try await send(server.url + path, options)
            // AWS signs a parameter without a value with "=".
            let target = path.contains("?") ? path + "=" : path
            #expect(try await server.request(0).target == target)
        } catch let error as TransportError {
            #expect(CurlVersion.current.isAtLeast(8, 6))
            #expect(error.code == .unsupportedFeature)
        }
    }

    @Test func basicAndBearerAreSentWithFirstRequest() async throws {
        let basic = try await request { $0.authentication = .basic(user: "u", password: "p:w") }
        #expect(basic.header("Authorization") == "Basic dTpwOnc=")
        let other = try OptionsOnTheWireTests()
        let bearer = try await other.request { $0.authentication = .bearer(token: "abc") }
        #expect(bearer.header("Authorization") == "Bearer abc")
    }

    @Test func digestAnswersTheChallenge() async throws {
        let digest = try LoopbackServer { request in
            guard request.header("Authorization") == nil else { return .text("ok") }
            return Reply.status(401)
                .header("WWW-Authenticate", #"Digest realm="r", nonce="n", qop="auth""#)
        }
        var options = TransferOptions()
        options.authentication = .digest(user: "u", password: "secret")
        try await send("\(digest.url)/", options)
        let answer = try await digest.request(1).header("Authorization") ?? ""
        #expect(answer.hasPrefix("Digest "))
        #expect(answer.contains(#"username="u""#))
        #expect(!answer.contains("secret"))
    }

    @Test func awsSignatureIncludesSecurityToken() async throws {
        let seen = try await request {
            $0.authentication = .awsSigV4(
                provider: "aws:amz:eu-west-1:s3",
                accessKey: "key",
                secretKey: "secret",
                sessionToken: "token"
            )
        }
        let signature = try #require(seen.header("Authorization"))
        #expect(signature.hasPrefix("AWS4-HMAC-SHA256 Credential=key/"))
        #expect(signature.contains("/eu-west-1/s3/aws4_request"))
        #expect(signature.contains("x-amz-security-token"))
        #expect(seen.headers("X-Amz-Security-Token") == ["token"])
    }

    @Test("An AWS signature covers only fields that are sent")
    func awsSignatureCoversSentFields() async throws {
        var options = TransferOptions.patient
        options.omittedFields = [.accept, .userAgent, .acceptEncoding]
        options.authentication = .awsSigV4(
            provider: "aws:amz:eu-west-1:s3",
            accessKey: "key",
            secretKey: "secret"
        )
        let client = try HTTPClient(options: options)
        let post = try HTTPRequest(
            method: .post,
            url: server.url,
            headerFields: [.contentType: "a/b"]
        )
        _ = try await client.send(HTTPRequest(url: server.url))
        _ = try await client.send(post, body: .text("content"))
        for method in [HTTPRequest.Method.post, .put] {
            let plain = try HTTPRequest(method: method, url: server.url)
            _ = try await client.send(plain, body: .text("content"))
            _ = try await client.send(plain)
        }
        await client.shutdown()
        for number in 0..<6 {
            let seen = try await server.request(number)
            let signature = try #require(seen.header("Authorization"))
            let match = try #require(signature.firstMatch(of: /SignedHeaders=([^,]+)/))
            for name in match.1.split(separator: ";") {
                #expect(seen.header(String(name)) != nil, "\(name)")
            }
            #expect(seen.header("Content-Type") != "application/x-www-form-urlencoded")
        }
    }

    @Test func credentialsAndTokenAreNotSentToOtherOrigin() async throws {
        let target = server.url
        let first = try LoopbackServer { _ in .redirect(to: "\(target)/elsewhere") }
        var options = TransferOptions()
        options.authentication = .awsSigV4(
            provider: "aws:amz:eu-west-1:s3",
            accessKey: "key",
            secretKey: "secret",
            sessionToken: "token"
        )
        try await send("\(first.url)/", options)
        #expect(try await first.request(0).header("X-Amz-Security-Token") == "token")
        let second = try await server.request(0)
        #expect(second.path == "/elsewhere")
        #expect(second.header("Authorization") == nil)
        #expect(second.header("X-Amz-Security-Token") == nil)
    }

    @Test func httpProxyResolvesNameAndGetsItsHeaders() async throws {
        var proxy = ProxyServer(
            .http,
            host: "127.0.0.1",
            port: server.port,
            credentials: Credentials(user: "u", password: "p")
        )
        proxy.headers = [
            ProxyHeader(name: "X-Proxy", value: "1"), ProxyHeader(name: "X-Empty", value: ""),
        ]
        let seen = try await request("http://nowhere.invalid/x") { $0.proxy = .server(proxy) }
        #expect(seen.target == "http://nowhere.invalid/x")
        #expect(seen.header("Host") == "nowhere.invalid")
        #expect(seen.header("Proxy-Authorization") == "Basic dTpw")
        #expect(seen.header("X-Proxy") == "1")
        #expect(seen.header("X-Empty") == "")
    }

    @Test func proxyExceptionsConnectDirectly() async throws {
        let proxy = ProxyServer(.http, host: "127.0.0.1", port: try LoopbackServer.unusedPort())
        let seen = try await request {
            $0.proxy = .server(proxy, exceptions: ["other.example", "127.0.0.0/8"])
        }
        #expect(seen.target == "/x")
    }

    @Test func connectToChangesOnlyTheAddress() async throws {
        let port = server.port
        let seen = try await request("http://nowhere.invalid:81/x") {
            $0.connectTo = [
                ConnectOverride(
                    host: "nowhere.invalid",
                    port: 81,
                    toHost: "127.0.0.1",
                    toPort: port
                )
            ]
        }
        #expect(seen.header("Host") == "nowhere.invalid:81")
    }

    @Test("E9: Given addresses replace the lookup of a host name")
    func givenAddressesReplaceLookup() async throws {
        let port = server.port
        let seen = try await request("http://nowhere.invalid:\(port)/x") {
            $0.resolve = [
                ResolveOverride(host: "nowhere.invalid", port: port, addresses: ["127.0.0.1"])
            ]
        }
        #expect(seen.header("Host") == "nowhere.invalid:\(port)")
    }

    @Test("Given addresses replace the lookup also where no result of a lookup is cached")
    func givenAddressesAreUsedWithoutCache() async throws {
        var configuration = TransportConfiguration()
        configuration.dnsCacheLifetime = .zero
        var options = TransferOptions.patient
        options.resolve = [
            ResolveOverride(host: "nowhere.invalid", port: server.port, addresses: ["127.0.0.1"])
        ]
        let client = try HTTPClient(configuration: configuration, options: options)
        let url = "http://nowhere.invalid:\(server.port)/x"
        #expect(try await client.send(HTTPRequest(url: url)).status == .ok)
        await client.shutdown()
    }

    @Test("E9: A request goes to the given Unix socket instead of its host")
    func unixSocketReplacesHost() async throws {
        let folder = try TemporaryDirectory()
        var listening = ServerOptions()
        let path = "\(folder.path)/socket"
        listening.address = .unix(path: path)
        let unix = try LoopbackServer(options: listening) { _ in .text("ok") }
        var options = TransferOptions()
        options.unixSocket = .path(path)
        try await send("http://nowhere.invalid/x", options)
        #expect(try await unix.request(0).header("Host") == "nowhere.invalid")
    }

    @Test func transferMayUseNewConnection() async throws {
        var options = TransferOptions()
        try await send("\(server.url)/", options, times: 2)
        #expect(server.acceptedConnectionCount == 1)
        options.reusesConnection = false
        try await send("\(server.url)/", options, times: 2)
        #expect(server.acceptedConnectionCount == 3)
    }

    @Test("E9: A request succeeds with interface, keep-alive and other socket options set")
    func socketOptionsAreAccepted() async throws {
        _ = try await request {
            $0.localInterface = .address("127.0.0.1")
            $0.addressFamily = .ipv4
            $0.tcpNoDelay = false
            $0.tcpKeepAlive = TCPKeepAlive(idle: .seconds(5), interval: .seconds(5))
            $0.happyEyeballsDelay = .milliseconds(50)
            $0.maximumReceiveSpeed = 1_000_000
            $0.timeouts = Timeouts(connect: nil, idle: nil, total: .seconds(30))
        }
    }
}
