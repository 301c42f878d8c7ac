import Foundation
import TestSupport
import Testing

/// Runs the command as its users do.
@Suite(.timeLimit(.minutes(10))) struct CommandTests {
    let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    @Test(arguments: ["<&-", ">&-", "</dev/null >&- 2>&-"])
    func runSucceedsWithAClosedStandardFile(_ closing: String) throws {
        let server = try LoopbackServer { _ in .text("here") }
        let list = try folder.write("\(server.url)/a\n", to: "list.txt")
        let results = folder.path("results.jsonl")
        let (status, output) = try ChildProcess.run([
            "/bin/sh", "-c", "exec \"$0\" --results \"$1\" \"$2\" \(closing)",
            try CommandRun.executable(), results, list,
        ])
        #expect(status == 0, "\(output)")
        #expect(try folder.read("results.jsonl").count(where: { $0 == 0x0A }) == 1)
        #expect(server.requestCount == 1)
    }

    @Test func closedStandardInputAsListExitsWith3() throws {
        let (status, _) = try ChildProcess.run([
            "/bin/sh", "-c", "exec timeout -k 1 60 \"$0\" --discard - <&-",
            try CommandRun.executable(),
        ])
        #expect(status == 3)
    }

    @Test("Given a certificate file that can't be read, then the command exits with 2 and names it")
    func unreadableCertificatesExitWith2() throws {
        let missing = folder.path("none.pem")
        let (status, output) = try ChildProcess.run([
            "/usr/bin/env", "SSL_CERT_FILE=\(missing)", try CommandRun.executable(), "--discard",
            try folder.write("https://localhost/\n", to: "list.txt"),
        ])
        #expect(status == 2, "\(output)")
        #expect(output.contains("SSL_CERT_FILE names “\(missing)”"), "\(output)")
    }

    @Test func listIsFetchedIntoAFolder() async throws {
        let server = try LoopbackServer { .text("body of \($0.target)") }
        let list = try folder.write(
            "# a list\n\n\(server.url)/a\r\n\(server.url)/b?c\n",
            to: "list.txt"
        )
        let ending = try await CommandRun.ending(
            "--output",
            folder.path("out"),
            "--results",
            folder.path("results.jsonl"),
            list
        )
        #expect(ending.status == 0, "\(ending)")
        #expect(ending.output.hasPrefix("2 fetched, 0 failed, 22 B in "))
        let results = try ResultLine.lines(
            String(decoding: try folder.read("results.jsonl"), as: UTF8.self)
        )
        #expect(Set(results.map(\.url)) == ["\(server.url)/a", "\(server.url)/b?c"])
        for result in results {
            #expect(result.ok && result.status == 200 && result.error == nil)
            #expect(result.attempts == 1 && result.final_url == result.url)
            #expect(result.content_type == "text/plain" && result.http_version == "1.1")
            #expect(result.t.total ?? 0 > 0)
            let path = try #require(result.path)
            let body = try Data(contentsOf: URL(fileURLWithPath: folder.path("out/\(path)")))
            #expect(String(decoding: body, as: UTF8.self).hasPrefix("body of /"))
            #expect(result.bytes == body.count)
        }
    }

    @Test("Results of an earlier run are replaced only with --overwrite-results")
    func resultsAreReplacedOnRequestOnly() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let arguments = ["--results", folder.path("results"), server.url + "/"]
        #expect(try await CommandRun(arguments).ending().status == 0)
        let before = try folder.read("results")
        let refused = try await CommandRun(arguments).ending()
        #expect(refused.status == 2, "\(refused)")
        #expect(refused.errors.contains("--overwrite-results"), "\(refused)")
        #expect(try folder.read("results") == before && server.requestCount == 1)
        let replaced = try await CommandRun(["--overwrite-results"] + arguments).ending()
        #expect(replaced.status == 0 && server.requestCount == 2, "\(replaced)")
        #expect(try folder.read("results").count { $0 == 0x0A } == 1)
    }

    @Test func urlsAreFetchedWhileTheListIsStillWritten() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let run = try CommandRun(["--quiet", "--results", "-", "-"])
        try run.write("\(server.url)/first\n")
        // Fetched before the end of the list.
        _ = try await run.output(containing: "/first")
        try run.write("\(server.url)/second")
        try run.closeInput()
        let ending = try await run.ending()
        #expect(ending.status == 0, "\(ending)")
        #expect(ending.errors == "")
        let urls = try ResultLine.lines(ending.output).map(\.url)
        #expect(urls == ["\(server.url)/first", "\(server.url)/second"])
    }

    @Test("A reader of the standard output gets each line without a delay")
    func linesOnStandardOutputComeAtOnce() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let run = try CommandRun(["--quiet", "--results", "-", "-"])
        var shortest = Duration.seconds(60)
        for number in 1...20 {
            let start = ContinuousClock.now
            try run.write("\(server.url)/\(number)\n")
            _ = try await run.output(containing: "/\(number)\",")
            shortest = min(shortest, ContinuousClock.now - start)
        }
        // It was a second for each line. A busy machine delays some of them, but not all.
        #expect(shortest < .milliseconds(500))
        try run.closeInput()
        #expect(try await run.ending().status == 0)
    }

    @Test func failedURLsAreListedAndExitWith1() async throws {
        let server = try LoopbackServer {
            $0.target == "/missing" ? .status(404) : .text("x")
        }
        let ending = try await CommandRun.ending(
            "-",
            input: """
                \(server.url)/a
                \(server.url)/missing
                not a url
                http://user:secret@host:port/
                \(server.url)/\(String(repeating: "x", count: 20_000))
                \(server.url)/b
                """
        )
        #expect(ending.status == 1, "\(ending)")
        #expect(ending.output.hasPrefix("2 fetched, 4 failed, "))
        for line in [
            "  2  invalid_url, first on line 3: “not…” contains a space: write %20",
            "  1  line_too_long, first on line 5: line 5 is too long",
            "  1  status 404, first on line 2: the server answered 404",
        ] {
            #expect(ending.output.contains(line), "\(ending.output)")
        }
        #expect(!(ending.output + ending.errors).contains("secret"))
    }

    @Test(arguments: [
        (["--concurrency", "0", "x"], "--concurrency is 0: use 1 or more."),
        (["-c", "-5", "x"], "--concurrency is -5: use 1 or more."),
        (["--per-host", "-1", "x"], "--per-host is -1: use 1 or more."),
        (["--retries", "-1", "x"], "--retries is -1: use 0 or more."),
        (["--retries=-1", "x"], "--retries is -1: use 0 or more."),
        (["--retries", "two", "x"], "--retries"),
        (["--timeout", "-1", "x"], "--timeout is -1.0: use seconds, 0.001 or more."),
        (["--timeout", "0", "x"], "--timeout is 0.0: use seconds, 0.001 or more."),
        (["--timeout", "nan", "x"], "--timeout"),
        (["--output", "a", "--discard", "x"], "--output and --discard exclude each other"),
        (["--output", "", "x"], "--output is empty"),
        (["--unknown", "x"], "--unknown"),
        ([], "<file>"),
        (["--host-rule", "x.org", "x"], "host: name=value"),
        (["--host-rule", "x.org: rate=fast", "x"], "rate is “fast”"),
        (["--host-rate", "5/w", "x"], "“5/w” is not a rate: use 5/s, 30/m or 100/h."),
        (["--delay", "soon", "x"], "“soon” is not a duration: use 2s, 500ms, 5m or 1h."),
        (["--connect-timeout", "0", "x"], "“0” is not a timeout"),
        (["--bandwidth", "much", "x"], "“much” is not a number of bytes"),
        (["--retry-budget", "-1", "x"], "--retry-budget is -1.0: use 0 or more."),
        (["--robots", "maybe", "x"], "maybe"),
        (["--fail-on", "120%", "x"], "120%"),
        (["--metrics", "0.0.0.0:9464", "x"], "use 127.0.0.1 and a port"),
        (["--journal", "j", "x"], "--journal needs results in a file: add --results FILE."),
        (
            ["--journal", "j", "--results", "-", "x"],
            "--journal needs results in a file: add --results FILE."
        ),
        (["--journal", "j", "--results", "r", "-", "x"], "add --spool FILE"),
        (
            ["--journal", "j", "--results", "r", "-o", "d", "--existing", "skip", "-"],
            "--journal of standard input can't keep existing files (--existing skip)"
        ),
        (
            ["--report", "-", "--results", "-", "x"],
            "--results - and --report - write to standard output"
        ),
        (["--report", "", "x"], "--report is empty"),
        (["--spool", "s", "x"], "--spool copies standard input"),
        (["--journal-interval", "5", "x"], "--journal-interval needs --journal FILE"),
        (["--max-crawl-delay", "5s", "x"], "--max-crawl-delay needs --robots on"),
        (["--overwrite-results", "x"], "--overwrite-results needs --results FILE"),
        (
            ["--overwrite-results", "--journal", "j", "--results", "r", "x"],
            "exclude each other: remove one"
        ),
        (["-", "-"], "use - once"),
        (["--format", "xml", "x"], "--format"),
        (["--base", "x", "/dev/null"], "the base URL is invalid"),
        (["demo", "--objects", "-1"], "--objects is -1: use 0 or more."),
        (["demo", "x"], "x"),
    ])
    func wrongUsageIsReportedAndExitsWith2(arguments: [String], message: String) async throws {
        let run = try CommandRun(arguments)
        try run.closeInput()
        let ending = try await run.ending()
        #expect(ending.status == 2, "\(ending)")
        #expect(ending.errors.contains(message), "\(ending.errors)")
        #expect(ending.output == "")
    }

    @Test(arguments: [
        (["/does/not/exist"], 3, "cannot open “/does/not/exist”: No such file or directory"),
        (["/tmp"], 3, "cannot read “/tmp”: Is a directory"),
        (["--output", "/dev/null/x", "/dev/null"], 4, "cannot create folder “/dev/null/x”"),
        (["--results", "/does/not/exist", "/dev/null"], 4, "cannot open “/does/not/exist”"),
    ])
    func inputAndOutputErrorsHaveTheirOwnExitStatus(
        arguments: [String],
        status: Int32,
        message: String
    ) async throws {
        let run = try CommandRun(arguments)
        try run.closeInput()
        let ending = try await run.ending()
        #expect(ending.status == status, "\(ending)")
        #expect(ending.errors.contains(message), "\(ending.errors)")
    }

    @Test func helpHasExamples() async throws {
        for arguments in [["--help"], ["demo", "--help"]] {
            let run = try CommandRun(arguments)
            try run.closeInput()
            let ending = try await run.ending()
            #expect(ending.status == 0)
            #expect(ending.output.contains("EXAMPLES"))
        }
    }

    @Test func helpWarnsThatResultsContainUserInfo() async throws {
        let help = try await CommandRun.ending("--help").output
        let words = help.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.contains("as the list has it, user name and password included"), "\(help)")
    }

    @Test func emptyListExitsWith0() async throws {
        let ending = try await CommandRun.ending("-")
        #expect(ending.status == 0)
        #expect(ending.output.hasPrefix("0 fetched, 0 failed, "))
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func signalEndsTheRunWithCompleteResults(signal: Int32) async throws {
        let server = try LoopbackServer {
            $0.target == "/quick" ? .text("x") : .text("never").after(Gate())
        }
        let run = try CommandRun([
            "--results", folder.path("results"), "--per-host", "4", "--grace", "50ms", "-",
        ])
        try run.write("\(server.url)/quick\n")
        for number in 0..<20 { try run.write("\(server.url)/slow/\(number)\n") }
        // The list stays open: the command waits for more lines.
        try await server.requests(count: 5)
        run.signal(signal)
        let ending = try await run.ending()
        #expect(ending.status == 128 + signal, "\(ending)")
        #expect(ending.output.hasPrefix("1 fetched, 4 failed, "), "\(ending)")
        let results = try ResultLine.lines(
            String(decoding: try folder.read("results"), as: UTF8.self)
        )
        #expect(results.count == 5)
        #expect(results.filter(\.ok).map(\.url) == ["\(server.url)/quick"])
        #expect(results.count { $0.error?.code == "cancelled" } == 4)
    }

    @Test func demoFetchesAndVerifiesItsObjects() async throws {
        let ending = try await CommandRun.ending("demo", "--objects", "1500", "-c", "50")
        #expect(ending.status == 0, "\(ending)")
        #expect(ending.output.hasPrefix("1,500 fetched, 0 failed, "))
    }

    @Test func failedWriteOfResultsEndsTheRun() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let run = try CommandRun(["--results", "/dev/full", "-"])
        try run.write("\(server.url)/\n")
        try run.closeInput()
        let ending = try await run.ending()
        #expect(ending.status == 4, "\(ending)")
        #expect(ending.errors.contains("No space left on device"))
    }
}
