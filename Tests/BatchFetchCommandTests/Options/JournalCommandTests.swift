import Foundation
import TestSupport
import Testing

@testable import BatchFetch

/// Resumes runs as users of the command do.
@Suite(.timeLimit(.minutes(10))) struct JournalCommandTests {
    let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func lines(_ name: String) throws -> [ResultLine] {
        try ResultLine.lines(String(decoding: try folder.read(name), as: UTF8.self))
    }

    @Test("A resumed run reports each duplicate once, and needs --dedupe to report any")
    func duplicatesAreReportedOnce() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let list = try folder.write(
            "\(server.url)/a\n\(server.url)/a\n\(server.url)/b\n",
            to: "list"
        )
        var arguments = [
            "--report-duplicates", "--results", folder.path("results"), "--journal",
            folder.path("journal"), list,
        ]
        let refused = try await CommandRun(arguments).ending()
        #expect(refused.status == 2 && refused.errors.contains("needs --dedupe"), "\(refused)")
        arguments += ["--dedupe", "exact"]
        for _ in 0..<2 {
            let ending = try await CommandRun(arguments).ending()
            #expect(ending.status == 0, "\(ending)")
            let results = String(decoding: try folder.read("results"), as: UTF8.self)
            #expect(results.split(separator: "\n").count == 3, "\(results)")
            #expect(results.components(separatedBy: "\"duplicate_of\":1").count == 2)
        }
        #expect(server.requestCount == 2)
    }

    @Test func failedFromFetchesOnlyFailedURLs() async throws {
        let isUp = Gate()
        let server = try LoopbackServer { request in
            request.target == "/2" && !isUp.isOpen ? .status(404) : .text("x")
        }
        let list = try folder.write(
            (1...3).map { "\(server.url)/\($0)\n" }.joined(),
            to: "list"
        )
        var ending = try await CommandRun.ending("--results", folder.path("first"), list)
        #expect(ending.status == 1)
        isUp.open()
        let before = server.requestCount
        ending = try await CommandRun.ending(
            "--failed-from",
            folder.path("first"),
            "--results",
            folder.path("second"),
            list
        )
        #expect(ending.status == 0, "\(ending)")
        #expect(server.requests[before...].map(\.target) == ["/2"])
        #expect(try lines("second").map(\.url) == ["\(server.url)/2"])
        #expect(ending.output.contains("2 were already done"))
    }

    @Test func failedFromSkipsURLsThatSeveralRunsFetched() async throws {
        let round = Watched(0)
        let server = try LoopbackServer { request in
            request.target == "/\(round.read { $0 })" || request.target == "/3"
                ? .text("x") : .status(404)
        }
        let list = try folder.write(
            (0...3).map { "\(server.url)/\($0)\n" }.joined(),
            to: "list"
        )
        var earlier: [String] = []
        for number in 0...2 {
            let before = server.requestCount
            let results = folder.path("results-\(number)")
            let ending = try await CommandRun(earlier + ["--results", results, list]).ending()
            #expect(ending.status == (number < 2 ? 1 : 0), "\(ending)")
            let requested = server.requests[before...].map(\.target).sorted()
            #expect(
                requested
                    == (number == 0 ? ["/0", "/1", "/2", "/3"] : (number...2).map { "/\($0)" })
            )
            if number < 2 {
                let further = number == 0 ? "" : "another "
                #expect(
                    ending.output.contains("with \(further)--failed-from \(results)"),
                    "\(ending)"
                )
            }
            earlier += ["--failed-from", results]
            round.update { $0 += 1 }
        }
    }

    /// Starts a run with two URLs of the same name: the first one's result is written, the second
    /// is in flight.
    private func beginTwoOfOneName(_ options: [String]) async throws -> (
        server: LoopbackServer, gate: Gate, run: CommandRun
    ) {
        let gate = Gate()
        let server = try LoopbackServer {
            $0.target == "/1" ? .text("first") : .text("second").after(gate)
        }
        try folder.write(
            (1...2).map { "{\"url\":\"\(server.url)/\($0)\",\"out\":\"same\"}\n" }.joined(),
            to: "list.jsonl"
        )
        let run = try CommandRun(
            options + ["--results", folder.path("results"), "--output", folder.path("out")]
                + ["--stall-timeout", "1h", folder.path("list.jsonl")]
        )
        try await run.file(folder.path("results"))
        try await server.requests(count: 2)
        return (server, gate, run)
    }

    private func expectFirstOfTheName(_ name: String, _ ending: CommandRun.Ending) throws {
        #expect(ending.status == 1, "\(ending)")
        let last = try #require(try lines(name).last)
        #expect(!last.ok && last.path == nil && last.url.hasSuffix("/2"), "\(last)")
        #expect(ending.output.contains("another URL has the same name “same”"), "\(ending)")
        #expect(try folder.read("out/same") == Array("first".utf8))
    }

    @Test(arguments: [SIGKILL, SIGINT])
    func resumedRunKeepsTheOwnerOfAName(signal: Int32) async throws {
        let options = [
            "--journal", folder.path("journal"), "--journal-interval", "1", "--grace", "0",
        ]
        let (server, gate, run) = try await beginTwoOfOneName(options)
        try await FolderWatch.wait(in: [folder.path("")]) {
            (try? folder.read("results").isEmpty) == false
        }
        run.signal(signal)
        _ = try await run.ending()
        gate.open()
        let ending = try await CommandRun(
            options + ["--results", folder.path("results"), "--output", folder.path("out")]
                + [folder.path("list.jsonl")]
        ).ending()
        try expectFirstOfTheName("results", ending)
        #expect(server.requests.count { $0.target == "/1" } == 1)
    }

    @Test func failedFromKeepsTheOwnerOfAName() async throws {
        let isUp = Gate()
        let server = try LoopbackServer {
            $0.target == "/1" ? .text("first") : isUp.isOpen ? .text("second") : .status(404)
        }
        let list = try folder.write(
            (1...2).map { "{\"url\":\"\(server.url)/\($0)\",\"out\":\"same\"}\n" }.joined(),
            to: "list.jsonl"
        )
        let output = ["--output", folder.path("out"), list]
        _ = try await CommandRun(["--results", folder.path("results")] + output).ending()
        isUp.open()
        let again = ["--failed-from", folder.path("results"), "--results", folder.path("again")]
        try expectFirstOfTheName("again", try await CommandRun(again + output).ending())
    }

    @Test func failedFromMatchesAChangedListByURL() async throws {
        let server = try LoopbackServer { $0.target == "/2" ? .status(404) : .text("x") }
        let list = try folder.write(
            (1...3).map { "\(server.url)/\($0)\n" }.joined(),
            to: "list"
        )
        _ = try await CommandRun.ending("--results", folder.path("first"), list)
        try folder.write("\(server.url)/new\n\(server.url)/3\n\(server.url)/2\n", to: "list")
        let before = server.requestCount
        let arguments = [
            "--failed-from", folder.path("first"), "--results", folder.path("second"), list,
        ]
        _ = try await CommandRun(arguments).ending()
        #expect(server.requests[before...].map(\.target).sorted() == ["/2", "/new"])
    }

    private var spooling: [String] {
        [
            "--journal", folder.path("journal"), "--results", folder.path("results"), "--spool",
            folder.path("spool"), "-",
        ]
    }

    /// Starts a run that has spooled `text`, and whose standard input stays open.
    private func beginSpooling(_ text: String) async throws -> CommandRun {
        let run = try CommandRun(spooling)
        try run.write(text)
        try await run.file(folder.path("spool.part"))
        return run
    }

    private func spool(_ text: String) async throws -> CommandRun.Ending {
        let run = try CommandRun(spooling)
        try run.write(text)
        try run.closeInput()
        return try await run.ending()
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func copyThatASignalInterruptsIsDiscarded(signal: Int32) async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let run = try await beginSpooling("\(server.url)/a\n")
        let facts = try FileManager.default.attributesOfItem(atPath: folder.path("spool.part"))
        #expect(facts[.posixPermissions] as? Int == 0o600)
        run.signal(signal)
        let ending = try await run.ending()
        #expect(ending.status == 128 + signal, "\(ending)")
        #expect(ending.errors.contains("nothing was fetched"), "\(ending)")
        #expect(try folder.contents() == [])
        #expect(try await spool("\(server.url)/a\n\(server.url)/b\n").status == 0)
        #expect(try lines("results").count == 2)
    }

    @Test func copyThatAKillInterruptsIsRestarted() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let run = try await beginSpooling("\(server.url)/a\n")
        let other = try await CommandRun(spooling).ending()
        #expect(other.status == 4 && other.errors.contains("by another run"), "\(other)")
        run.signal(SIGKILL)
        _ = try await run.ending()
        #expect(try await spool("\(server.url)/b\n").status == 0)
        #expect(try lines("results").map(\.url) == ["\(server.url)/b"])
        #expect(try folder.contents() == ["journal", "results", "spool"])
    }

    @Test func resultsInUseAreRefused() async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in .text("x").after(gate) }
        let arguments = ["--results", folder.path("results"), "\(server.url)/"]
        let first = try CommandRun(arguments)
        try await server.requests(count: 1)
        let ending = try await CommandRun(arguments).ending()
        #expect(ending.status == 4)
        #expect(ending.errors.contains("are being written by another run"), "\(ending)")
        gate.open()
        #expect(try await first.ending().status == 0)
        #expect(try lines("results").count == 1)
    }

    @Test func newJournalKeepsExistingResults() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let url = "\(server.url)/"
        _ = try await CommandRun.ending("--results", folder.path("results"), url)
        let results = try folder.read("results")
        let ending = try await CommandRun(
            ["--journal", folder.path("journal"), "--results", folder.path("results"), url]
        ).ending()
        #expect(ending.status == 4 && ending.errors.contains("already exist"), "\(ending)")
        #expect(try folder.read("results") == results)
        #expect(server.requestCount == 1)
    }

    @Test func spooledListIsResumed() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        for round in 0..<2 {
            let ending = try await spool(
                round == 0 ? "\(server.url)/a\n\(server.url)/b\n" : ""
            )
            #expect(ending.status == 0, "\(ending)")
        }
        #expect(server.requestCount == 2)
        #expect(try lines("results").count == 2)
    }

    @Test func runEndedByASignalIsResumed() async throws {
        let gate = Gate()
        let server = try LoopbackServer { request in
            request.target.hasSuffix("9") ? .text("x").after(gate) : .text("x")
        }
        let list = try folder.write(
            (0..<100).map { "\(server.url)/\($0)\n" }.joined(),
            to: "list"
        )
        let arguments = [
            "--per-host", "1", "--journal", folder.path("journal"), "--grace", "0",
            "--stall-timeout", "1h",
            "--results", folder.path("results"), list,
        ]
        let run = try CommandRun(arguments)
        try await server.requests(count: 10)
        run.signal(SIGINT)
        #expect(try await run.ending().status == 128 + SIGINT)
        #expect(try lines("results").count == 9)
        gate.open()
        let ending = try await CommandRun(arguments).ending()
        #expect(ending.status == 0, "\(ending)")
        #expect(try lines("results").count == 100)
        #expect(server.requestCount == 101)
    }

    @Test func secondRunIsRefusedTheSameJournal() async throws {
        let server = try LoopbackServer { _ in .text("x").after(Gate()) }
        let list = try folder.write("\(server.url)/\n", to: "list")
        let arguments = [
            "--journal", folder.path("journal"), "--results", folder.path("results"), list,
        ]
        let first = try CommandRun(arguments)
        try await server.requests(count: 1)
        let ending = try await CommandRun(arguments).ending()
        #expect(ending.status == 4)
        #expect(ending.errors.contains("is used by another run"))
        first.signal(SIGKILL)
        _ = try await first.ending()
    }

    @Test(arguments: [
        (["--glob"], "patterns in URLs weren't expanded"),
        (["--format", "csv"], "another list format"),
        (["--url-col", "2"], "other columns"),
        (["--base", "http://other.example/"], "another base URL"),
    ])
    func journalIsRefusedWithOtherInputOptions(options: [String], message: String) async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let list = try folder.write("\(server.url)/{1..3}\n\(server.url)/a\n", to: "list")
        let arguments = [
            "--journal", folder.path("journal"), "--results", folder.path("results"), list,
        ]
        _ = try await CommandRun(arguments).ending()
        let results = try folder.read("results")
        let before = server.requestCount
        let ending = try await CommandRun(options + arguments).ending()
        #expect(ending.status == 4, "\(ending)")
        #expect(ending.errors.contains(message), "\(ending.errors)")
        #expect(try folder.read("results") == results)
        #expect(server.requestCount == before)
        // An option that names the default may be added.
        #expect(try await CommandRun(["--format", "lines"] + arguments).ending().status != 4)
    }

    /// A million entries must not cause a wait; this test uses proportionately fewer.
    @Test func longJournalIsReadQuickly() async throws {
        let count = Rounds.count(100_000, few: 10_000, full: 1_000_000)
        let server = try LoopbackServer { _ in .text("x") }
        // Completed URLs are never requested: no server needs to listen.
        let list = try folder.write(
            (0..<count).map { "http://127.0.0.1:9/\($0)\n" }.joined() + "\(server.url)/last\n",
            to: "list"
        )
        try makeJournal(count: count, list: list)
        let start = ContinuousClock.now
        let run = try CommandRun([
            "--journal", folder.path("journal"), "--results", folder.path("results"), list,
        ])
        try await server.requests(count: 1)
        let time = ContinuousClock.now - start
        try run.closeInput()
        #expect(try await run.ending().status == 0)
        print("a journal of \(count) entries: the first request after \(time)")
        #expect(try lines("results").count == count + 1)
        #expect(server.requestCount == 1)
        // Unoptimised, on a busy machine: far more than reading takes, far less than fetching.
        #expect(time < .seconds(60))
    }
}

extension JournalCommandTests {
    /// Writes the journal and results of a run that has fetched `count` URLs.
    private func makeJournal(count: Int, list: String) throws {
        let journal = try BatchJournal(
            path: folder.path("journal"),
            lists: [list],
            results: folder.path("results")
        )
        let log = try ResultLog(journal: journal)
        for line in 1...count {
            log.append(BatchResult(url: "http://127.0.0.1:9/\(line - 1)", line: line))
        }
        try log.close()
    }
}
