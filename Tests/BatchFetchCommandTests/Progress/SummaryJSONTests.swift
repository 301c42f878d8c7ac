import Foundation
import TestSupport
import Testing

@testable import BatchFetch
@testable import BatchFetchCommand

/// The summary for programs.
@Suite struct SummaryJSONTests {
    /// A summary, as a program decodes it.
    private struct Decoded: Decodable {
        struct Failure: Decodable {
            let name: String
            let count: Int
            let example: String
        }

        struct Host: Decodable {
            let host: String
            let done: Int
            let failed: Int
            let bytes: Int
        }

        let fetched: Int
        let failed: Int
        let unchanged: Int
        let existing: Int
        let seconds: Double
        let latency: [String: Double?]
        let failures: [Failure]
        let hosts: [Host]
        let robots: Bool?
        let results: String?
        let exit_status: Int
    }

    private func decoded(
        _ summary: BatchSummary,
        _ context: SummaryContext = SummaryContext(),
        exitStatus: Int32 = 0
    ) throws -> Decoded {
        let text = SummaryJSON.text(for: summary, context, exitStatus: exitStatus)
        #expect(text.hasSuffix("}\n") && text.split(separator: "\n").count == 1)
        return try JSONDecoder().decode(Decoded.self, from: Data(text.utf8))
    }

    @Test("The summary of an empty run has zeros, and null for unknown values")
    func emptyRunHasAllFields() throws {
        let empty = try decoded(BatchSummary())
        #expect(empty.fetched == 0 && empty.failed == 0 && empty.seconds == 0)
        #expect(
            empty.failures.isEmpty && empty.hosts.isEmpty && empty.latency["max"] == 0
                && empty.latency["p50"] == .some(nil)
        )
        #expect(empty.robots == nil && empty.results == nil && empty.exit_status == 0)
    }

    @Test("The summary has the run's counts, times, failures and hosts")
    func figuresAreThoseOfTheRun() throws {
        var summary = BatchSummary()
        for number in 0..<30 {
            var result = BatchResult(url: "http://h\(number)/", line: number + 1)
            result.bytes = 10
            result.timings.total = .milliseconds(500)
            if number == 7 { result.failure = BatchFailure(.timeout, "a \"quoted\" reason\n") }
            if number == 8 { result.isUnchanged = true }
            if number == 9 { result.isExisting = true }
            summary.add(result, host: "h\(number % 25):80")
        }
        summary.progress.elapsed = .milliseconds(1500)
        var context = SummaryContext()
        context.results = "r \"1\".jsonl"
        context.obeysRobots = false
        let all = try decoded(summary, context, exitStatus: 130)
        #expect(all.fetched == 27 && all.failed == 1 && all.unchanged == 1 && all.existing == 1)
        #expect(all.seconds == 1.5 && all.exit_status == 130 && all.robots == false)
        #expect(all.latency.keys.sorted() == ["max", "p50", "p90", "p99"])
        #expect(all.latency["max"] == 0.5)
        #expect(all.failures.map(\.name) == ["timeout"] && all.failures[0].count == 1)
        #expect(all.failures[0].example == "line 8: a \"quoted\" reason\n")
        #expect(all.hosts.count <= 20 && all.hosts[0].done + all.hosts[0].failed == 2)
        #expect(all.results == "r \"1\".jsonl")
    }

    @Test("An unwritable summary file is an error before and after the run")
    func unwritableFileIsReported() throws {
        let folder = try TemporaryDirectory()
        let path = folder.path("none/summary")
        for write in [{ try SummaryJSON.check(path) }, { try SummaryJSON.write("{}", to: path) }] {
            let failure = #expect(throws: BatchFailure.self) { try write() }
            #expect(failure?.code == .output)
            #expect(failure?.message.hasPrefix("can't write the summary: ") == true)
            #expect(failure?.message.contains("“\(path)”") == true)
        }
        try SummaryJSON.check(folder.path("new"))
        #expect(try folder.contents() == [])
        try SummaryJSON.write("{}\n", to: folder.path("new"))
        #expect(try folder.read("new") == Array("{}\n".utf8))
    }
}
