import BatchFetch
import Testing

@testable import BatchFetchCommand

@Suite struct PrometheusTextTests {
    @Test func outcomesAreCounted() {
        #expect(PrometheusText.page(for: BatchSummary()).contains("{outcome=\"unchanged\"} 0"))
        var summary = BatchSummary()
        var result = BatchResult(url: "http://example.org/", line: 1)
        result.isUnchanged = true
        summary.add(result)
        result.isUnchanged = false
        result.failure = BatchFailure(BatchFailure.Code("a\"b"), "late")
        summary.add(result)
        let page = PrometheusText.page(for: summary)
        #expect(page.contains("batchfetch_urls_total{outcome=\"unchanged\"} 1\n"))
        #expect(page.contains("batchfetch_urls_total{outcome=\"failed\"} 1\n"))
        #expect(page.contains("batchfetch_failures_total{reason=\"a\\\"b\"} 1\n"))
    }
}
