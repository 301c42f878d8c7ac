import Testing

@testable import BatchFetch
@testable import BatchFetchCommand

@Suite struct SummaryTextTests {
    @Test func summaryCountsAndNamesFailures() {
        var summary = BatchSummary()
        for number in 0..<20_000 {
            var result = BatchResult(url: "http://h/\(number)", line: number + 1)
            result.timings.total = .milliseconds(10)
            if number % 4000 == 0 {
                result.status = 404
                result.failure = BatchFailure(.status, "the server answered 404")
            } else if number == 7 {
                result.failure = BatchFailure(.timeout, "too late")
            }
            summary.add(result)
        }
        summary.progress.bytes = 5_000_000
        summary.progress.elapsed = .seconds(2)
        #expect(
            SummaryText.lines(for: summary) == [
                "19,994 fetched, 6 failed, 5.00 MB in 2.00 s (10,000/s, 2.5 MB/s)",
                "fetch time: p50 10.0 ms, p90 10.0 ms, p99 10.0 ms, max 10.0 ms",
                "failures:",
                "  5  status 404, first on line 1: the server answered 404",
                "  1  timeout, first on line 8: too late",
            ]
        )
    }

    @Test func summaryNamesTheHostsWithTheMostURLs() {
        var summary = BatchSummary()
        for number in 0..<100 {
            var result = BatchResult(url: "", line: number)
            result.bytes = 1000
            if number == 99 { result.failure = BatchFailure(.timeout, "late") }
            summary.add(result, host: number < 60 ? "a:80" : "b\(number % 7):80")
        }
        #expect(summary.topHosts.map(\.count) == [60, 6, 6, 6, 6, 6, 5, 5])
        let lines = SummaryText.lines(for: summary)
        let start = lines.firstIndex(of: "hosts with the most URLs:")
        #expect(start.map { lines[$0 + 1] } == "  60  a:80, 60.0 kB")
        #expect(lines.contains("  6  b1:80, 1 failed, 6.00 kB"))
        #expect(start.map { lines.count - $0 } == 6)
    }

    @Test func summarySaysWhereFailedURLsAreAndHowToResume() {
        var progress = BatchProgress()
        var context = SummaryContext()
        #expect(context.lines(for: progress).isEmpty)
        progress.failed = 2
        #expect(context.lines(for: progress).first?.contains("--results FILE") == true)
        context.results = "r.jsonl"
        context.obeysRobots = false
        #expect(
            context.lines(for: progress) == [
                "the failed URLs are in r.jsonl: the same command with --failed-from r.jsonl and other "
                    + "--results fetches them again",
                "robots.txt was not fetched (--robots on obeys it)",
            ]
        )
        context.obeysRobots = true
        context.signal = 15
        progress.expected = 10
        #expect(
            context.lines(for: progress).first?
                .hasPrefix(
                    "ended early by SIGTERM, about 8 URLs left: the same command with "
                        + "--failed-from r.jsonl and other --results fetches the rest"
                ) == true
        )
        context.hasEarlierResults = true
        #expect(
            context.lines(for: progress).first?.contains("with another --failed-from r.jsonl")
                == true
        )
        context.results = nil
        #expect(context.lines(for: progress).first?.contains(": runs with --journal") == true)
        #expect(context.lines(for: progress).last == "robots.txt was obeyed")
        progress.expected = 2
        progress.isExpectedExact = true
        #expect(!context.lines(for: progress).contains { $0.hasPrefix("ended") })
    }
}
