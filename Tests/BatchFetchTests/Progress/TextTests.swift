import Testing

@testable import BatchFetch

@Suite struct TextTests {
    @Test(arguments: [
        (0, "0"), (999, "999"), (1000, "1,000"), (20_000, "20,000"), (1_234_567, "1,234,567"),
        (-1000, "-1,000"), (Int.min, "-9,223,372,036,854,775,808"),
    ])
    func thousandsAreGrouped(number: Int, text: String) {
        #expect(NumberFormat.grouped(number) == text)
    }

    @Test func amountsHaveUnits() {
        #expect(NumberFormat.bytes(0) == "0 B")
        #expect(NumberFormat.bytes(999) == "999 B")
        #expect(NumberFormat.bytes(1500) == "1.50 kB")
        #expect(NumberFormat.bytes(45_600_000) == "45.6 MB")
        #expect(NumberFormat.bytes(.max) == "9,223,372.0 TB")
        #expect(NumberFormat.duration(.microseconds(12)) == "12 µs")
        #expect(NumberFormat.duration(.microseconds(12_340)) == "12.3 ms")
        #expect(NumberFormat.duration(.milliseconds(2_050)) == "2.05 s")
        #expect(NumberFormat.duration(.seconds(125)) == "2 min 5 s")
        #expect(NumberFormat.duration(.seconds(7260)) == "2 h 1 min")
        #expect(NumberFormat.decimal(-0.04, digits: 1) == "0.0")
        #expect(NumberFormat.decimal(-0.5, digits: 1) == "-0.5")
        #expect(NumberFormat.decimal(.infinity, digits: 1) == "?")
    }

    @Test func theProgressLineHasItsParts() {
        var line = ProgressLine()
        _ = line.text(for: BatchProgress())
        var progress = BatchProgress()
        progress.fetched = 12_342
        progress.failed = 3
        progress.inFlight = 256
        progress.bytes = 45_600_000
        progress.elapsed = .seconds(1)
        #expect(
            line.text(for: progress)
                == "12,345 done  3 failed  256 in flight  12,345/s  45.6 MB/s"
        )
    }

    @Test func theRateFollowsWhatHappensNow() {
        var meter = RateMeter()
        var count = 0.0
        var rate = 0.0
        for step in 0..<200 {
            count += step < 100 ? 100 : 10
            rate = meter.rate(count: count, at: Double(step) * 0.1)
        }
        #expect(rate > 95 && rate < 150)
    }

    @Test func theSummaryCountsAndNamesFailures() {
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
                "time of a fetch: p50 10.0 ms, p90 10.0 ms, p99 10.0 ms, max 10.0 ms",
                "failures:",
                "  5  status 404, first on line 1: the server answered 404",
                "  1  timeout, first on line 8: too late",
            ]
        )
    }

    @Test func theSummaryNamesTheHostsWithTheMostURLs() {
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

    @Test func hostsThatAreSeldomMetAreForgottenFirst() {
        var tallies = HostTallies(capacity: 10)
        for number in 0..<1000 {
            tallies.add("often:80", isFailed: false, bytes: 1)
            tallies.add("\(number):80", isFailed: true, bytes: .max)
        }
        #expect(tallies.isIncomplete && tallies.top.count <= 10)
        #expect(tallies.top.first?.host == "often:80" && tallies.top.first?.done == 1000)
    }

    @Test func theSummarySaysWhereTheFailedAreAndHowToGoOn() {
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
                "robots.txt was not asked for (--robots on obeys it)",
            ]
        )
        context.obeysRobots = true
        context.signal = 15
        progress.expected = 10
        #expect(
            context.lines(for: progress).first?
                .hasPrefix(
                    "ended by SIGTERM before its end, about 8 URLs left: the same command with "
                        + "--failed-from r.jsonl and other --results goes on"
                ) == true
        )
        context.hasEarlierResults = true
        #expect(
            context.lines(for: progress).first?.contains("with a further --failed-from r.jsonl")
                == true
        )
        context.results = nil
        #expect(context.lines(for: progress).first?.contains(": with --journal") == true)
        #expect(context.lines(for: progress).last == "robots.txt was obeyed")
        progress.expected = 2
        progress.isExpectedExact = true
        #expect(!context.lines(for: progress).contains { $0.hasPrefix("ended") })
    }

    @Test func kindsOfFailuresAreBounded() {
        var summary = BatchSummary()
        for number in 0..<100_000 {
            var result = BatchResult(url: "", line: number)
            result.failure = BatchFailure(BatchFailure.Code("kind \(number)"), "")
            summary.add(result)
        }
        #expect(summary.topFailures.count == BatchSummary.maximumKinds + 1)
        #expect(summary.topFailures.first?.name == "other")
    }
}
