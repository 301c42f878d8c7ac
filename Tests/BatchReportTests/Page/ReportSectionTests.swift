import Foundation
import Testing

@testable import BatchFetch
@testable import BatchReport

/// The page's sections: hosts, phases, failures and plots.
@Suite struct ReportSectionTests {
    private static let start: Int64 = 1_795_000_000_000_000

    private func result(
        _ host: String,
        milliseconds: Int,
        failure: BatchFailure? = nil
    ) -> BatchResult {
        var result = BatchResult(url: "http://\(host)/", line: 1)
        result.failure = failure
        result.attempts = 1
        result.transferredBytes = 2500
        result.startedAt = Self.start
        result.timings.queue = .milliseconds(1)
        result.timings.total = .milliseconds(milliseconds)
        return result
    }

    private func report(_ results: [BatchResult]) -> RunReport {
        var report = RunReport()
        for result in results { report.add(result) }
        return report
    }

    /// The part of the page between a heading and the next section.
    private func section(_ heading: String, of report: RunReport) -> String {
        let page = report.html(title: "x")
        let parts = page.components(separatedBy: "<h2>\(heading)</h2>")
        guard parts.count == 2 else { return "" }
        return parts[1].components(separatedBy: "</section>")[0]
    }

    /// The texts of a table's cells, row by row.
    private func cells(_ table: String) -> [[String]] {
        table.components(separatedBy: "<tr>").dropFirst(2).map { row in
            row.components(separatedBy: "<td class=\"number\">").dropFirst().map {
                $0.components(separatedBy: "</td>")[0]
            }
        }
    }

    @Test("The hosts' table has counts, latencies and bytes, with the slowest host first")
    func hostsHaveTheirFigures() {
        let report = report([
            result("fast", milliseconds: 10), result("slow", milliseconds: 900),
            result("slow", milliseconds: 900),
        ])
        let section = section("Hosts", of: report)
        let rows = cells(section)
        #expect(section.contains("<caption>Slowest hosts by 90th percentile</caption>"))
        #expect(rows.count == 2)
        #expect(rows[0] == ["2", "0", "900.0 ms", "900.0 ms", "900.0 ms", "5.00 kB"])
        #expect(rows[1] == ["1", "0", "10.0 ms", "10.0 ms", "10.0 ms", "2.50 kB"])
        let names = section.components(separatedBy: "<bdi>").dropFirst().map {
            $0.components(separatedBy: "</bdi>")[0]
        }
        #expect(names == ["slow", "fast"])
        #expect(!section.contains("most failed") && !section.contains("too many hosts"))
    }

    @Test("Bars are drawn in proportion to the longest one")
    func barHasTheShareOfTheLongest() {
        let report = report([result("a", milliseconds: 1000), result("b", milliseconds: 250)])
        let section = section("Hosts", of: report)
        let bars = section.components(separatedBy: "<rect class=\"p90\" x=\"0\" y=\"0\" width=\"")
            .dropFirst().map { $0.prefix { $0 != "\"" } }
        #expect(bars == ["100", "25"])
        #expect(section.components(separatedBy: "class=\"track\"").count == 3)
        #expect(section.components(separatedBy: "aria-hidden=\"true\"").count == 3)
    }

    @Test("Hosts with failures are sorted by their number, also without any latency")
    func failedHostsAreListed() {
        let failure = BatchFailure(.timeout, "late")
        var results = (0..<12).map { result("h\($0)", milliseconds: 5, failure: failure) }
        results.append(result("h3", milliseconds: 5, failure: failure))
        let section = section("Hosts", of: report(results))
        #expect(!section.contains("Slowest hosts"))
        let rows = cells(section)
        #expect(rows.count == 10, "no more than ten")
        #expect(rows[0] == ["2", "2", "–", "–", "–", "5.00 kB"])
        #expect(rows[1][0] == "1")
        #expect(section.contains("<rect class=\"failed-1\" x=\"0\" y=\"0\" width=\"50\""))
    }

    @Test("Without hosts the section is omitted, and omitted hosts are mentioned")
    func missingAndForgottenHosts() {
        #expect(section("Hosts", of: report([result("", milliseconds: 1)])) == "")
        var many = RunReport()
        for number in 0...1024 { many.add(result("h\(number)", milliseconds: number)) }
        let section = section("Hosts", of: many)
        #expect(section.contains("There were too many hosts to keep all"))
        #expect(cells(section).count == 15, "no more than fifteen")
    }

