internal import CurlTransport
internal import HTTPTypes
internal import TestSupport
internal import Testing

/// Invalid requests fail with a typed error before any connection is opened.
@Suite(.timeLimit(.minutes(10))) struct BadInputTests {
    private func failure(
        _ change: @Sendable (inout HTTPRequest) -> Void,
        body: RequestBody = .none
    ) async throws -> TransportError {
        let server = try LoopbackServer { _ in .text("x") }
        let rig = try Rig()
        var request = try HTTPRequest(url: server.url + "/path")
        change(&request)
        let delegate = RecordingDelegate()
        rig.transport.start(
            TransferRequest(request, body: body, options: try PreparedOptions()),
            delegate: delegate
        )
        let error = try await delegate.failure()
        #expect(delegate.events == [.metrics, .completed(error.code)])
        #expect(server.acceptedConnectionCount == 0)
        #expect(!error.isRetryable)
        return error
    }

    @Test func requestWithoutSchemeOrHostIsAnError() async throws {
        #expect(try await failure { $0.scheme = nil }.code == .invalidRequest)
        #expect(try await failure { $0.scheme = "" }.code == .invalidRequest)
        #expect(try await failure { $0.authority = nil }.code == .invalidRequest)
        #expect(try await failure { $0.authority = "" }.code == .invalidRequest)
        #expect(try await failure { $0.authority = ":80" }.code == .invalidRequest)
    }

    @Test(arguments: ["ftp", "file", "ws", "gopher", "HTTPX"])
    func schemesOtherThanHTTPAreErrors(_ scheme: String) async throws {
        #expect(try await failure { $0.scheme = scheme }.code == .unsupportedURL)
    }

    @Test(arguments: [
        "a b", "a\r\nb", "a\nHost: c", "a\0b", "a/b", "a?b", "a#b", "u:p@a", "u@a", "a:99999",
        "a:x", "[::1", "a\\b", "a\tb", "http://a", "a:80:80", "%00a",
    ])
    func invalidAuthoritiesAreErrors(_ authority: String) async throws {
        let error = try await failure { $0.authority = authority }
        #expect(error.code == .invalidRequest)
        #expect(!error.description.contains("p@a"))
    }

    @Test("Too long an authority is an error, and so is a URL with too long a host")
    func longHostsAreErrors() async throws {
        let host = String(repeating: "a", count: 254)
        let zeros = "127.0.0.1:" + String(repeating: "0", count: 5_000) + "80"
        for authority in [host, host + ":80", zeros] {
            let error = try await failure { $0.authority = authority }
            #expect(error.code == .invalidRequest)
        }
        let error = #expect(throws: TransportError.self) {
            try HTTPRequest(url: "http://\(host)/")
        }
        #expect(error?.code == .invalidURL)
    }

    @Test(arguments: [
        "", "a", "/a b", "/ HTTP/1.1\r\nX: y\r\n\r\n", "/a\0b", "/a\u{7F}b", "*", "http://a/",
        "/a\tb",
    ])
    func invalidPathsAreErrors(_ path: String) async throws {
        #expect(try await failure { $0.path = path }.code == .invalidRequest)
    }

    @Test(arguments: ["GE T", "GET\r\nX: y", "", "G\0T", "GET /x HTTP/1.1\r\n\r\nGET"])
    func invalidMethodsAreErrors(_ method: String) {
        // `HTTPRequest.Method` rejects all of these.
        #expect(HTTPRequest.Method(rawValue: method) == nil)
    }

    @Test func headerFieldCannotInjectLines() async throws {
        // `HTTPField` replaces line ends and NUL in values.
        let server = try LoopbackServer { _ in .text("x") }
        let name = try #require(HTTPField.Name("X-A"))
        try await Rig().fetch(
            server.url,
            fields: HTTPFields([HTTPField(name: name, value: "a\r\nEvil: b\0c")])
        )
        #expect(server.requests[0].header("Evil") == nil)
        #expect(server.requests[0].headers("X-A").count == 1)
        #expect(throws: TransportError.self) {
            try HTTPField(validating: "X-A", value: "a\r\nb")
        }
        #expect(HTTPField.Name("X A") == nil)
    }

    @Test func bodyOfHeadOrTraceIsAnError() async throws {
        for method in [HTTPRequest.Method.head, .trace] {
            let error = try await failure({ $0.method = method }, body: .text("x"))
            #expect(error.code == .invalidRequest)
        }
        #expect(try await failure { $0.method = .connect }.code == .invalidRequest)
    }

    @Test func callersTransferEncodingIsAnError() async throws {
        let error = try await failure(
            { $0.headerFields[.transferEncoding] = "gzip, chunked" },
            body: .text("x")
        )
        #expect(error.code == .invalidRequest)
    }

    @Test(arguments: ["", "no url", "http://", "//host/", "http:///path", "http://a b/", "x:y"])
    func invalidURLsAreErrors(_ url: String) {
        let error = #expect(throws: TransportError.self) { try HTTPRequest(url: url) }
        #expect(error?.code == .invalidURL || error?.code == .unsupportedURL)
    }

    @Test func invalidLimitsAreErrors() {
        func configuration(_ change: (inout TransportConfiguration) -> Void) {
            let error = #expect(throws: TransportError.self) { try Rig(change) }
            #expect(error?.code == .configuration)
        }
        configuration { $0.eventLoopCount = 0 }
        configuration { $0.eventLoopCount = -1 }
        configuration { $0.maximumConnections = 0 }
        configuration { $0.maximumConnectionsPerHost = -5 }
        configuration { $0.maximumQueued = -1 }
        configuration { $0.maximumNameLookups = 0 }
        configuration { $0.maximumDecoderMemory = 0 }
        configuration { $0.maximumIdleConnections = -1 }
        configuration { $0.idleConnectionLifetime = .zero }
        configuration { $0.connectionLifetime = .seconds(-1) }
        configuration { $0.dnsCacheLifetime = .seconds(-1) }
    }

    @Test func hugeLimitsAreAccepted() async throws {
        let server = try LoopbackServer { _ in .text("here") }
        let rig = try Rig {
            $0.maximumConnectionsPerHost = .max
            $0.maximumConnections = .max
            $0.maximumIdleConnections = .max
            $0.maximumNameLookups = .max
            $0.idleConnectionLifetime = .seconds(Int64.max)
            $0.connectionLifetime = .seconds(Int64.max)
            $0.dnsCacheLifetime = .seconds(Int64.max)
        }
        let delegate = try await rig.fetch(server.url) {
            $0.timeouts.total = .seconds(Int64.max)
        }
        #expect(delegate.bodyText == "here")
    }

    @Test func invalidOptionsAreErrors() throws {
        let directory = try TemporaryDirectory()
        let secret = try directory.write("no certificate", to: "ca.pem")
        func options(_ change: (inout TransferOptions) -> Void) {
            var options = TransferOptions()
            change(&options)
            let error = #expect(throws: TransportError.self) { try PreparedOptions(options) }
            #expect(error?.code == .configuration)
        }
        options { $0.timeouts.connect = .zero }
        options { $0.timeouts.idle = .seconds(-1) }
        options { $0.timeouts.firstByte = .zero }
        options { $0.timeouts.total = .milliseconds(-1) }
        options { $0.maximumSendSpeed = -1 }
        options { $0.userAgent = "a\r\nb" }
        options { $0.tls.trustRoots = .file(directory.path("missing.pem")) }
        options { $0.tls.trustRoots = .file(directory.path) }
        options { $0.tls.trustRoots = .directory(secret) }
        options { $0.unixSocket = .path(String(repeating: "x", count: 200)) }
        options { $0.authentication = .bearer(token: "a\nb") }
        options { $0.authentication = .basic(user: "a:b", password: "c") }
        options { $0.resolve = [ResolveOverride(host: "a", port: 0, addresses: ["127.0.0.1"])] }
        options { $0.resolve = [ResolveOverride(host: "a", port: 1, addresses: ["x"])] }
    }

    @Test func caFileWithoutCertificateFailsTransfer() async throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write("no certificate", to: "ca.pem")
        let server = try LoopbackServer { _ in .text("x") }
        let rig = try Rig()
        let delegate = RecordingDelegate()
        do {
            try rig.start("https://127.0.0.1:\(server.port)/", delegate: delegate) {
                $0.tls.trustRoots = .file(path)
            }
        } catch let error as TransportError {
            #expect(error.code == .configuration)
            return
        }
        #expect(try await delegate.failure().code == .tlsConfiguration)
    }
}
