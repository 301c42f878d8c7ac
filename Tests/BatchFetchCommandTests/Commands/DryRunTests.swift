import Foundation
import TestSupport
import Testing

@testable import BatchFetch

/// Dry runs change no file; runs that fail to start keep the earlier results.
@Suite(.timeLimit(.minutes(10))) struct DryRunTests {
    let folder: TemporaryDirectory
    let server: LoopbackServer

    init() throws {
        folder = try TemporaryDirectory()
        server = try LoopbackServer { _ in .text("x") }
    }

    private func list(_ count: Int) throws -> String {
        try folder.write((1...count).map { "\(server.url)/\($0)\n" }.joined(), to: "list")
    }

    @Test func quietDryRunStillPrintsTheURLs() async throws {
        let ending = try await CommandRun.ending("-q", "--dry-run", list(3))
        #expect(ending.status == 0 && ending.errors.isEmpty, "\(ending)")
        #expect(ending.output.split(separator: "\n").count == 3)
    }

    @Test func dryRunPrintsTheSummaryAfterTheURLs() async throws {
        let run = try CommandRun(
            program: "/bin/sh",
            ["-c", "exec \"$0\" \"$@\" 2>&1", CommandRun.executable(), "--dry-run", list(3)]
        )
        try run.closeInput()
        let lines = try await run.ending().output.split(separator: "\n")
        #expect(lines.map { $0.hasPrefix("http") } == [true, true, true, false], "\(lines)")
    }

    /// Predicts what a run does that takes the URLs in order.
    @Test func dryRunPredictsNamesWhenFilesAndFoldersCollide() async throws {
        let list = try folder.write(
            ["/a", "/a/", "/b/x", "/b", "/a"].map { "\(server.url)\($0)\n" }.joined(),
            to: "list"
        )
        let output = [
            "--output", folder.path("out"), "--concurrency", "1", "--dedupe", "off", list,
        ]
        let plan = try await CommandRun(["--dry-run"] + output).ending()
        #expect(plan.status == 0, "\(plan)")
        let results = ["--results", folder.path("results")]
        #expect(try await CommandRun(results + output).ending().status == 0)
        let lines = try ResultLine.lines(
            String(decoding: try folder.read("results"), as: UTF8.self)
        )
        let names = lines.sorted { $0.ordinal < $1.ordinal }.map { "\($0.url)\t\($0.path ?? "")" }
        #expect(plan.output.split(separator: "\n").map(String.init) == names)
    }

    @Test(arguments: [["--dry-run"], []])
    func dryRunReportsAFailedWriteToStandardOutput(options: [String]) async throws {
        let run = try CommandRun(
            program: "/bin/sh",
            ["-c", "exec \"$0\" \"$@\" >/dev/full", CommandRun.executable()] + options
                + [try list(3)]
        )
        try run.closeInput()
        let ending = try await run.ending()
        #expect(ending.status == 4, "\(ending)")
        #expect(ending.errors.contains("cannot write to “standard output”"), "\(ending)")
    }

    @Test func dryRunReadsTheJournalAndWritesNothing() async throws {
        let list = try list(3)
        do {
            let journal = try BatchJournal(
                path: folder.path("journal"),
                lists: [list],
                results: folder.path("results")
            )
            let log = try ResultLog(journal: journal)
            log.append(BatchResult(url: "\(server.url)/1", line: 1))
            log.append(BatchResult(url: "\(server.url)/3", line: 3))
            try log.close()
        }
        let summary = try folder.write("summary of the last run", to: "summary")
        let before = try folder.contents()
        let results = try folder.read("results")
        let journal = try folder.read("journal")
        let ending = try await CommandRun.ending(
            "--dry-run",
            "--journal",
            folder.path("journal"),
            "--results",
            folder.path("results"),
            "--summary-json",
            summary,
            list
        )
        #expect(ending.status == 0, "\(ending)")
        #expect(ending.output == "\(server.url)/2\t\n")
        #expect(ending.errors.contains("1 would be fetched"), "\(ending.errors)")
        #expect(try folder.read("results") == results)
        #expect(try folder.read("journal") == journal)
        #expect(try folder.read("summary") == Array("summary of the last run".utf8))
        #expect(try folder.contents() == before)
        #expect(server.requestCount == 0)
    }

    @Test func dryRunWithoutAJournalKeepsTheResults() async throws {
        let results = try folder.write("precious", to: "results")
        let ending = try await CommandRun.ending(
            "--dry-run",
            "--results",
            results,
            "--journal",
            folder.path("journal"),
            "--spool",
            folder.path("spool"),
            "-",
            input: "\(server.url)/a\n"
        )
        #expect(ending.status == 0, "\(ending)")
        #expect(ending.output == "\(server.url)/a\t\n")
        #expect(try folder.read("results") == Array("precious".utf8))
        #expect(try folder.contents() == ["results"])
    }

    @Test func dryRunRefusesTheJournalOfAnotherRun() async throws {
        let list = try list(1)
        let journal = try folder.write("BFJRNL01 of an earlier version", to: "journal")
        let ending = try await CommandRun.ending(
            "--dry-run",
            "--journal",
            journal,
            "--results",
            folder.path("results"),
            list
        )
        #expect(ending.status == 4)
        #expect(ending.errors.contains("has the format 01"), "\(ending.errors)")
    }

    /// The start fails for each kind of reason: the last run's results stay, and no request is
    /// sent.
    @Test(arguments: ["metrics", "list", "second list", "folder"])
    func failedStartKeepsTheResults(what: String) async throws {
        let list = try list(5)
        let results = try folder.write("precious", to: "results")
        let status: Int32
        let arguments: [String]
        switch what {
        case "metrics":
            (status, arguments) = (2, ["--metrics", "127.0.0.1:\(server.port)", list])
        case "list":
            (status, arguments) = (3, [folder.path("missing")])
        case "second list":
            (status, arguments) = (3, [list, folder.path("missing")])
        default:
            (status, arguments) = (4, ["--output", "\(list)/out", list])
        }
        let run = try CommandRun(["--results", results] + arguments)
        try run.closeInput()
        let ending = try await run.ending()
        #expect(ending.status == status, "\(ending)")
        #expect(try folder.read("results") == Array("precious".utf8))
        #expect(server.requestCount == 0)
    }
}