    @Test("Only phases that took place are listed, with their own counts")
    func phasesThatTookPlaceAreListed() {
        var second = result("h", milliseconds: 300)
        second.timings.queue = nil
        second.timings.connect = .milliseconds(20)
        let section = section(
            "Where the time went",
            of: report([result("h", milliseconds: 100), second])
        )
        let rows = cells(section)
        #expect(rows.map(\.first) == ["1", "1", "2"])
        #expect(rows[1] == ["1", "20.0 ms", "20.0 ms", "20.0 ms", "20.0 ms"])
        #expect(rows[2].last == "300.0 ms")
        for name in ["Queued", "Connecting", "Whole fetch"] { #expect(section.contains(name)) }
        for name in ["TLS", "Name look-up", "First byte"] { #expect(!section.contains(name)) }
        let failed = report([result("h", milliseconds: 1, failure: BatchFailure(.timeout, ""))])
        #expect(self.section("Where the time went", of: failed) == "")
    }

    @Test("Failures have their share of all URLs and an example with its line")
    func failuresHaveTheirShare() {
        var results = (0..<3).map { result("h\($0)", milliseconds: 1) }
        var failed = result("bad", milliseconds: 1, failure: BatchFailure(.timeout, "<late>"))
        failed.line = 1234
        results.append(failed)
        let section = section("Failures", of: report(results))
        #expect(cells(section) == [["1", "25 %"]])
        #expect(section.contains("<bdi>http://bad/</bdi>"))
        #expect(section.contains("line 1,234: <bdi>&lt;late&gt;</bdi>"))
    }

    @Test("The throughput's table has a row for each point, also for an idle time")
    func throughputHasARowForEachPoint() {
        var late = result("h", milliseconds: 125)
        late.startedAt = Self.start + 1_000_000
        let report = report([result("h", milliseconds: 125), late])
        let section = section("Throughput over time", of: report)
        let rows = cells(section)
        #expect(rows.count == report.series.points.count)
        #expect(rows.first?.first == "0 s" && rows.allSatisfy { $0.count == 5 })
        #expect(rows.compactMap { Int($0[1]) }.reduce(0, +) == 2)
        #expect(rows.contains { $0[1] == "0" && $0[3] == "0" && $0[4] == "0 B/s" })
        #expect(section.contains("URLs per second; a column is 0.06 s."))
        #expect(section.contains("<title id=\"rates-title\">URLs per second over time</title>"))
        // Without bytes, there is no plot of them, and without failures, no colour for these.
        #expect(section.contains("id=\"bytes-title\"") && !section.contains("swatch failed-1"))
        var empty = result("h", milliseconds: 1, failure: BatchFailure(.timeout, ""))
        empty.transferredBytes = 0
        let failed = self.section("Throughput over time", of: self.report([empty]))
        #expect(!failed.contains("id=\"bytes-title\"") && failed.contains("swatch failed-1"))
    }

    @Test("The latency section has a plot of percentiles and a distribution")
    func latencyHasItsPlots() {
        let report = report((1...100).map { result("h", milliseconds: $0 * 10) })
        let section = section("Latency", of: report)
        for text in [
            "id=\"latency-title\"", "id=\"distribution-title\"", ">p50</text>", ">p90, p99</text>",
            "class=\"curve p50\"", "class=\"curve p90\"", "class=\"curve p99\"",
            "Figures: latency over time", "Fetches by duration.", "p50 (median)",
        ] {
            #expect(section.contains(text), "no \(text)")
        }
        // Each fetch is in one column of the distribution.
        let counts = section.components(separatedBy: " fetched</title>").dropLast().compactMap {
            Int($0.components(separatedBy: ": ").last ?? "")
        }
        #expect(counts.reduce(0, +) == 100 && counts.count > 10)
        #expect(self.section("Latency", of: RunReport()).contains("Nothing was fetched."))
    }

    @Test("The key figures have rates and averages, and failures are highlighted")
    func keyFiguresHaveRates() {
        var results = (0..<10).map { result("h", milliseconds: 100 + $0) }
        results[9].startedAt = Self.start + 1_891_000
        let page = report(results).html(title: "x")
        let cards = page.components(separatedBy: "aria-label=\"Key figures\">")[1]
            .components(separatedBy: "</section>")[0]
        for text in [
            "<dt>Fetched</dt><dd class=\"value\">10</dd><dd class=\"note\">100 %</dd>",
            "<dt>Failed</dt><dd class=\"value\">0</dd><dd class=\"note\">none</dd>",
            "<dt>URLs per second</dt><dd class=\"value\">5.0</dd><dd class=\"note\">no retries</dd>",
            "<dt>Received</dt><dd class=\"value\">25.0 kB</dd>", "12.5 kB/s on average",
            "half of all fetches were faster", "longest 109.0 ms",
        ] {
            #expect(cards.contains(text), "no \(text): \(cards)")
        }
        #expect(!cards.contains("card bad"))
        let failed = report([result("h", milliseconds: 1, failure: BatchFailure(.timeout, ""))])
        #expect(failed.html(title: "x").contains("<dl class=\"card bad\"><dt>Failed</dt>"))
    }

    @Test(
        "The page shows neither passwords nor values of queries, also of malformed URLs",
        arguments: [
            "http://user:s3cret@h/", "http://user:my s3cret@h/", "http://user:my/s3cret@h/",
            "http://user:s3cret/x@h/", "https://bucket.example/a?X-Amz-Signature=s3cret",
            "https://h/?s3cret", "https://h/#s3cret",
            #"{"url": "https://h/", "headers": {"Authorization": "s3cret"}"#,
        ]
    )
    func pageShowsNoSecret(url: String) {
        var result = BatchResult(url: url, line: 1)
        result.failure = BatchFailure(.invalidURL, "it is invalid")
        let page = report([result]).html(title: "x")
        #expect(page.contains("it is invalid"))
        #expect(!page.contains("s3cret"))
    }

    @Test("Labels of percentiles that are close to each other are one label")
    func closePercentilesShareALabel() {
        func labels(_ times: [Int]) -> [String] {
            let section = section(
                "Latency",
                of: report(times.map { result("h", milliseconds: $0) })
            )
            return ["p50", "p90", "p99", "p50, p90", "p90, p99", "p50, p90, p99"].filter {
                section.contains(">\($0)</text>")
            }
        }
        let one = [Int](repeating: 100, count: 100)
        #expect(labels(one) == ["p50, p90, p99"])
        let two = [Int](repeating: 10, count: 80) + [Int](repeating: 1000, count: 20)
        #expect(labels(two) == ["p50", "p90, p99"])
        let three = two.dropLast(3) + [50_000, 50_000, 50_000]
        #expect(labels(Array(three)) == ["p50", "p90", "p99"])
    }

}
