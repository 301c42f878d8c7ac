import TestSupport
import Testing

/// Header fields and credentials of the command's requests.
@Suite(.timeLimit(.minutes(10))) struct CredentialCommandTests {
    private static let secret = "s3cret"
    /// `u:s3cret` as Basic.
    private static let basic = "Basic dTpzM2NyZXQ="

    let folder: TemporaryDirectory
    let server: LoopbackServer
    /// Has another port, and thus another origin.
    let other: LoopbackServer

    init() throws {
        folder = try TemporaryDirectory()
        let other = try LoopbackServer { request in
            request.target.hasPrefix("/back")
                ? .redirect(to: "\(request.target.dropFirst(5))") : .text("other")
        }
        self.other = other
        server = try LoopbackServer { request in
            switch request.path {
            case "/same": .redirect(to: "/target")
            case "/away": .redirect(to: other.url + "/target")
            default: .text("x")
            }
        }
    }

    private func run(_ arguments: [String]) async throws -> CommandRun.Ending {
        try await CommandRun.ending(arguments)
    }

    // MARK: Fields

    @Test("Given --header, then all requests have the field, except those with their own")
    func fieldOfALineTakesPrecedence() async throws {
        let list = try folder.write(
            """
            {"url": "\(server.url)/1"}
            {"url": "\(server.url)/2", "headers": {"x-a": "own"}}
            """,
            to: "list.jsonl"
        )
        let fields = try folder.write("X-C: from a file\n\nX-D;\n", to: "fields")
        let ending = try await run([
            "--header", "X-A: general", "--header", "X-B;", "--header", "Accept:", "--header",
            "User-Agent:", "--header", "@\(fields)", list,
        ])
        #expect(ending.status == 0, "\(ending)")
        let requests = server.requests.sorted { $0.target < $1.target }
        #expect(requests.map { $0.headers("X-A") } == [["general"], ["own"]])
        for request in requests {
            #expect(request.headers("X-B") == [""] && request.headers("X-D") == [""])
            #expect(request.headers("X-C") == ["from a file"])
            #expect(request.headers("Accept") == [] && request.headers("User-Agent") == [])
        }
    }

    @Test(
        "Given a redirect to another origin, of robots.txt or not, then it gets only harmless fields",
        arguments: [[], ["--robots", "on"]]
    )
    func privateFieldsStayAtTheirOrigin(options: [String]) async throws {
        let other = other
        let server = try LoopbackServer { request in
            switch request.path {
            case "/same": .redirect(to: "/target")
            case "/robots.txt", "/away": .redirect(to: other.url + request.path)
            default: .text("x")
            }
        }
        let ending = try await run(
            options + [
                "--header", "X-API-Key: \(Self.secret)", "--header", "Cookie: a=\(Self.secret)",
                "--header", "X-Sid: \(Self.secret)", "--header", "Accept-Language: de",
                server.url + "/away", server.url + "/same",
            ]
        )
        #expect(ending.status == 0, "\(ending)")
        #expect(server.requests.count == (options.isEmpty ? 3 : 4))
        for request in server.requests {
            #expect(request.header("X-API-Key") == Self.secret)
            #expect(request.header("X-Sid") == Self.secret)
            #expect(request.headers("Cookie") == ["a=\(Self.secret)"])
        }
        #expect(other.requests.contains { $0.path == "/away" })
        #expect(other.requests.contains { $0.path == "/robots.txt" } == !options.isEmpty)
        for request in other.requests {
            #expect(request.header("X-API-Key") == nil && request.header("X-Sid") == nil)
            #expect(request.header("Cookie") == nil)
            #expect(request.header("Accept-Language") == "de")
        }
    }

    @Test("Given --header 'Name:', then no other option adds the field")
    func omittedFieldsAreNotAdded() async throws {
        let server = try LoopbackServer { _ in .text("x").header("Set-Cookie", "a=1") }
        let netrc = try folder.write("default login u password \(Self.secret)\n", to: "logins")
        for credentials in [
            ["--user", "u:\(Self.secret)"], ["--netrc-file", netrc],
            ["--user", "u:\(Self.secret)", "--aws-sigv4", "aws:amz:eu-west-1:s3"],
        ] {
            let ending = try await run(
                credentials + [
                    "--header", "Authorization:", "--header", "Cookie:", "--header",
                    "Accept-Encoding:", "--cookies", "--no-decode", "--per-host", "1",
                    server.url + "/1", server.url + "/2",
                ]
            )
            #expect(ending.status == 0, "\(ending)")
        }
        #expect(server.requestCount == 6)
        for request in server.requests {
            #expect(request.header("Authorization") == nil && request.header("Cookie") == nil)
            #expect(request.header("Accept-Encoding") == nil)
        }
    }

    @Test("Given --header User-Agent, then robots.txt is obeyed for that agent")
    func userAgentOfHeaderDecidesTheRobotsRules() async throws {
        let server = try LoopbackServer { request in
            .text(request.target == "/robots.txt" ? "User-agent: mine\nDisallow: /\n" : "x")
        }
        let ending = try await run([
            "--robots", "on", "--header", "User-Agent: mine/1", server.url + "/",
        ])
        #expect(ending.status == 1, "\(ending)")
        #expect(server.requests.map { $0.header("User-Agent") } == ["mine/1"])
    }

    // MARK: Credentials

    @Test("Given --user, then the list's hosts get it, and targets of redirects elsewhere don't")
    func userIsSentToTheOriginOfTheURL() async throws {
        let own = server.url.replacing("http://", with: "http://own:own@")
        let ending = try await run([
            "--user", "u:\(Self.secret)", "--robots", "on", server.url + "/away",
            server.url + "/same", own + "/own",
        ])
        #expect(ending.status == 0, "\(ending)")
        for request in server.requests {
            let expected = request.target == "/own" ? "Basic b3duOm93bg==" : Self.basic
            #expect(request.headers("Authorization") == [expected], "\(request.target)")
        }
        #expect(server.requests.map(\.target).contains("/robots.txt"))
        for request in other.requests { #expect(request.header("Authorization") == nil) }
        #expect(other.requests.map(\.target).sorted() == ["/robots.txt", "/target"])
    }

    @Test("Given redirects to another origin and back, then --user isn't sent again")
    func userIsNotSentAfterAWayBack() async throws {
        let other = other
        let server = try LoopbackServer { request in
            request.target == "/start"
                ? .redirect(to: "\(other.url)/back\(request.header("X-Back") ?? "")") : .text("x")
        }
        let ending = try await run([
            "--user", "u:\(Self.secret)", "--header", "X-Back: \(server.url)/end",
            server.url + "/start",
        ])
        #expect(ending.status == 0, "\(ending)")
        #expect(server.requests.map(\.target) == ["/start", "/end"])
        #expect(server.requests.map { $0.header("Authorization") } == [Self.basic, nil])
    }

    @Test("Given .netrc files, then each host gets its login")
    func netrcLoginsAreSentToTheirHosts() async throws {
        let text = "machine 127.0.0.1 login u password \(Self.secret)\n"
        let file = try folder.write(text, to: "logins")
        _ = try folder.write(text, to: ".netrc")
        let local = server.url.replacing("127.0.0.1", with: "localhost")
        var ending = try await run([
            "--netrc-file", file, server.url + "/1", server.url + "/away", local + "/3",
        ])
        #expect(ending.status == 0, "\(ending)")
        for request in server.requests {
            let isKnown = request.target != "/3"
            #expect(request.header("Authorization") == (isKnown ? Self.basic : nil))
        }
        #expect(try await other.request(0).header("Authorization") == nil)
        let program = try CommandRun.executable()
        let home = CommandRunHome(path: folder.path)
        let result = try await home.run(program, ["--netrc", server.url + "/4"])
        #expect(result.status == 0, "\(result)")
        #expect(server.requests.last?.header("Authorization") == Self.basic)
        ending = try await run(["--netrc-file", folder.path("none"), server.url + "/5"])
        #expect(ending.status == 2 && ending.errors.contains("“\(folder.path("none"))”"))
    }

    @Test("Given --bearer-file, then the token is sent; a file of several words is an error")
    func bearerTokenComesFromAFile() async throws {
        let file = try folder.write("\(Self.secret)\n", to: "token")
        var ending = try await run(["--bearer-file", file, server.url + "/away"])
        #expect(ending.status == 0, "\(ending)")
        #expect(try await server.request(0).header("Authorization") == "Bearer \(Self.secret)")
        #expect(try await other.request(0).header("Authorization") == nil)
        let two = try folder.write("\(Self.secret) x\n", to: "two")
        ending = try await run(["--bearer-file", two, server.url + "/"])
        #expect(ending.status == 2, "\(ending)")
        #expect(ending.errors.contains("“\(two)” has more than one word"))
        #expect(!ending.errors.contains(Self.secret))
    }

    // MARK: Secrecy

    @Test("Given secrets in all options, then no file and no output of the run has them")
    func secretsAppearNowhere() async throws {
        let list = try folder.write("\(server.url)/1\n\(server.url)/away\n", to: "list")
        let settings = try folder.write("user = \"u:\(Self.secret)\"\n", to: "settings.toml")
        let files = ["results", "journal", "report.html", "summary.json"]
        let ending = try await run([
            "--config", settings, "--header", "X-Token: \(Self.secret)", "--log-level", "trace",
            "--output", folder.path("out"), "--warc", "--results", folder.path(files[0]),
            "--journal", folder.path(files[1]), "--report", folder.path(files[2]),
            "--summary-json", folder.path(files[3]), list,
        ])
        #expect(ending.status == 0, "\(ending)")
        #expect(!(ending.output + ending.errors).contains(Self.secret))
        for file in files {
            let text = String(decoding: try folder.read(file), as: UTF8.self)
            #expect(!text.contains(Self.secret) && !text.contains(Self.basic), "\(file)")
        }
        // Credentials may change between two runs of a journal.
        let resumed = try await run([
            "--user", "u:other", "--output", folder.path("out"), "--warc", "--results",
            folder.path(files[0]), "--journal", folder.path(files[1]), list,
        ])
        #expect(resumed.status == 0, "\(resumed)")
        #expect(resumed.output.contains("2 were already done"), "\(resumed)")
        let plan = try await run(["--config", settings, "--dry-run", list])
        #expect(plan.status == 0 && !(plan.output + plan.errors).contains(Self.secret))
    }

    @Test(
        "Given a secret without quotes in a settings file, then the error doesn't repeat it",
        arguments: ["user = u:s3cret", "header = [s3cret]", "proxy = 's3cret", "user = 5s3cret"]
    )
    func malformedSettingsAreNotRepeated(text: String) async throws {
        let settings = try folder.write("\n\(text)\n", to: "settings.toml")
        let ending = try await run(["--config", settings, "http://origin.invalid/"])
        #expect(ending.status == 2, "\(ending)")
        #expect(ending.errors.contains("line 2: "), "\(ending.errors)")
        #expect(ending.errors.contains("needs valid text in quotes"), "\(ending.errors)")
        #expect(!ending.errors.contains(Self.secret))
    }

    @Test(
        "Given wrong usage, then the command exits with 2 and doesn't repeat the secret",
        arguments: [
            (["--user", "s3cret"], "--user has no colon: use NAME:PASSWORD."),
            (["--user", "u:s3cret", "--bearer-file", "f"], "exclude each other"),
            (["--header", "s3cret"], "--header: a header has no colon"),
            (["--header", "A: b", "--header", "a b: s3cret"], "--header (number 2): "),
            (["--bearer-file", ""], "--bearer-file is empty"),
            (["--header", "@/does/not/exist"], "cannot open “/does/not/exist”"),
        ]
    )
    func wrongUsageIsReported(options: [String], message: String) async throws {
        for dry in [[], ["--dry-run"]] {
            let ending = try await run(options + dry + ["http://origin.invalid/"])
            #expect(ending.status == 2, "\(ending)")
            #expect(ending.errors.contains(message), "\(ending.errors)")
            #expect(!ending.errors.contains(Self.secret))
        }
    }
}

/// Runs programs with another home folder.
private struct CommandRunHome {
    let path: String

    func run(_ program: String, _ arguments: [String]) async throws -> (
        status: Int32, output: String
    ) {
        try await NativeThread.run { [path] in
            try ChildProcess.run([program] + arguments, environment: ["HOME": path])
        }
    }
}
