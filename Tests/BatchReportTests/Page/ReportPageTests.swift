import Foundation
import TestSupport
import Testing

@testable import BatchFetch
@testable import BatchReport

/// The page as a document, and its independence of the order of results.
@Suite struct ReportPageTests {
    private static let start: Int64 = 1_795_000_000_000_000

    /// Results of all kinds, the same for the same seed.
    private func results(_ count: Int, seed: UInt64) -> [BatchResult] {
        var random = SeededGenerator(seed: seed)
        return (0..<count).map { number in
            let host = Int.random(in: 0..<7, using: &random)
            var result = BatchResult(url: "https://h\(host).example/\(number)", line: number + 1)
            result.attempts = Int.random(in: 1...3, using: &random)
            result.transferredBytes = Int64.random(in: 0...50_000, using: &random)
            result.startedAt = Self.start + Int64.random(in: 0...60_000_000, using: &random)
            result.timings.total = .milliseconds(Int.random(in: 1...900, using: &random))
            result.timings.firstByte = .milliseconds(Int.random(in: 1...500, using: &random))
            result.isConnectionReused = Bool.random(using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0: result.isExisting = true
            case 1: result.isUnchanged = true
            case 2:
                result.status = 503
                result.failure = BatchFailure(.status, "busy")
            case 3: result.failure = BatchFailure(.timeout, "late")
            default: result.status = 200
            }
            return result
        }
    }

    private func report(_ results: [BatchResult]) -> RunReport {
        var report = RunReport()
        for result in results { report.add(result) }
        return report
    }

    /// The values of an attribute, in the order of the page.
    private func values(of attribute: String, in page: String) -> [String] {
        page.components(separatedBy: " \(attribute)=\"").dropFirst().map {
            $0.components(separatedBy: "\"")[0]
        }
    }

    @Test("The figures don't depend on the order of the results", arguments: [1, 2, 3] as [UInt64])
    func figuresDoNotDependOnTheOrder(seed: UInt64) {
        let results = results(400, seed: seed)
        let first = report(results)
        var random = SeededGenerator(seed: seed &* 31)
        for _ in 0..<3 {
            let second = report(results.shuffled(using: &random))
            #expect(first.count == 400 && second.count == 400)
            #expect(first.fetched == second.fetched && first.failed == second.failed)
            #expect(first.unchanged == second.unchanged && first.existing == second.existing)
            #expect(first.retries == second.retries && first.bytes == second.bytes)
            #expect(first.statuses == second.statuses && first.reused == second.reused)
            #expect(first.phases.rows.map(\.times) == second.phases.rows.map(\.times))
            #expect(first.failures.sorted.map(\.count) == second.failures.sorted.map(\.count))
            #expect(first.hosts.slowest(9).map(\.host) == second.hosts.slowest(9).map(\.host))
            #expect(first.hosts.slowest(9).map(\.latency) == second.hosts.slowest(9).map(\.latency))
            #expect(first.series.first == second.series.first)
            #expect(first.series.last == second.series.last)
            #expect(first.series.width == second.series.width)
            for (one, other) in zip(first.series.points, second.series.points) {
                #expect(one.bucket.fetched == other.bucket.fetched)
                #expect(one.bucket.failed == other.bucket.failed)
                #expect(one.bucket.latency == other.bucket.latency)
                #expect(abs(one.bucket.bytes - other.bucket.bytes) < 1e-3)
            }
        }
    }

    @Test("Each result is counted in one outcome, and in one time bucket unless it existed")
    func everyResultIsCountedOnce() {
        let results = results(500, seed: 9)
        let report = report(results)
        #expect(report.fetched + report.failed + report.unchanged + report.existing == 500)
        let counted = report.series.points.reduce(0) { $0 + $1.bucket.fetched + $1.bucket.failed }
        #expect(counted == 500 - report.existing)
        let hosts = report.hosts.figures.values.reduce(0) { $0 + $1.count }
        #expect(hosts == 500 - report.existing)
        #expect(report.failures.sorted.reduce(0) { $0 + $1.count } == report.failed)
        #expect(report.phases.total.count == UInt64(report.fetched))
    }

    @Test("The page's head has charset, content security policy and an escaped title")
    func headIsSafe() throws {
        let page = RunReport().html(title: "<list> & more")
        #expect(page.hasPrefix("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"))
        #expect(page.contains("<title>&lt;list&gt; &amp; more – batchfetch report</title>"))
        #expect(page.contains("content=\"default-src &#39;none&#39;; style-src &#39;sha256-"))
        #expect(page.contains("<meta name=\"color-scheme\" content=\"light dark\">"))
        // The policy comes before anything that it could block.
        let policy = try #require(page.range(of: "Content-Security-Policy"))
        let style = try #require(page.range(of: "<style>"))
        #expect(policy.lowerBound < style.lowerBound)
        for attribute in ["src", "href", "style", "onload", "onclick", "action"] {
            #expect(values(of: attribute, in: page).isEmpty, "\(attribute)")
        }
    }

    @Test(
        "Identifiers of the page are unique, and each reference has a target",
        arguments: [0, 1, 300]
    )
    func referencesHaveTargets(count: Int) {
        let page = report(results(count, seed: 4)).html(title: "x")
        let ids = values(of: "id", in: page)
        #expect(Set(ids).count == ids.count)
        let references = values(of: "aria-labelledby", in: page)
            .flatMap { $0.split(separator: " ").map(String.init) }
        #expect(references.allSatisfy(ids.contains))
        #expect(references.count == ids.count && (count < 300 || ids.count == 8))
        // Each picture has a name for screen readers, or is hidden from them.
        let pictures = page.components(separatedBy: "<svg").count - 1
        let named =
            references.count / 2 + page.components(separatedBy: "aria-label=\"fetched").count - 1
        let hidden = page.components(separatedBy: "aria-hidden=\"true\"><svg").count - 1
        #expect(pictures == named + hidden)
        #expect(page.components(separatedBy: "<h1>").count == 2)
    }

    @Test("No coordinate is negative or beyond the plot", arguments: [1, 5, 300])
    func coordinatesAreWithinThePlot(count: Int) {
        let page = report(results(count, seed: 6)).html(title: "x")
        for attribute in ["x", "x1", "x2", "cx", "width"] {
            for value in values(of: attribute, in: page) {
                guard let number = Double(value) else { continue }
                #expect((0...Plot.width).contains(number), "\(attribute)=\(value)")
            }
        }
        for attribute in ["y", "y1", "y2", "cy", "height"] {
            for value in values(of: attribute, in: page) {
                guard let number = Double(value) else { continue }
                #expect((0...Plot.height).contains(number), "\(attribute)=\(value)")
            }
        }
    }
}
