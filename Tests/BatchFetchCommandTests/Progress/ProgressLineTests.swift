import Testing

@testable import BatchFetch
@testable import BatchFetchCommand

@Suite struct ProgressLineTests {
    @Test("The line has the bytes of large files in flight")
    func lineHasTheBytesOfLargeFiles() {
        var line = ProgressLine()
        var progress = BatchProgress()
        progress.inFlight = 1
        #expect(!line.text(for: progress).contains(" of "))
        progress.large.count = 1
        progress.large.total = 5_000_000
        progress.large.received = 1_230_000
        progress.elapsed = .seconds(1)
        #expect(line.text(for: progress).contains("  1.23 MB of 5.00 MB in flight"))
    }

    @Test func progressLineShowsCountsAndRates() {
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

    @Test("The progress says why nothing is in flight while all hosts are paused")
    func pauseIsShown() {
        var progress = BatchProgress()
        progress.waiting = 60
        progress.nextStart = .seconds(58)
        let text = "all waiting, next start in 58 s"
        #expect(ProgressLine.state(progress).contains("  60 waiting  \(text)  "))
        var line = ProgressLine()
        #expect(line.text(for: progress).hasSuffix("  \(text)"))
        var block = ProgressBlock(hasColor: false, isUnicode: false)
        #expect(block.lines(for: progress, slowest: [], columns: 80).contains(text))
        // The usual time between two requests is no news.
        progress.nextStart = .milliseconds(999)
        #expect(!ProgressLine.state(progress).contains("paused"))
    }

    @Test func rateFollowsRecentProgress() {
        var meter = RateMeter()
        var count = 0.0
        var rate = 0.0
        for step in 0..<200 {
            count += step < 100 ? 100 : 10
            rate = meter.rate(count: count, at: Double(step) * 0.1)
        }
        #expect(rate > 95 && rate < 150)
    }
}
