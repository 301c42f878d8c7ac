import Foundation
import TestSupport
import Testing

/// Reports of runs that the command writes.
@Suite(.timeLimit(.minutes(10))) struct ReportCommandTests {
    let folder: TemporaryDirectory
    let server: LoopbackServer

    init() throws {
        folder = try TemporaryDirectory()
        server = try LoopbackServer { $0.target == "/bad" ? .status(404) : .text("x") }
    }

    private func page(_ name: String) throws -> String {
        String(decoding: try folder.read(name), as: UTF8.self)
    }

    @Test func reportOfResultsEqualsTheReportOfTheRun() async throws {
        let list = try folder.write("\(server.url)/a\n\(server.url)/bad\n", to: "list.txt")
        let run = try await CommandRun.ending(
            "--report",
            folder.path("run.html"),
            "--results",
            folder.path("results.jsonl"),
            list
        )
        #expect(run.status == 1, "\(run)")
        let later = try await CommandRun.ending(
            "report",
            folder.path("results.jsonl"),
            "-o",
            folder.path("later.html"),
            "--title",
            "list.txt"
        )
        #expect(later.status == 0, "\(later)")
        #expect(later.output == "\(folder.path("later.html")): 1 fetched, 1 failed\n")
        #expect(try page("run.html") == page("later.html"))
        #expect(try page("run.html").contains("status 404"))
    }

    @Test func reportOfAResumedRunCoversEarlierRuns() async throws {
        let list = try folder.write("\(server.url)/a\n\(server.url)/bad\n", to: "list.txt")
        let arguments = [
            "--journal", folder.path("journal"), "--results", folder.path("results.jsonl"),
            "--report",
            folder.path("run.html"), list,
        ]
        for _ in 0..<2 {
            let run = try CommandRun(arguments)
            try run.closeInput()
            #expect(try await run.ending().status == 1)
            #expect(try page("run.html").contains("Outcomes of 2 URLs"))
        }
    }

    @Test func damagedLinesAreReported() async throws {
        let list = try await CommandRun.ending(
            "report",
            folder.write("http://a/\n", to: "list"),
            "-o",
            folder.path("none.html")
        )
        #expect(list.status == 3 && list.errors.contains("contains no results"), "\(list)")
        #expect(!FileManager.default.fileExists(atPath: folder.path("none.html")))
        let fetched = folder.path("fetched")
        _ = try await CommandRun.ending("--results", fetched, "\(server.url)/a")
        let line = String(decoding: try folder.read("fetched"), as: UTF8.self)
        let results = try folder.write("{}\nx\n" + line, to: "results.jsonl")
        let ending = try await CommandRun.ending("report", results, "-o", folder.path("r.html"))
        #expect(ending.status == 0)
        #expect(ending.errors.contains("2 damaged lines skipped; the first is line 1: “"))
        #expect(try page("r.html").contains("2 lines of the results could not be read"))
    }

    @Test func missingResultsAndUnwritableReportsAreReported() async throws {
        let missing = try await CommandRun.ending("report", "/does/not/exist")
        #expect(missing.status == 3, "\(missing)")
        let unwritable = try await CommandRun.ending(
            "--report",
            "/does/not/exist/r.html",
            "\(server.url)/a"
        )
        #expect(unwritable.status == 4, "\(unwritable)")
        #expect(server.requestCount == 0)
        #expect(missing.errors.contains("name the results of an earlier run"), "\(missing)")
        #expect(unwritable.errors.contains("“/does/not/exist/r.html”"), "\(unwritable)")
        let same = try await CommandRun.ending("report", "a", "-o", "a")
        #expect(same.status == 2)
        #expect(same.errors.contains("would overwrite “a”, which is the results"), "\(same)")
    }

    @Test("The title of a URL's report has no password")
    func titleHasNoPassword() async throws {
        let address = server.url.dropFirst("http://".count)
        let ending = try await CommandRun.ending(
            "-q",
            "--report",
            folder.path("report.html"),
            "http://user:s3cret@\(address)?s3cret"
        )
        #expect(ending.status == 0, "\(ending)")
        let page = String(decoding: try folder.read("report.html"), as: UTF8.self)
        #expect(page.contains("…@\(address)?…") && !page.contains("s3cret"))
    }
}
