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
