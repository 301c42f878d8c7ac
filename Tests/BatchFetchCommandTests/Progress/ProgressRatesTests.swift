import Testing

@testable import BatchFetch
@testable import BatchFetchCommand

/// The rates of a run, and when it will end.
@Suite struct ProgressRatesTests {
    private func progress(_ seconds: Double, done: Int, expected: Int? = nil) -> BatchProgress {
        var progress = BatchProgress()
        progress.fetched = done
        progress.bytes = Int64(done) * 1000
        progress.expected = expected
        progress.elapsed = .milliseconds(Int(seconds * 1000))
        return progress
    }

    @Test("A steady run has constant rates and an exact remaining time")
    func steadyRunHasItsEnd() throws {
        var rates = ProgressRates()
        for second in 0...10 {
            rates.update(progress(Double(second), done: second * 50, expected: 1000))
        }
        #expect(abs(rates.rate - 50) < 1e-9 && abs(rates.bytes - 50_000) < 1e-6)
        #expect(abs(try #require(rates.remaining) - 10) < 1e-9)
        // More URLs than expected are done.
        rates.update(progress(11, done: 2000, expected: 1000))
        #expect(rates.remaining == 0)
    }

    @Test("The remaining time is unknown at first, without a total, and if nothing completes")
    func endIsUnknownAtFirst() {
        var rates = ProgressRates()
        rates.update(progress(0, done: 0, expected: 100))
        rates.update(progress(1.9, done: 10, expected: 100))
        #expect(rates.remaining == nil && rates.rate > 0)
        rates.update(progress(2, done: 10, expected: 100))
        #expect(rates.remaining != nil)
        rates.update(progress(3, done: 10))
        #expect(rates.remaining == nil)
        var idle = ProgressRates()
        for second in 0...9 { idle.update(progress(Double(second), done: 0, expected: 5)) }
        #expect(idle.remaining == nil && idle.rate == 0)
    }

    private func large(
        _ seconds: Double,
        received: Int64,
        of total: Int64,
        count: Int,
        inFlight: Int,
        expected: Int?
    ) -> BatchProgress {
        var progress = BatchProgress()
        progress.inFlight = inFlight
        progress.large.count = count
        progress.large.received = received
        progress.large.total = total
        progress.bytes = received
        progress.expected = expected
        progress.elapsed = .milliseconds(Int(seconds * 1000))
        return progress
    }

    /// Two files in flight, of 300 MB together, 10 MB of which arrive in each second.
    private func twoLargeFiles(_ second: Int, expected: Int) -> BatchProgress {
        large(
            Double(second),
            received: Int64(second) * 10_000_000,
            of: 300_000_000,
            count: 2,
            inFlight: 2,
            expected: expected
        )
    }

    @Test("The remaining time of large files follows from their bytes, before any is complete")
    func largeFilesHaveTheirEnd() throws {
        var rates = ProgressRates()
        for second in 0...10 {
            rates.update(twoLargeFiles(second, expected: 2))
            #expect((rates.remaining != nil) == (second >= 2))
        }
        #expect(abs(try #require(rates.remainingInFlight) - 20) < 1e-6)
        #expect(abs(try #require(rates.remaining) - 20) < 1e-6)
    }

    @Test("Files that haven't begun count as long as those in flight")
    func queuedFilesAreEstimated() throws {
        var rates = ProgressRates()
        for second in 0...10 {
            rates.update(twoLargeFiles(second, expected: 4))
        }
        #expect(abs(try #require(rates.remainingInFlight) - 20) < 1e-6)
        #expect(abs(try #require(rates.remaining) - 50) < 1e-6)
    }

    @Test("The remaining time is at least that of the file that takes longest at its own speed")
    func longestFileDecides() throws {
        var rates = ProgressRates()
        for second in 0...10 {
            var progress = twoLargeFiles(second, expected: 2)
            progress.large.longestRemaining = .seconds(48)
            rates.update(progress)
        }
        #expect(rates.remainingInFlight == 48 && rates.remaining == 48)
    }

