import Foundation
import TestSupport
import Testing

/// How the command is monitored and ended.
@Suite(.timeLimit(.minutes(10))) struct WatchingTests {
    let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    @Test func urlsInFlightCompleteDuringTheGracePeriod() async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in .text("x").after(gate) }
        let run = try CommandRun([
            "--results", folder.path("results"), "--grace", "5m", "--stall-timeout", "1h", "-",
        ])
        for number in 0..<20 { try run.write("\(server.url)/\(number)\n") }
        try await server.requests(count: 6)
        run.signal(SIGTERM)
        _ = try await run.errors(containing: "stopping: no more URLs are started")
        run.signal(SIGUSR1)
        _ = try await run.errors(containing: "6 in flight")
        gate.open()
        let ending = try await run.ending()
        #expect(ending.status == 128 + SIGTERM, "\(ending)")
        #expect(ending.output.hasPrefix("6 fetched, 0 failed, "), "\(ending)")
        #expect(server.requestCount == 6)
    }

    @Test func secondSignalEndsTheRunAtOnce() async throws {
        let server = try LoopbackServer { _ in .text("never").after(Gate()) }
        let run = try CommandRun(["--grace", "10m", "--stall-timeout", "1h", "-"])
        try run.write("\(server.url)/\n")
        try await server.requests(count: 1)
        run.signal(SIGINT)
        _ = try await run.errors(containing: "stopping: no more URLs are started")
        run.signal(SIGTERM)
        let ending = try await run.ending()
        #expect(ending.status == 128 + SIGTERM, "\(ending)")
    }

    @Test("After a second signal the run writes results, summary, report and cookies")
    func secondSignalLeavesAllOutput() async throws {
        let server = try LoopbackServer {
            guard $0.target == "/quick" else { return .text("never").after(Gate()) }
            return .text("x").header("Set-Cookie", "a=b; Max-Age=3600")
        }
        let run = try CommandRun([
            "--grace", "10m", "--stall-timeout", "1h", "--results", folder.path("results"),
            "--summary-json", folder.path("summary"), "--report", folder.path("report.html"),
            "--cookie-jar", folder.path("cookies"), "-",
        ])
        try run.write("\(server.url)/quick\n")
        try await Inspection.wait { (try? folder.read("results").isEmpty) == false }
        try run.write("\(server.url)/slow/1\n\(server.url)/slow/2\n")
        try await server.requests(count: 3)
        run.signal(SIGINT)
        _ = try await run.errors(containing: "stopping: no more URLs are started")
        run.signal(SIGTERM)
        let ending = try await run.ending()
        #expect(ending.status == 128 + SIGTERM, "\(ending)")
        #expect(ending.output.hasPrefix("1 fetched, 2 failed, "), "\(ending)")
        let results = String(decoding: try folder.read("results"), as: UTF8.self)
        let codes = try ResultLine.lines(results).compactMap { $0.error?.code }
        #expect(codes == ["cancelled", "cancelled"])
        let summary = String(decoding: try folder.read("summary"), as: UTF8.self)
        #expect(summary.contains(#""ended_by":"SIGTERM""#), "\(summary)")
        #expect(try !folder.read("report.html").isEmpty)
        let cookies = String(decoding: try folder.read("cookies"), as: UTF8.self)
        #expect(cookies.contains("\ta\tb"), "\(cookies)")
    }

    @Test func hangUpReopensTheResults() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let results = folder.path("results")
        let run = try CommandRun(["--results", results, "-"])
        try run.write("\(server.url)/1\n")
        try await server.requests(count: 1)
        try FileManager.default.moveItem(atPath: results, toPath: folder.path("old"))
        run.signal(SIGHUP)
        try await run.file(results)
        try run.write("\(server.url)/2\n")
        try run.closeInput()
        let ending = try await run.ending()
        #expect(ending.status == 0, "\(ending)")
        let all = try folder.read("old") + folder.read("results")
        #expect(try ResultLine.lines(String(decoding: all, as: UTF8.self)).count == 2)
        #expect(try !folder.read("results").isEmpty)
    }

    @Test(arguments: [
        ("never", 0), ("any", 1), ("50%", 0), ("49%", 1), ("0%", 1), ("100%", 0),
    ])
    func failOnDecidesTheExitStatus(policy: String, status: Int32) async throws {
        let server = try LoopbackServer { .status($0.target == "/good" ? 200 : 404) }
        let ending = try await CommandRun.ending(
            "--fail-on",
            policy,
            "-",
            input: "\(server.url)/good\n\(server.url)/bad\n"
        )
        #expect(ending.status == status, "\(ending)")
    }

    @Test("A quiet run prints one line about its failures, unless it may have some")
    func quietRunPrintsItsFailures() async throws {
        let list = "nonsense\n"
        let failed = try await CommandRun.ending("--quiet", "-", input: list)
        #expect(failed.status == 1 && failed.output.isEmpty, "\(failed)")
        #expect(
            failed.errors.hasPrefix(
                "batchfetch: 1 of 1 URL failed; most often invalid_url, first on line 1: "
            ),
            "\(failed)"
        )
        #expect(failed.errors.count { $0 == "\n" } == 1, "\(failed)")
        let allowed = try await CommandRun.ending(
            "--quiet",
            "--fail-on",
            "never",
            "-",
            input: list
        )
        #expect(allowed.status == 0 && allowed.errors.isEmpty, "\(allowed)")
    }

    @Test func summaryIsWrittenAsJSON() async throws {
        struct Summary: Decodable {
            struct Failure: Decodable {
                let name: String
                let count: Int
                let example: String
            }
            let fetched: Int
            let failed: Int
            let skipped: Int
            let retries: Int
            let bytes: Int
            let seconds: Double
            let latency: [String: Double]
            let failures: [Failure]
            let results: String?
            let exit_status: Int
        }
        let server = try LoopbackServer { request in
            request.target == "/good" ? .text("hello") : .status(404)
        }
        let ending = try await CommandRun.ending(
            "--summary-json",
            folder.path("summary"),
            "-",
            input: "\(server.url)/good\n\(server.url)/bad\nnonsense\n"
        )
        #expect(ending.status == 1)
        let bytes = Data(try folder.read("summary"))
        let summary = try JSONDecoder().decode(Summary.self, from: bytes)
        #expect(summary.fetched == 1 && summary.failed == 2 && summary.bytes == 5)
        #expect(summary.failures.map(\.name).sorted() == ["invalid_url", "status 404"])
        #expect(summary.exit_status == 1)
        #expect(Set(summary.latency.keys) == ["p50", "p90", "p99", "max"])
    }

    @Test func metricsAreServedDuringTheRun() async throws {
        let gate = Gate()
        let server = try LoopbackServer { request in
            request.target == "/late" ? .text("x").after(gate) : .text("x")
        }
        let run = try CommandRun(["--metrics", "127.0.0.1:0", "-"])
        try run.write("\(server.url)/late\n")
        let line = try await run.errors(containing: "/metrics\n")
        try await server.requests(count: 1)
        let port = try #require(line.firstMatch(of: /127\.0\.0\.1:([0-9]+)/)?.1)
        let command = ["/usr/bin/curl", "-s", "-S", "http://127.0.0.1:\(port)/metrics"]
        // The metrics show a run a moment after it has started to fetch.
        try await Inspection.wait {
            (try? ChildProcess.run(command).output)?.contains("batchfetch_in_flight 1\n") == true
        }
        let (status, page) = try ChildProcess.run(command)
        #expect(status == 0)
        for text in [
            "# TYPE batchfetch_urls_total counter\n", "batchfetch_in_flight 1\n",
            "batchfetch_urls_total{outcome=\"fetched\"} 0\n",
            "batchfetch_urls_total{outcome=\"existing\"} 0\n", "batchfetch_duplicates_total 0\n",
            "batchfetch_fetch_seconds_count 0\n",
        ] {
            #expect(page.contains(text), "\(page)")
        }
        gate.open()
        try run.closeInput()
        #expect(try await run.ending().status == 0)
    }
}
