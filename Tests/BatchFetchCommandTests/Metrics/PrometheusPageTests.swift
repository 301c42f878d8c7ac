import Testing

@testable import BatchFetch
@testable import BatchFetchCommand

/// The page of metrics, in the text format of Prometheus.
@Suite struct PrometheusPageTests {
    private func lines(_ summary: BatchSummary) -> [Substring] {
        PrometheusText.page(for: summary).split(separator: "\n", omittingEmptySubsequences: false)
    }

    @Test("The HELP and TYPE lines of each metric come once, before its samples")
    func everySampleHasItsType() {
        var summary = BatchSummary()
        var result = BatchResult(url: "http://h/", line: 1)
        result.timings.total = .milliseconds(250)
        summary.add(result)
        result.failure = BatchFailure(.timeout, "late")
        summary.add(result)
        var typed: [Substring] = []
        let lines = lines(summary)
        #expect(lines.last == "", "the last line ends, too")
        for (index, line) in lines.dropLast().enumerated() {
            if line.hasPrefix("# TYPE ") {
                let words = line.split(separator: " ")
                #expect(words.count == 4 && ["counter", "gauge", "summary"].contains(words[3]))
                #expect(lines[index - 1].hasPrefix("# HELP \(words[2]) "))
                #expect(!typed.contains(words[2]), "\(line)")
                typed.append(words[2])
            } else if !line.hasPrefix("# HELP ") {
                let name = line.prefix { $0 != "{" && $0 != " " }
                let isCount = name == "batchfetch_fetch_seconds_count"
                #expect(isCount || name == typed.last, "\(line)")
                #expect(Double(line.split(separator: " ").last ?? "") != nil, "\(line)")
            }
        }
        #expect(typed.count == 9 && typed.allSatisfy { $0.hasPrefix("batchfetch_") })
    }

    @Test("The page has the counts of the run, and its times in seconds")
    func amountsAreThoseOfTheRun() {
        var summary = BatchSummary()
        for _ in 0..<4 {
            var result = BatchResult(url: "http://h/", line: 1)
            result.timings.total = .milliseconds(250)
            summary.add(result)
        }
        summary.progress.inFlight = 3
        summary.progress.waiting = 5
        summary.progress.duplicates = 6
        summary.progress.retries = 7
        summary.progress.skipped = 8
        summary.progress.bytes = .max
        summary.progress.elapsed = .milliseconds(1500)
        let lines = Set(lines(summary))
        for line in [
            "batchfetch_urls_total{outcome=\"fetched\"} 4", "batchfetch_in_flight 3",
            "batchfetch_urls_total{outcome=\"skipped\"} 8", "batchfetch_waiting 5",
            "batchfetch_duplicates_total 6", "batchfetch_retries_total 7",
            "batchfetch_received_bytes_total 9223372036854775807", "batchfetch_run_seconds 1.5",
            "batchfetch_fetch_seconds{quantile=\"0.5\"} 0.25",
            "batchfetch_fetch_seconds{quantile=\"0.99\"} 0.25", "batchfetch_fetch_seconds_count 4",
        ] {
            #expect(lines.contains(Substring(line)), "no \(line)")
        }
    }

    @Test(
        "Quotes and line ends in a failure's reason are escaped in its label",
        arguments: [
            ("a\\b", "a\\\\b"), ("a\"} 1", "a\\\"} 1"), ("a\nb", "a\\nb"), ("é", "é"), ("", ""),
        ]
    )
    func reasonIsEscaped(reason: String, expected: String) {
        var summary = BatchSummary()
        var result = BatchResult(url: "http://h/", line: 1)
        result.failure = BatchFailure(BatchFailure.Code(reason), "m")
        summary.add(result)
        #expect(lines(summary).contains("batchfetch_failures_total{reason=\"\(expected)\"} 1"))
    }

    @Test("Before a run starts, the page is that of an empty run")
    func unstartedRunHasAnEmptyPage() {
        #expect(RunMetrics().page == PrometheusText.page(for: BatchSummary()))
        #expect(!RunMetrics().page.contains("quantile"))
    }
}
