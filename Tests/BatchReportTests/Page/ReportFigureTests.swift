import Foundation
import Testing

@testable import BatchFetch
@testable import BatchReport

/// The figures of the page, as people read them.
@Suite struct ReportFigureTests {
    private func report(_ results: [(Int?, BatchFailure?)]) -> RunReport {
        var report = RunReport()
        for (number, (status, failure)) in results.enumerated() {
            var result = BatchResult(url: "http://h\(number)/", line: number + 1)
            result.status = status
            result.failure = failure
            result.attempts = 1
            report.add(result)
        }
        return report
    }

    @Test(
        "A percentage isn't rounded to 0 or 100",
        arguments: [
            (0, 0, "0 %"), (5, 0, "0 %"), (0, 10, "0 %"), (10, 10, "100 %"), (1, 2, "50 %"),
            (1, 3, "33.3 %"), (1, 200, "0.50 %"), (1, 10_000, "0.01 %"), (1, 100_000, "< 0.01 %"),
            (99_999, 100_000, "> 99.99 %"), (9999, 10_000, "99.99 %"), (199, 200, "99.50 %"),
            (2, 100, "2 %"),
        ]
    )
    func shareIsNotRoundedToAll(part: Int, all: Int, expected: String) {
        #expect(RunReport.share(part, of: all) == expected)
    }

    @Test(
        "A time on an axis is written in few characters",
        arguments: [
            (0, "0 µs"), (1e-6, "1 µs"), (0.0005, "500 µs"), (0.001, "1 ms"), (0.0025, "2.5 ms"),
            (0.02, "20 ms"), (0.5, "500 ms"), (1, "1 s"), (1.5, "1.5 s"), (120.4, "120 s"),
        ] as [(Double, String)]
    )
    func timeOfAnAxisIsShort(seconds: Double, expected: String) {
        #expect(RunReport.shortTime(seconds) == expected)
    }

    @Test(
        "An amount of bytes on an axis is written in few characters",
        arguments: [
            (0, "0 B"), (999, "999 B"), (999.6, "1.0 kB"), (1000, "1 kB"), (1500, "1.5 kB"),
            (25_400, "25 kB"), (5e6, "5 MB"), (2e9, "2 GB"), (3e12, "3 TB"), (4e15, "4,000 TB"),
        ] as [(Double, String)]
    )
    func bytesOfAnAxisAreShort(bytes: Double, expected: String) {
        #expect(RunReport.shortBytes(bytes) == expected)
    }

    @Test("Rates and times have decimals only if they are small")
    func ratesHaveDecimalsWhereTheyMatter() {
        let rates: [(Double, String)] = [
            (0, "0"), (2, "2"), (2.25, "2.3"), (9.96, "10.0"), (10.4, "10"),
        ]
        for (rate, text) in rates { #expect(RunReport.rate(rate) == text) }
        #expect(RunReport.moment(1.5) == "1.50 s" && RunReport.moment(119.5) == "119.50 s")
        #expect(RunReport.moment(2) == "2 s" && RunReport.moment(120) == "2 min 0 s")
        #expect(RunReport.bytes(-1) == 0 && RunReport.bytes(.infinity) == .max)
        #expect(RunReport.bytes(.nan) == .max && RunReport.bytes(1.9) == 1)
        #expect(RunReport.text(nil) == "–")
    }

    @Test("Unchanged and existing URLs are separate outcomes")
    func skippedURLsAreOutcomesOfTheirOwn() {
        var report = report([(200, nil)])
        var unchanged = BatchResult(url: "http://h/", line: 9)
        unchanged.isUnchanged = true
        unchanged.status = 304
        unchanged.attempts = 2
        report.add(unchanged)
        var existing = BatchResult(url: "http://h/", line: 10)
        existing.isExisting = true
        report.add(existing)
        report.add(existing)
        #expect(report.count == 4 && report.fetched == 1 && report.unchanged == 1)
        #expect(report.existing == 2 && report.retries == 1)
        let html = report.html(title: "x")
        for text in [
            "Outcomes of 4 URLs", "<bdi>unchanged</bdi>", "<bdi>already existed</bdi>",
            "unchanged 25 %", "already existed 50 %", "200: 1 · 304: 1", "1 retry",
        ] {
            #expect(html.contains(text), "no \(text)")
        }
        #expect(html.contains("Nothing failed."))
    }

    @Test("The page shows at most four kinds of failures and eight statuses")
    func fewKindsHaveAColour() {
        let results = (0..<9).map { kind in
            (400 + kind, BatchFailure(.status, "m"))
        }
        let html = report(results.map { ($0.0, $0.1) }).html(title: "x")
        #expect(
            html.contains("<bdi>status 403</bdi>") && html.contains("<bdi>other failures</bdi>")
        )
        #expect(html.contains("407: 1 · …") && !html.contains("408: 1"))
        #expect(html.contains("other failures: 5"))
        #expect(html.contains("Nothing was fetched.") && html.contains("Nothing failed.") == false)
        let four = report(Array(results.prefix(4)).map { ($0.0, $0.1) }).html(title: "x")
        #expect(!four.contains("other failures"))
    }

    @Test("The page says which shares of fetched URLs reused a connection or used HTTP/2")
    func connectionsAreSharesOfFetchedURLs() {
        var report = report([(404, BatchFailure(.status, "m"))])
        for number in 0..<4 {
            var result = BatchResult(url: "http://h/", line: number)
            result.status = 200
            result.isConnectionReused = number > 0
            result.httpVersion = number == 0 ? "2" : "1.1"
            report.add(result)
        }
        let html = report.html(title: "x")
        #expect(
            html.contains(
                "Of the fetched URLs 75 % reused an open connection, and 25 % used HTTP/2."
            )
        )
    }

    @Test("Results without times say so instead of plots")
    func missingTimesAreReported() {
        let html = report([(200, nil)]).html(title: "x")
        #expect(html.components(separatedBy: "The results have no times.").count == 3)
        #expect(!html.contains("id=\"rates-title\"") && html.contains("<dd class=\"value\">–</dd>"))
    }

    @Test("The first 20 damaged lines are listed, and the others counted")
    func damagedLinesAreListedUpToALimit() {
        var one = RunReport()
        one.addDamage(line: 1234, "it is odd")
        let single = one.html(title: "x")
        #expect(
            single.contains("1 line of the results could not be read, and is not counted above.")
        )
        #expect(
            single.contains("Line 1,234: <bdi>it is odd</bdi>") && !single.contains("more</li>")
        )
        var many = RunReport()
        for line in 1...1025 { many.addDamage(line: line, "x") }
        #expect(many.damaged == 1025 && many.damagedLines.map(\.line) == Array(1...20))
        let html = many.html(title: "x")
        #expect(html.contains("1,025 lines of the results could not be read, and are not"))
        #expect(html.contains("… and 1,005 more") && !html.contains("Line 21:"))
    }

    @Test("The period of a run is in UTC, from the first start to the last end")
    func periodIsInUTC() {
        var report = RunReport()
        for second in [3, 1, 2] as [Int64] {
            var result = BatchResult(url: "http://h/", line: 1)
            result.startedAt = 784_111_777_000_000 + second * 1_000_000
            result.timings.total = .milliseconds(500)
            report.add(result)
        }
        #expect(
            report.html(title: "x").contains(
                "1994-11-06 08:49:38 to 1994-11-06 08:49:40 UTC · 2.50 s"
            )
        )
    }
}