    @Test("A few large files among many small ones don't decide the remaining time")
    func fewLargeFilesDoNotDecide() {
        var rates = ProgressRates()
        for second in 0...10 {
            var progress = large(
                Double(second),
                received: 10,
                of: 1 << 30,
                count: 1,
                inFlight: 100,
                expected: 1000
            )
            #expect(!progress.showsBytes && progress.share(of: 1000) == 0)
            progress.fetched = second * 50
            rates.update(progress)
        }
        #expect(rates.remainingInFlight == nil && abs((rates.remaining ?? 0) - 10) < 1e-9)
    }

    @Test("The done share includes what has arrived of large files, and stays within 0 and 1")
    func shareIncludesLargeFiles() {
        var progress = large(1, received: 50, of: 100, count: 2, inFlight: 2, expected: 4)
        progress.fetched = 1
        #expect(progress.share(of: 4) == 0.5)
        #expect(progress.share(of: 1) == 1 && progress.share(of: 0) == 0)
        progress.large.received = 1000
        #expect(progress.large.share == 1 && progress.large.remaining == 0)
        #expect(progress.share(of: 4) == 0.75)
        progress.large = LargeBodyProgress()
        #expect(progress.share(of: 4) == 0.25 && progress.large.share == 0)
    }

    @Test(
        "The remaining time is rounded to a suitable unit",
        arguments: [
            (0, "1 s"), (0.4, "1 s"), (1, "1 s"), (1.5, "2 s"), (119.4, "119 s"),
            (120, "2 min 0 s"), (7199, "119 min 59 s"), (7200, "2 h 0 min"),
            (1e12, "277,777 h 46 min"),
            (.infinity, "277,777 h 46 min"),
        ] as [(Double, String)]
    )
    func remainingSecondsAreWhole(seconds: Double, text: String) {
        #expect(ProgressRates.text(remaining: seconds) == text)
    }

    @Test("A rate meter ignores decreasing counts, and updates without elapsed time")
    func meterIgnoresImpossibleGrowth() {
        var meter = RateMeter()
        #expect(meter.rate(count: 100, at: 5) == 0, "the first count is no growth")
        #expect(meter.rate(count: 200, at: 5) == 0)
        #expect(meter.rate(count: 110, at: 6) == 10)
        #expect(meter.rate(count: 500, at: 6) == 10)
        #expect(meter.rate(count: 0, at: 7) < 10)
        #expect(meter.rate(count: 0, at: 8) >= 0)
    }

    @Test("A rate meter with a longer memory follows a change more slowly")
    func longerMemoryFollowsMoreSlowly() {
        var (short, long) = (RateMeter(memory: 1), RateMeter(memory: 30))
        var rates = (short: 0.0, long: 0.0)
        var count = 0.0
        for second in 0...40 {
            count += second < 30 ? 100 : 0
            rates.short = short.rate(count: count, at: Double(second))
            rates.long = long.rate(count: count, at: Double(second))
        }
        #expect(rates.short < 1 && rates.long > 20 && rates.long < 100)
    }

    @Test("The line about a run's state has its counts and its mean rates")
    func stateHasMeanRates() {
        var progress = progress(4, done: 20, expected: 1234)
        progress.failed = 4
        progress.waiting = 5000
        progress.skipped = 7
        progress.unchanged = 0
        progress.retries = 2
        #expect(
            ProgressLine.state(progress)
                == "24 done  4 failed  0 in flight  2 retries  5,000 waiting  7 already done  "
                + "6.0/s  0.0 MB/s  of about 1,234  after 4.00 s"
        )
        progress.isExpectedExact = true
        progress.unchanged = 3
        #expect(ProgressLine.state(progress).contains("  3 unchanged  2 retries  "))
        #expect(ProgressLine.state(progress).contains("  of 1,234  after"))
        #expect(ProgressLine.state(BatchProgress()).hasSuffix("0.0/s  0.0 MB/s  after 0 µs"))
    }
}
