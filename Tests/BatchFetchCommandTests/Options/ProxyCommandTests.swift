import TestSupport
import Testing

/// Runs of the command through proxies.
@Suite(.timeLimit(.minutes(10))) struct ProxyCommandTests {
    private static let secret = "s3cret"

    let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    /// Runs the command with environment variables until it ends; returns everything it prints.
    private func run(_ environment: [String], _ arguments: [String]) async throws -> (
        status: Int32, output: String
    ) {
        try await CommandRun.printed(environment, arguments)
    }

    private func run(_ arguments: [String]) async throws -> (status: Int32, output: String) {
        try await run([], arguments)
    }

    /// A server that takes requests as a proxy does, with the whole URL.
    private func proxy() throws -> LoopbackServer { try LoopbackServer { _ in .text("proxied") } }

    // MARK: Real proxies

    @Test(
        "Given squid that requires a password, then URLs pass it, and no file has the password",
        .enabled(if: SquidPeer.isAvailable)
    )
    func proxyPasswordReachesOnlyTheProxy() async throws {
        let server = try LoopbackServer { _ in .text("origin") }
        let squid = try await SquidPeer.start(user: "u", password: Self.secret)
        defer { squid.stop() }
        let list = try folder.write("\(server.url)/a\n", to: "list")
        let (status, output) = try await run([
            "--proxy", "http://u:\(Self.secret)@127.0.0.1:\(squid.port)", "--log-level", "trace",
            "--output", folder.path("out"), "--results", folder.path("results"), "--journal",
            folder.path("journal"), "--report", folder.path("report.html"), "--summary-json",
            folder.path("summary.json"), list,
        ])
        #expect(status == 0, "\(output)")
        let request = try await server.request(0)
        #expect(request.header("Via")?.contains("squid") == true)
        #expect(request.header("Proxy-Authorization") == nil)
        #expect(!output.contains(Self.secret))
        for file in ["results", "journal", "report.html", "summary.json"] {
            let text = String(decoding: try folder.read(file), as: UTF8.self)
            #expect(!text.contains(Self.secret), "\(file)")
        }
    }

    @Test(
        "Given squid and a wrong password, then the URL fails, and no message has the password",
        .enabled(if: SquidPeer.isAvailable)
    )
    func wrongPasswordIsNotPrinted() async throws {
        let squid = try await SquidPeer.start(user: "u", password: Self.secret)
        defer { squid.stop() }
        let (status, output) = try await run([
            "--proxy", "http://u:wr0ng@127.0.0.1:\(squid.port)", "--results", "-", "--retries",
            "0", "http://origin.invalid/",
        ])
        #expect(status == 1, "\(output)")
        #expect(output.contains("407"), "\(output)")
        #expect(!output.contains("wr0ng"))
    }

    @Test(
        "Given microsocks with a password, then a socks5h proxy is used",
        .enabled(if: SOCKSPeer.isAvailable)
    )
    func socksProxyIsUsed() async throws {
        let server = try LoopbackServer { _ in .text("origin") }
        let socks = try await SOCKSPeer.start(user: "u", password: Self.secret)
        defer { socks.stop() }
        let (status, output) = try await run([
            "--proxy", "socks5h://u:\(Self.secret)@127.0.0.1:\(socks.port)", server.url + "/",
        ])
        #expect(status == 0, "\(output)")
        #expect(try await socks.connected().contains(":\(server.port)"))
        #expect(!output.contains(Self.secret))
    }

    // MARK: The environment

    @Test("Given http_proxy, then it is used; HTTP_PROXY is ignored")
    func onlyLowercaseHTTPProxyIsRead() async throws {
        let (proxy, origin) = (try proxy(), try LoopbackServer { _ in .text("origin") })
        var (status, output) = try await run(["http_proxy=\(proxy.url)"], [origin.url + "/1"])
        #expect(status == 0, "\(output)")
        #expect(proxy.requests.map(\.target) == [origin.url + "/1"])
        (status, output) = try await run(["HTTP_PROXY=\(proxy.url)"], [origin.url + "/2"])
        #expect(status == 0, "\(output)")
        #expect(origin.requests.map(\.target) == ["/2"])
        (status, output) = try await run(["all_proxy=\(proxy.url)"], [origin.url + "/3"])
        #expect(status == 0, "\(output)")
        #expect(proxy.requests.map(\.target).last == origin.url + "/3")
    }

    @Test("Given no_proxy, then its hosts are connected to directly, also with --proxy")
    func noProxyOfTheEnvironmentExceptsHosts() async throws {
        let (proxy, origin) = (try proxy(), try LoopbackServer { _ in .text("origin") })
        let direct = "no_proxy=127.0.0.1"
        var (status, output) = try await run(
            ["http_proxy=\(proxy.url)", direct],
            [origin.url + "/1"]
        )
        #expect(status == 0, "\(output)")
        (status, output) = try await run([direct], ["--proxy", proxy.url, origin.url + "/2"])
        #expect(status == 0, "\(output)")
        #expect(origin.requests.map(\.target) == ["/1", "/2"])
        (status, output) = try await run(
            [direct],
            ["--proxy", proxy.url, "--no-proxy", "", origin.url + "/3"]
        )
        #expect(status == 0, "\(output)")
        #expect(proxy.requests.map(\.target) == [origin.url + "/3"])
    }

    @Test(
        "Given http_proxy, then --proxy '' and --no-proxy connect directly",
        arguments: [["--proxy", ""], ["--no-proxy", "*"], ["--no-proxy", "x.test, 127.0.0.1"]]
    )
    func optionsOverrideTheEnvironment(options: [String]) async throws {
        let (proxy, origin) = (try proxy(), try LoopbackServer { _ in .text("origin") })
        let (status, output) = try await run(
            ["http_proxy=\(proxy.url)"],
            options + [origin.url + "/"]
        )
        #expect(status == 0, "\(output)")
        #expect(origin.requestCount == 1 && proxy.requestCount == 0)
    }

    @Test("Given a proxy in a settings file, then it is used, and a dry run doesn't print it")
    func settingsFileNamesTheProxy() async throws {
        let proxy = try proxy()
        let file = try folder.write(
            "proxy = \"u:\(Self.secret)@127.0.0.1:\(proxy.port)\"\nno-proxy = \"\"\n",
            to: "settings.toml"
        )
        let url = "http://origin.invalid/"
        var (status, output) = try await run(["--config", file, "--dry-run", url])
        #expect(status == 0 && !output.contains(Self.secret), "\(output)")
        #expect(proxy.requestCount == 0)
        (status, output) = try await run(["--config", file, url])
        #expect(status == 0, "\(output)")
        #expect(try await proxy.request(0).header("Proxy-Authorization") == "Basic dTpzM2NyZXQ=")
    }

    // MARK: Mistakes

    @Test(
        "Given an invalid proxy, then the command exits with 2 and doesn't repeat its password",
        arguments: [
            ("ftp://u:s3cret@proxy", "--proxy has an unknown scheme; use http, https, socks4"),
            ("http://u:s3cret@proxy:http", "--proxy has a port that is no number"),
            ("http://u:s3cret@proxy:99999", "--proxy has the port 99999; give a port from 1 to"),
            ("http://u:s3cret@", "--proxy is neither a host's name"),
            ("http://u:s3cret%@proxy", "--proxy has a user or password that isn't properly"),
        ]
    )
    func invalidProxyExitsWith2(address: String, message: String) async throws {
        for options in [["--dry-run"], []] {
            let (status, output) = try await run(
                options + ["--proxy", address, "http://origin.invalid/"]
            )
            #expect(status == 2, "\(output)")
            #expect(output.contains(message) && !output.contains(".."), "\(output)")
            #expect(!output.contains(Self.secret))
        }
        let (status, output) = try await run(
            ["http_proxy=\(address)"],
            ["http://origin.invalid/"]
        )
        #expect(status == 2, "\(output)")
        #expect(output.contains("environment variable http_proxy"), "\(output)")
        #expect(!output.contains(Self.secret))
    }
}
