import Testing

@testable import BatchFetch

/// The counts of a run: its summary, its hosts, and the estimate of its total.
@Suite struct BatchCountsTests {
    private func result(
        _ line: Int,
        status: Int? = nil,
        _ failure: BatchFailure? = nil
    ) -> BatchResult {
        var result = BatchResult(url: "http://h/", line: line)
        result.status = status
        result.failure = failure
        result.bytes = 10
        result.timings.total = .milliseconds(line)
        return result
    }

    private func failed(_ line: Int, status: Int) -> BatchResult {
        result(line, status: status, BatchFailure(.status, "the server answered \(status)"))
    }

    @Test func failuresAreSortedByFrequencyThenName() {
        var summary = BatchSummary()
        summary.add(result(9, BatchFailure(.timeout, "slow")))
        summary.add(failed(8, status: 503))
        summary.add(failed(7, status: 404))
        summary.add(failed(6, status: 503))
        summary.add(result(5, BatchFailure(.robots, "no")))
        let top = summary.topFailures
        #expect(top.map(\.name) == ["status 503", "robots", "status 404", "timeout"])
        #expect(top.map(\.count) == [2, 1, 1, 1])
        #expect(top.first?.example == "line 8: the server answered 503", "the first that came")
        #expect(summary.progress.failed == 5 && summary.progress.done == 5)
        #expect(summary.latency.count == 0, "failures have no latency")
    }

    @Test func keptBodiesAreNotCountedAsFetched() {
        var existing = result(1)
        existing.isExisting = true
        var unchanged = result(2, status: 304)
        unchanged.isUnchanged = true
        var summary = BatchSummary()
        for result in [existing, unchanged, result(3)] { summary.add(result, host: "h:80") }
        #expect(summary.progress.existing == 1 && summary.progress.unchanged == 1)
        #expect(summary.progress.fetched == 1 && summary.progress.done == 3)
        #expect(summary.latency.count == 1 && summary.latency.maximum == .milliseconds(3))
        #expect(summary.topHosts.map(\.done) == [3] && summary.topHosts.first?.bytes == 30)
    }

    @Test func hostsAreSortedByTheirURLsThenName() {
        var summary = BatchSummary()
        for host in ["c:80", "a:80", "b:443", "b:443"] { summary.add(result(1), host: host) }
        summary.add(failed(2, status: 404), host: "c:80")
        summary.add(failed(3, status: 404), host: "c:80")
        summary.add(result(4, BatchFailure(.invalidURL, "no host")))
        let top = summary.topHosts
        #expect(top.map(\.host) == ["c:80", "b:443", "a:80"])
        #expect(top.map(\.count) == [3, 2, 1])
        #expect(top.first?.failed == 2 && top.first?.done == 1)
    }

    @Test(arguments: [Int.min, 0, 1, 2]) func atLeastTwoHostsAreCounted(capacity: Int) {
        var tallies = HostTallies(capacity: capacity)
        for _ in 0..<2 {
            tallies.add("a:80", isFailed: false, bytes: 1)
            tallies.add("b:80", isFailed: false, bytes: 1)
        }
        #expect(tallies.top.map(\.done) == [2, 2] && !tallies.isIncomplete)
        tallies.add("c:80", isFailed: false, bytes: 1)
        #expect(tallies.top.map(\.host) == ["a:80"] && tallies.isIncomplete)
    }

    @Test(
        arguments: [
            (1, 40), (0.5, 85), (0.1, 445), (0, 0), (-0.5, 0), (1.5, 0), (.nan, 0), (1e-14, 0),
        ] as [(Double, Int)]
    )
    func totalIsEstimatedWithoutCompletedURLs(share: Double, total: Int) {
        var progress = BatchProgress()
        progress.fetched = 10
        progress.failed = 5
        progress.existing = 4
        progress.unchanged = 1
        progress.inFlight = 8
        progress.waiting = 12
        progress.skipped = 5
        progress.duplicates = 1000
        progress.retries = 1000
        #expect(progress.done == 20 && progress.remaining == 20)
        #expect(progress.estimate(readShare: share) == total)
    }
}
