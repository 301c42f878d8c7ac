import Testing

@testable import BatchFetch
@testable import BatchFetchCommand
@testable import BatchReport

@Suite struct ProgressBlockTests {
    private func progress(seconds: Double, done: Int = 0, expected: Int? = nil) -> BatchProgress {
        var progress = BatchProgress()
        progress.fetched = done
        progress.expected = expected
        progress.isExpectedExact = true
        progress.elapsed = .milliseconds(Int(seconds * 1000))
        return progress
    }

    private func text(_ block: inout ProgressBlock, _ progress: BatchProgress, columns: Int = 80)
        -> [String]
    {
        block.lines(for: progress, slowest: [], columns: columns)
    }

    @Test func remainingTimeIsShownWhenTheRateIsKnown() {
        var block = ProgressBlock(hasColor: false, isUnicode: false)
        _ = text(&block, progress(seconds: 0, expected: 1000))
        let early = text(&block, progress(seconds: 1, done: 100, expected: 1000))
        #expect(!early.joined().contains("ETA"))
        var later: [String] = []
        for second in 2...5 {
            later = text(
                &block,
                progress(seconds: Double(second), done: second * 100, expected: 1000)
            )
        }
        #expect(later[0].contains("50 % of 1,000   ETA 5 s"), "\(later)")
        #expect(later[0].hasPrefix("######"))
    }

    @Test func remainingTimeIsHiddenWhileTheListIsRead() {
        var block = ProgressBlock(hasColor: false, isUnicode: true)
        for second in 0...10 {
            let lines = text(&block, progress(seconds: Double(second), done: second * 100))
            #expect(!lines.joined().contains("ETA") && !lines.joined().contains("%"))
        }
    }

    @Test func estimateIsMarkedAsApproximate() {
        var block = ProgressBlock(hasColor: false, isUnicode: true)
        var lines: [String] = []
        for second in 0...10 {
            var progress = BatchProgress()
            progress.fetched = second * 100
            progress.elapsed = .seconds(second)
            progress.expected = 4000
            lines = text(&block, progress)
        }
        #expect(lines[0].contains("of about 4,000   ETA ~30 s"), "\(lines)")
    }

    @Test func totalIsEstimatedFromTheShareRead() {
        var progress = BatchProgress()
        progress.fetched = 100
        progress.waiting = 900
        #expect(progress.estimate(readShare: 0.25) == 4000)
        #expect(progress.estimate(readShare: 0) == 0)
        // URLs that were completed earlier aren't fetched again.
        progress.skipped = 1000
        #expect(progress.estimate(readShare: 0.5) == 3000)
    }

    @Test("The bytes of large files in flight are shown with their total, share and end")
    func bytesOfLargeFilesAreShown() {
        var block = ProgressBlock(hasColor: false, isUnicode: false)
        var lines: [String] = []
        for second in 0...10 {
            var progress = progress(seconds: Double(second), expected: 2)
            progress.inFlight = 2
            progress.large.count = 2
            progress.large.total = 3_400_000_000
            progress.large.received = Int64(second) * 120_000_000
            progress.bytes = progress.large.received
            lines = text(&block, progress)
        }
        #expect(lines.count == 4, "\(lines)")
        #expect(lines[3] == "in flight  1.20 GB of 3.40 GB   35 %   ETA 18 s", "\(lines)")
        #expect(lines[0].contains("  35 % of 2   ETA 18 s"), "\(lines)")
    }

    @Test func blockShowsAllCounts() {
        var block = ProgressBlock(hasColor: false, isUnicode: true)
        var progress = progress(seconds: 3725, done: 12_342, expected: 29_400)
        progress.failed = 3
        progress.inFlight = 256
        progress.waiting = 9876
        progress.retries = 12
        progress.bytes = 45_600_000
        var table = HostTable()
        var sample = ReportSample()
        sample.url = "https://slow.example/"
        sample.timings.total = .seconds(2)
        table.add(sample)
        let lines = block.lines(for: progress, slowest: table.slowest(3), columns: 80)
        #expect(lines.count == 4)
        #expect(lines[1] == "12,345 done   3 failed   256 in flight   9,876 waiting   12 retries")
        #expect(lines[2] == "0.0/s   0.0 MB/s   45.6 MB   1:02:05")
        #expect(lines[3] == "slowest  slow.example 2.00 s")
    }

    @Test(arguments: [1, 10, 20, 40, 80, 200])
    func linesFitTheTerminal(columns: Int) {
        var block = ProgressBlock(hasColor: false, isUnicode: true)
        var progress = progress(seconds: 10, done: 123_456_789, expected: 987_654_321)
        progress.inFlight = 60_000
        progress.waiting = 1_000_000
        progress.retries = 1_000_000
        var table = HostTable()
        for number in 0..<5 {
            var sample = ReportSample()
            sample.url = "https://\(String(repeating: "long-", count: 20))\(number).example/"
            sample.timings.total = .seconds(number)
            table.add(sample)
        }
        for line in block.lines(for: progress, slowest: table.slowest(3), columns: columns) {
            #expect(line.count <= max(1, columns - 1), "\(line)")
            #expect(line != "slowest", "without a host")
        }
    }

    @Test func coloursAreOmittedWhenUnwanted() {
        var progress = progress(seconds: 1, done: 5, expected: 10)
        progress.failed = 1
        var plain = ProgressBlock(hasColor: false, isUnicode: true)
        #expect(!text(&plain, progress).joined().contains("\u{1B}"))
        var colored = ProgressBlock(hasColor: true, isUnicode: true)
        #expect(text(&colored, progress).joined().contains("\u{1B}[1;31m1\u{1B}[0m"))
    }

    @Test func controlCharactersOfHostsAreReplaced() {
        var line = TerminalLine(columns: 80, hasColor: false)
        line.append("a\u{1B}[2J\u{9B}31m\u{202E}b")
        #expect(line.text == "a?[2J?31m?b")
        #expect(TerminalEscaping.text("a\u{1B}[2J\n\u{9B}x") == "a\u{FFFD}[2J\n\u{FFFD}x")
    }

    @Test func stateLineShowsMeanRates() {
        var progress = progress(seconds: 10, done: 1000, expected: 5000)
        progress.inFlight = 6
        progress.waiting = 3994
        progress.bytes = 20_000_000
        #expect(
            ProgressLine.state(progress)
                == "1,000 done  0 failed  6 in flight  3,994 waiting  100/s  2.0 MB/s  of 5,000  "
                + "after 10.00 s"
        )
    }
}
