import Curl
import TestSupport
import Testing

/// The command's options for the ends of connections.
@Suite(.timeLimit(.minutes(10))) struct AddressCommandTests {
    private func run(_ arguments: [String]) async throws -> CommandRun.Ending {
        try await CommandRun.ending(arguments)
    }

    @Test("Given --resolve, then the host isn't looked up, also after a redirect")
    func namesHaveOtherAddresses() async throws {
        let server = try LoopbackServer { request in
            let next = request.header("Host")?.replacing("one", with: "two") ?? ""
            return request.target == "/1" ? .redirect(to: "http://\(next)/2") : .text("x")
        }
        let port = server.port
        let ending = try await run([
            "--resolve", "one.test:\(port):127.0.0.1", "--resolve",
            "TWO.test:\(port):[::1],127.0.0.1", "http://one.test:\(port)/1",
        ])
        #expect(ending.status == 0, "\(ending)")
        let hosts = server.requests.map { $0.header("Host") }
        #expect(hosts == ["one.test:\(port)", "two.test:\(port)"])
    }

    /// The results contain the URL as it was written.
    @Test(
        "Given a host name with letters beyond ASCII, then the server gets its ASCII form",
        arguments: ["C", "C.UTF-8", ""]
    )
    func internationalNamesAreConverted(locale: String) async throws {
        let server = try LoopbackServer { request in
            request.target == "/1"
                ? .redirect(to: "http://\(request.header("Host") ?? "")/2") : .text("x")
        }
        let port = server.port
        let program = try CommandRun.executable()
        let (status, output) = try await NativeThread.run {
            try ChildProcess.run(
                [
                    program, "--resolve", "xn--bcher-kva.example:\(port):127.0.0.1", "--retries",
                    "0", "--results", "-", "http://bücher.example:\(port)/1",
                ],
                environment: ["LC_ALL": locale]
            )
        }
        #expect(status == 0, "\(output)")
        #expect(output.contains("http://bücher.example:\(port)/1"))
        let hosts = server.requests.map { $0.header("Host") }
        #expect(hosts == Array(repeating: "xn--bcher-kva.example:\(port)", count: 2))
    }

    @Test("Both forms of a host name with letters beyond ASCII are one host, with one robots.txt")
    func formsOfAnInternationalNameAreOneHost() async throws {
        let server = try LoopbackServer { _ in .text("") }
        let port = server.port
        let isConverted = CurlVersion.current.isAtLeast(7, 88)
        let name = isConverted ? "BÜCHER.example" : "xn--bcher-kva.example"
        let ending = try await run([
            "--robots", "on", "--resolve", "\(name):\(port):127.0.0.1",
            "http://bücher.example:\(port)/1", "http://xn--bcher-kva.example:\(port)/2",
        ])
        #expect(ending.status == 0, "\(ending)")
        let count = server.requests.count { $0.target == "/robots.txt" }
        #expect(count == (isConverted ? 1 : 2), "\(ending)")
    }

    @Test(
        "Given --interface, then connections come from it",
        arguments: ["lo", "127.0.0.1", "host!127.0.0.1"]
    )
    func connectionsComeFromTheInterface(name: String) async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let ending = try await run(["--interface", name, server.url + "/"])
        #expect(ending.status == 0, "\(ending)")
        #expect(server.requestCount == 1)
    }

    @Test("Given an address of another machine, then no connection can be made from it")
    func foreignAddressFails() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let ending = try await run([
            "--interface", "192.0.2.1", "--retries", "0", server.url + "/",
        ])
        #expect(ending.status == 1, "\(ending)")
        #expect(server.requestCount == 0)
    }

    @Test("Given --unix-socket, then all URLs are fetched from it")
    func socketReplacesHosts() async throws {
        let folder = try TemporaryDirectory()
        let path = folder.path("socket")
        var options = ServerOptions()
        options.address = .unix(path: path)
        let server = try LoopbackServer(options: options) { _ in .text("x") }
        let ending = try await run([
            "--unix-socket", path, "http://a.invalid/1", "http://b.invalid:81/2",
        ])
        #expect(ending.status == 0, "\(ending)")
        let hosts = server.requests.map { $0.header("Host") }
        #expect(Set(hosts) == ["a.invalid", "b.invalid:81"])
    }

    @Test("Given a unix socket that doesn't exist, then the failure names its path")
    func missingSocketIsNamed() async throws {
        let path = try TemporaryDirectory().path("none")
        let ending = try await run(["--unix-socket", path, "--retries", "0", "http://a.invalid/"])
        #expect(ending.status == 1, "\(ending)")
        #expect(
            ending.output.contains("connections go to the unix socket “\(path)”"),
            "\(ending)"
        )
    }

    @Test(
        "Given an invalid value, then the command exits with 2",
        arguments: [
            (["--resolve", "a.test"], "“a.test” is invalid: write host:port:address"),
            (["--resolve", "a.test:0:127.0.0.1"], "write host:port:address"),
            (["--resolve", "a.test:80:b.test"], "after the port, write IP addresses"),
            (["--resolve", "127.0.0.1:80:127.0.0.2"], "the host is an address"),
            (["--resolve", "*:80:127.0.0.2"], "the host is no name in ASCII"),
            (["--interface", "a name"], "localInterface is no name of a network interface"),
            (["--interface", "host!lo"], "localInterface is no IP address"),
            (["--unix-socket", String(repeating: "x", count: 108)], "unixSocket has 108 bytes"),
            (["--unix-socket", ""], "--unix-socket is empty"),
        ]
    )
    func invalidValuesExitWith2(options: [String], message: String) async throws {
        for dry in [[], ["--dry-run"]] {
            let ending = try await run(options + dry + ["http://a.invalid/"])
            #expect(ending.status == 2, "\(ending)")
            #expect(ending.errors.contains(message), "\(ending.errors)")
        }
    }
}
