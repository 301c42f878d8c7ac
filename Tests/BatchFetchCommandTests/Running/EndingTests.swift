import Foundation
import TestSupport
import Testing

/// What a command that ends early leaves behind, and its exit status.
@Suite(.timeLimit(.minutes(10))) struct EndingTests {
    let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func results() throws -> [ResultLine] {
        try ResultLine.lines(String(decoding: try folder.read("results"), as: UTF8.self))
    }

    @Test func journalIsResumableAfterASecondSignal() async throws {
        let gate = Gate()
        let server = try LoopbackServer {
            $0.target.hasPrefix("/quick") ? .text("x") : .text("late").after(gate)
        }
        let quick = (0..<50).map { "\(server.url)/quick/\($0)\n" }
        let slow = (0..<4).map { "\(server.url)/slow/\($0)\n" }
        let list = try folder.write((quick + slow).joined(), to: "list.txt")
        let arguments = [
            "--journal", folder.path("journal"), "--journal-interval", "1", "--results",
            folder.path("results"), "--grace", "10m", "--per-host", "8", "--stall-timeout", "1h",
            list,
        ]
        let run = try CommandRun(arguments)
        try run.closeInput()
        try await server.requests(count: 54)
        run.signal(SIGINT)
        _ = try await run.errors(containing: "stopping: no more URLs are started")
        run.signal(SIGTERM)
        #expect(try await run.ending().status == 128 + SIGTERM)
        gate.open()
        let again = try CommandRun(arguments)
        try again.closeInput()
        let ending = try await again.ending()
        #expect(ending.status == 0, "\(ending)")
        let lines = try results()
        #expect(lines.map(\.ordinal).sorted() == Array(1...54))
        #expect(!lines.contains { !$0.ok })
    }

    @Test(arguments: [
        (["--journal", "journal", "--results", "results"], ": repeat the same command to resume"),
        (["--results", "results"], "results and other --results fetches the rest"),
        ([], ": runs with --journal and --results"),
    ])
    func endedRunSaysHowToFetchTheRest(files: [String], advice: String) async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in .text("late").after(gate) }
        let list = try folder.write(
            (0..<200).map { "\(server.url)/\($0)\n" }.joined(),
            to: "list.txt"
        )
        let run = try CommandRun(
            files.map { $0.hasPrefix("--") ? $0 : folder.path($0) } + [
                "--grace", "10m", "--stall-timeout", "1h", list,
            ]
        )
        try run.closeInput()
        try await server.requests(count: 6)
        run.signal(SIGINT)
        _ = try await run.errors(containing: "stopping: no more URLs are started")
        gate.open()
        let ending = try await run.ending()
        #expect(ending.status == 128 + SIGINT)
        #expect(ending.output.contains("\nended early by SIGINT"), "\(ending)")
        #expect(ending.output.contains(advice), "\(ending)")
    }

    @Test("A run that --max-time ends exits with 124, says what is left, and can be resumed")
    func runEndedByItsTimeLimitIsResumable() async throws {
        let gate = Gate()
        let server = try LoopbackServer {
            $0.target.hasPrefix("/quick") ? .text("x") : .text("late").after(gate)
        }
        let paths = (0..<5).map { "/quick/\($0)" } + (0..<20).map { "/slow/\($0)" }
        let list = try folder.write(paths.map { "\(server.url)\($0)\n" }.joined(), to: "list.txt")
        let arguments = [
            "--journal", folder.path("journal"), "--results", folder.path("results"),
            "--summary-json", folder.path("summary"), "--stall-timeout", "1h", list,
        ]
        let run = try CommandRun(["--max-time", "3s", "--grace", "100ms"] + arguments)
        try run.closeInput()
        let ending = try await run.ending()
        #expect(ending.status == 124, "\(ending)")
        #expect(ending.errors.contains("batchfetch: the run reached its time limit of 3.00 s"))
        #expect(
            ending.output.contains(
                "ended early by --max-time, 14 URLs left: repeat the same command to resume"
            ),
            "\(ending)"
        )
        let summary = String(decoding: try folder.read("summary"), as: UTF8.self)
        #expect(summary.contains(#""ended_by":"--max-time","exit_status":124}"#), "\(summary)")
        gate.open()
        let again = try CommandRun(arguments)
        try again.closeInput()
        #expect(try await again.ending().status == 0)
        let lines = try results()
        #expect(lines.map(\.ordinal).sorted() == Array(1...25))
        #expect(!lines.contains { !$0.ok })
    }

    @Test(arguments: [16, 30, 65])
    func tooFewDescriptorsAreReported(limit: Int) async throws {
        let run = try CommandRun(
            program: "/bin/sh",
            [
                "-c", "ulimit -n \(limit) && exec \"$0\" --discard -",
                CommandRun.executable(),
            ]
        )
        try run.closeInput()
        let ending = try await run.ending()
        #expect(ending.status == 4, "\(ending)")
        #expect(
            ending.errors.contains(
                "the process may open only \(limit) files, and needs at least 66"
            ),
            "\(ending)"
        )
    }

    @Test func hangUpKeepsResultsThatHaveAJournal() async throws {
        let gate = Gate()
        let server = try LoopbackServer { $0.target == "/2" ? .text("x").after(gate) : .text("x") }
        let list = try folder.write("\(server.url)/1\n\(server.url)/2\n", to: "list.txt")
        let run = try CommandRun([
            "--journal", folder.path("journal"), "--results", folder.path("results"), list,
        ])
        try run.closeInput()
        try await server.requests(count: 2)
        run.signal(SIGHUP)
        run.signal(SIGUSR1)
        // The state is printed after SIGHUP has been handled.
        let state = try await run.errors(containing: "waiting")
        #expect(state.contains("in flight") && state.contains("after "), "\(state)")
        gate.open()
        #expect(try await run.ending().status == 0)
        #expect(try results().count == 2)
    }

    @Test func malformedLineOfAStrictListExitsWith3() async throws {
        let ending = try await CommandRun.ending("--strict", "-", input: "no url\n")
        #expect(ending.status == 3, "\(ending)")
    }

    @Test func existingFileDoesNotEndAStrictRun() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let arguments = ["--strict", "--existing", "error", "--output", folder.path("out"), "-"]
        for status in [0, 1] as [Int32] {
            let run = try CommandRun(arguments)
            try run.write("\(server.url)/a\n\(server.url)/b\n")
            try run.closeInput()
            let ending = try await run.ending()
            #expect(ending.status == status, "\(ending)")
        }
    }

    @Test(arguments: [("never", 0), ("any", 1), ("60%", 0), ("40%", 1)])
    func failOnCountsFailuresOfTheResumedRun(policy: String, status: Int32) async throws {
        let server = try LoopbackServer { .status($0.target == "/good" ? 200 : 404) }
        let list = try folder.write("\(server.url)/good\n\(server.url)/bad\n", to: "list.txt")
        for _ in 0..<2 {
            let ending = try await CommandRun.ending(
                "--fail-on",
                policy,
                "--journal",
                folder.path("journal"),
                "--results",
                folder.path("results"),
                list
            )
            #expect(ending.status == status, "\(ending)")
        }
        #expect(server.requestCount == 2)
    }

    @Test("SIGQUIT ends the process as it ends others, also with Swift's crash reports")
    func quitSignalEndsTheProcess() async throws {
        let server = try LoopbackServer { _ in .text("never").after(Gate()) }
        let run = try CommandRun(
            program: "/bin/sh",
            [
                "-c",
                "ulimit -c 0 && exec env SWIFT_BACKTRACE=enable=yes \"$0\" --stall-timeout 1h \"$1\"",
                CommandRun.executable(), server.url + "/",
            ]
        )
        try run.closeInput()
        try await server.requests(count: 1)
        run.signal(SIGQUIT)
        let ending = try await run.ending()
        #expect(ending.status == -SIGQUIT, "\(ending)")
        #expect(!ending.errors.contains("***"), "\(ending)")
    }

    @Test(
        "A pipe without a reader loses the summary; without any reader the command exits with 4",
        arguments: [("", "0\n"), ("2>&1", "4\n")]
    )
    func closedPipesAreReported(errors: String, status: String) async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in .text("x").after(gate) }
        let run = try CommandRun(
            program: "/bin/sh",
            [
                "-c",
                "{ \"$0\" \"$1\" \(errors); echo $? > \"$2\"; } | { exec <&-; echo closed >&2; }",
                CommandRun.executable(), server.url + "/", folder.path("status"),
            ]
        )
        try run.closeInput()
        _ = try await run.errors(containing: "closed")
        try await server.requests(count: 1)
        gate.open()
        let ending = try await run.ending()
        #expect(String(decoding: try folder.read("status"), as: UTF8.self) == status, "\(ending)")
    }

    @Test("A run whose list is a named pipe without a writer ends by --max-time")
    func namedPipeWithoutWriterEndsAtTheTimeLimit() async throws {
        let pipe = folder.path("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        let ending = try await CommandRun.ending("--max-time", "100ms", "--grace", "0s", pipe)
        #expect(ending.status == 124, "\(ending)")
    }

    @Test(
        "A signal ends a run whose list is a named pipe without a writer",
        arguments: [SIGINT, SIGTERM]
    )
    func signalEndsARunWithoutAWriter(signal: Int32) async throws {
        let pipe = folder.path("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        let run = try CommandRun(["--metrics", "127.0.0.1:0", pipe])
        _ = try await run.errors(containing: "/metrics\n")
        run.signal(signal)
        let ending = try await run.ending()
        #expect(ending.status == 128 + signal, "\(ending)")
    }

    @Test("A list that is a named pipe is read to its end, whichever side opens it first")
    func namedPipeIsReadToItsEnd() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let pipe = folder.path("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        let reader = "\"$0\" --discard \"$1\""
        let writer = "{ echo \"$2/1\"; echo \"$2/2\"; } > \"$1\""
        for script in ["\(writer) & \(reader)", "\(reader) & \(writer); wait $!"] {
            let run = try CommandRun(
                program: "/bin/sh",
                ["-c", script, CommandRun.executable(), pipe, server.url]
            )
            let ending = try await run.ending()
            #expect(ending.status == 0 && ending.output.hasPrefix("2 fetched"), "\(ending)")
        }
        #expect(server.requestCount == 4)
    }

    @Test(
        "A signal that the parent ignores has no effect, as with nohup",
        arguments: [("HUP", SIGHUP), ("INT", SIGINT), ("USR1", SIGUSR1)]
    )
    func ignoredSignalHasNoEffect(name: String, number: Int32) async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in .text("x").after(gate) }
        let run = try CommandRun(
            program: "/bin/sh",
            [
                "-c", "trap '' \(name); exec \"$0\" --grace 0s --stall-timeout 1h \"$1\"",
                CommandRun.executable(), server.url + "/",
            ]
        )
        try run.closeInput()
        try await server.requests(count: 1)
        // The command has set its handlers before this request, and left this signal out.
        #expect(try run.ignores(number))
        run.signal(number)
        gate.open()
        let ending = try await run.ending()
        #expect(ending.status == 0 && ending.output.hasPrefix("1 fetched"), "\(ending)")
        #expect(!ending.errors.contains("in flight"), "\(ending)")
    }

    @Test("A signal ends a report that is being read", arguments: [SIGINT, SIGTERM])
    func signalEndsAReport(signal: Int32) async throws {
        let run = try CommandRun(["report", "--output", folder.path("report.html"), "-"])
        // More than a pipe holds, so the command reads it.
        try run.write(String(repeating: "\n", count: 200_000))
        run.signal(signal)
        let ending = try await run.ending()
        #expect(ending.status == 128 + signal, "\(ending)")
        #expect(try folder.contents() == [])
    }
}
