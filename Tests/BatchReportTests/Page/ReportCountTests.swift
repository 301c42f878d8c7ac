import TestSupport
import Testing

@testable import BatchFetch
@testable import BatchReport

/// What each kind of result counts for, and input that is no list of results.
@Suite struct ReportCountTests {
    private func sample(_ change: (inout ReportSample) -> Void) -> ReportSample {
        var sample = ReportSample()
        (sample.line, sample.url, sample.status, sample.attempts) = (1, "http://h/", 200, 3)
        (sample.bytes, sample.startedAt) = (100, 1_000_000)
        (sample.isConnectionReused, sample.httpVersion) = (true, "2")
        sample.timings.total = .seconds(1)
        change(&sample)
        return sample
    }

    private func report(_ change: (inout ReportSample) -> Void) -> RunReport {
        var report = RunReport()
        report.add(sample(change))
        return report
    }

    @Test func existingFileCountsNothingButItsRetries() {
        let report = report { $0.isExisting = true }
        #expect(report.existing == 1 && report.count == 1 && report.retries == 2)
        #expect(report.bytes == 0 && report.statuses.isEmpty && report.series.isEmpty)
        #expect(report.hosts.figures.isEmpty && report.phases.total.count == 0)
        #expect(report.fetched == 0 && report.reused == 0 && report.http2 == 0)
    }

    @Test func unchangedURLHasHostAndStatusButNoPhases() {
        let report = report { sample in
            (sample.isUnchanged, sample.status, sample.bytes) = (true, 304, 0)
        }
        #expect(report.unchanged == 1 && report.fetched == 0 && report.count == 1)
        #expect(report.statuses == [304: 1] && !report.series.isEmpty)
        #expect(report.hosts.figures["h"]?.fetched == 1)
        #expect(report.phases.total.count == 0 && report.reused == 0 && report.http2 == 0)
    }

    @Test func failedURLHasBytesAndStatusButNoPhases() {
        let report = report { $0.failure = ("status 500", "m") }
        #expect(report.failed == 1 && report.bytes == 100 && report.statuses == [200: 1])
        #expect(report.hosts.figures["h"]?.failed == 1 && report.failures.sorted.count == 1)
        #expect(report.phases.total.count == 0 && report.reused == 0 && report.http2 == 0)
    }

    @Test func bytesBeyondTheLargestNumberStayThere() {
        var report = RunReport()
        for _ in 0..<2 {
            report.add(
                sample { sample in
                    (sample.bytes, sample.timings.total) = (.max, .milliseconds(500))
                }
            )
        }
        #expect(report.bytes == .max && report.hosts.figures["h"]?.bytes == .max)
        #expect(report.html(title: "Large").contains("Large"))
    }

    @Test func firstAttemptIsNoRetry() {
        var report = RunReport()
        for attempts in [0, 1, 2, 5] { report.add(sample { $0.attempts = attempts }) }
        #expect(report.retries == 1 + 4)
    }

    @Test func resultWithoutStartIsInNoBucket() {
        let report = report { $0.startedAt = nil }
        #expect(report.fetched == 1 && report.series.isEmpty && report.phases.total.count == 1)
        let late = self.report { $0.startedAt = .max }
        #expect(late.fetched == 1 && late.series.isEmpty)
    }

    @Test func knownStatusesAreCountedBeyondTheLimit() {
        var report = RunReport()
        for status in (0..<1500).map({ $0 + 100 }) + [100, 1099, 1100] {
            report.add(sample { $0.status = status })
        }
        #expect(report.statuses.count == 1000 && report.fetched == 1503)
        #expect(report.statuses[100] == 2 && report.statuses[1099] == 2)
        #expect(report.statuses[1100] == nil)
        report.add(sample { $0.status = nil })
        #expect(report.fetched == 1504 && report.statuses.count == 1000)
    }

    @Test(
        arguments: [
            ([0xFF, 0xFE, 0x7B, 0x00], "UTF-16"), ([0xFE, 0xFF, 0x00, 0x7B], "UTF-16"),
            ([0x28, 0xB5, 0x2F, 0xFD, 0x0A], "zstd -dc FILE"),
            ([0x50, 0x4B, 0x03, 0x04, 0x0A], "unzip -p FILE"),
        ] as [([UInt8], String)]
    )
    func otherFormatsAreAnErrorWithAHint(bytes: [UInt8], hint: String) throws {
        let folder = try TemporaryDirectory()
        let path = try folder.write(bytes, to: "results")
        var report = RunReport()
        let failure = #expect(throws: BatchFailure.self) { try report.read(resultsOf: path) }
        #expect(failure?.code == .input)
        #expect(failure?.message.contains(hint) == true)
        #expect(report.count == 0 && report.damaged == 0)
    }
}
