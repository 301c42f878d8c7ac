import Posix
import TestSupport
import Testing

/// Cookies of the command's runs.
@Suite(.timeLimit(.minutes(10))) struct CookieCommandTests {
    let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func run(_ arguments: [String]) async throws -> CommandRun.Ending {
        try await CommandRun.ending(["--retries", "0"] + arguments)
    }

    /// A server that sets a cookie and redirects to the same URL until it gets the cookie.
    private func wall() throws -> LoopbackServer {
        try LoopbackServer { request in
            guard request.header("Cookie") == nil else { return .text("inside") }
            return .redirect(to: request.target).header("Set-Cookie", "pass=s3cret; Path=/")
        }
    }

    @Test("Given a page that sets a cookie and redirects to itself, then --cookies passes it")
    func wallsArePassed() async throws {
        let server = try wall()
        var ending = try await run([server.url + "/a"])
        #expect(ending.status == 1 && ending.output.contains("too_many_redirects"), "\(ending)")
        let before = server.requestCount
        ending = try await run([
            "--cookies", "--per-host", "1", "--log-level", "trace", "--results", "-",
            server.url + "/a", server.url + "/b",
        ])
        #expect(ending.status == 0, "\(ending)")
        #expect(!(ending.output + ending.errors).contains("s3cret"))
        let cookies = server.requests[before...].map { $0.headers("Cookie") }
        #expect(cookies == [[], ["pass=s3cret"], ["pass=s3cret"]])
    }

    @Test("Given hosts of two owners, then each gets its own cookies, and robots.txt none")
    func cookiesStayWithTheirOwner() async throws {
        let server = try LoopbackServer { request in
            let host = request.header("Host") ?? ""
            let port = host.split(separator: ":").last ?? ""
            let next = { (name: String) in Reply.redirect(to: "http://\(name):\(port)/") }
            if request.target == "/robots.txt" { return .text("") }
            return
                switch host.split(separator: ":")[0]
            {
            case "a.example.com":
                next("b.example.com").header("Set-Cookie", "own=1")
                    .header("Set-Cookie", "shared=2; Domain=example.com")
                    .header("Set-Cookie", "wide=3; Domain=com")
            case "b.example.com": next("other.org").header("Set-Cookie", "b=4")
            default: .text("end")
            }
        }
        let names = ["a.example.com", "b.example.com", "other.org"]
        let ending = try await run(
            ["--cookies", "--robots", "on"]
                + names.flatMap { ["--resolve", "\($0):\(server.port):127.0.0.1"] } + [
                    "http://a.example.com:\(server.port)/"
                ]
        )
        #expect(ending.status == 0, "\(ending)")
        let pages = server.requests.filter { $0.target == "/" }
        #expect(pages.map { $0.header("Cookie") } == [nil, "shared=2", nil])
        let robots = server.requests.filter { $0.target != "/" }
        #expect(robots.count == 3 && robots.allSatisfy { $0.header("Cookie") == nil })
    }

    @Test("Given a line with its own Cookie field, then no other cookies are sent")
    func ownFieldReplacesCookies() async throws {
        let server = try LoopbackServer { _ in .text("x").header("Set-Cookie", "a=1; Path=/") }
        let list = try folder.write(
            """
            {"url": "\(server.url)/1"}
            {"url": "\(server.url)/2", "headers": {"Cookie": "own=2"}}
            {"url": "\(server.url)/3"}
            """,
            to: "list.jsonl"
        )
        let ending = try await run(["--cookies", "--per-host", "1", list])
        #expect(ending.status == 0, "\(ending)")
        let cookies = server.requests.map { $0.headers("Cookie") }
        #expect(cookies == [[], ["own=2"], ["a=1"]])
    }

    @Test("Given --cookie-jar, then the next run has the cookies, and only the owner the file")
    func jarKeepsCookies() async throws {
        let server = try wall()
        let jar = folder.path("jar.txt")
        var ending = try await run(["--cookie-jar", jar, server.url + "/a"])
        #expect(ending.status == 0, "\(ending)")
        #expect(try FileSystem.permissions(of: jar) == 0o600)
        let text = String(decoding: try folder.read("jar.txt"), as: UTF8.self)
        #expect(text.hasSuffix("127.0.0.1\tFALSE\t/\tFALSE\t0\tpass\ts3cret\n"), "\(text)")
        let before = server.requestCount
        ending = try await run(["--cookie-jar", jar, server.url + "/b"])
        #expect(ending.status == 0, "\(ending)")
        #expect(server.requests[before...].map { $0.headers("Cookie") } == [["pass=s3cret"]])
    }

    @Test("Given a signal, then the jar is written")
    func jarIsWrittenAfterASignal() async throws {
        let server = try LoopbackServer { request in
            request.target == "/a"
                ? .text("x").header("Set-Cookie", "a=1") : .text("late").after(Gate())
        }
        let jar = folder.path("jar.txt")
        let run = try CommandRun(["--cookie-jar", jar, "--per-host", "1", "--grace", "1ms", "-"])
        try run.write("\(server.url)/a\n\(server.url)/b\n")
        try await server.requests(count: 2)
        run.signal(15)
        let ending = try await run.ending()
        #expect(ending.status == 143, "\(ending)")
        let text = String(decoding: try folder.read("jar.txt"), as: UTF8.self)
        #expect(text.contains("\ta\t1\n"), "\(text)")
    }

    @Test("Given a jar that can't be used, then the command names it and fetches nothing")
    func unusableJarsAreReported() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let bad = try folder.write("127.0.0.1 FALSE / FALSE 0 a s3cret\n", to: "bad.txt")
        for (path, status, message) in [
            (bad, 2, "the cookie file “\(bad)”, line 1: a cookie has seven fields"),
            (folder.path, 4, "“\(folder.path)”"), ("/dev/null/x", 4, "/dev/null/x"),
            ("", 2, "--cookie-jar is empty"), ("-", 2, "--cookie-jar is -"),
        ] as [(String, Int32, String)] {
            let ending = try await run(["--cookie-jar", path, server.url + "/"])
            #expect(ending.status == status, "\(ending)")
            #expect(ending.errors.contains(message), "\(ending.errors)")
            #expect(!ending.errors.contains("s3cret"))
        }
        #expect(server.requestCount == 0)
    }
}
