/// The lines that say what a run has come to.
package enum SummaryText {
    /// The most kinds of failures, and hosts, that are named.
    private static let namedFailures = 10
    private static let namedHosts = 5

    /// Lines without a line end.
    package static func lines(
        for summary: BatchSummary,
        _ context: SummaryContext? = nil
    ) -> [String] {
        let progress = summary.progress
        var first =
            "\(NumberFormat.grouped(progress.fetched)) fetched, "
            + "\(NumberFormat.grouped(progress.failed)) failed"
        if progress.unchanged > 0 {
            first += ", \(NumberFormat.grouped(progress.unchanged)) unchanged"
        }
        if progress.existing > 0 {
            first += ", \(NumberFormat.grouped(progress.existing)) existed"
        }
        if progress.duplicates > 0 {
            first += ", \(NumberFormat.grouped(progress.duplicates)) duplicates"
        }
        if progress.retries > 0 {
            first += ", \(NumberFormat.grouped(progress.retries)) retries"
        }
        let seconds = max(progress.elapsed / .seconds(1), 1e-6)
        let rate = Double(progress.done) / seconds
        let speed = Double(progress.bytes) / seconds / 1e6
        first +=
            ", \(NumberFormat.bytes(progress.bytes)) in \(NumberFormat.duration(progress.elapsed))"
            + " (\(NumberFormat.decimal(rate, digits: rate < 10 ? 1 : 0))/s, "
            + "\(NumberFormat.decimal(speed, digits: 1)) MB/s)"
        if progress.skipped > 0 {
            first += "; \(NumberFormat.grouped(progress.skipped)) were done before"
        }
        return [first] + latency(summary.latency) + failures(summary) + hosts(summary)
            + (context?.lines(for: progress) ?? [])
    }

    /// Of a single host all has been said.
    private static func hosts(_ summary: BatchSummary) -> [String] {
        let hosts = summary.topHosts
        guard hosts.count > 1 else { return [] }
        let lines = hosts.prefix(namedHosts).map { host in
            let failed = host.failed > 0 ? ", \(NumberFormat.grouped(host.failed)) failed" : ""
            return "  \(NumberFormat.grouped(host.count))  \(Printable.text(host.host))\(failed), "
                + NumberFormat.bytes(host.bytes)
        }
        let title = hosts.count > namedHosts ? "hosts with the most URLs:" : "hosts:"
        return [title] + lines
    }

    /// The same of a run that fetched nothing.
    package static func plan(for summary: BatchSummary, caseCollisions: Int) -> [String] {
        let progress = summary.progress
        var first =
            "\(NumberFormat.grouped(progress.fetched)) would be fetched, "
            + "\(NumberFormat.grouped(progress.failed)) not"
        if progress.existing > 0 {
            first += ", \(NumberFormat.grouped(progress.existing)) exist"
        }
        if progress.duplicates > 0 {
            first += ", \(NumberFormat.grouped(progress.duplicates)) duplicates"
        }
        if caseCollisions > 0 {
            first +=
                "; \(NumberFormat.grouped(caseCollisions)) names differ from others only in the case"
                + " of letters"
        }
        return [first] + failures(summary)
    }

    private static func latency(_ latency: LatencyHistogram) -> [String] {
        guard latency.count > 0 else { return [] }
        let parts = [50.0, 90, 99].compactMap { percent in
            latency.percentile(percent).map {
                "p\(Int(percent)) \(NumberFormat.duration($0))"
            }
        }
        let maximum = "max \(NumberFormat.duration(latency.maximum))"
        return ["time of a fetch: " + (parts + [maximum]).joined(separator: ", ")]
    }

    private static func failures(_ summary: BatchSummary) -> [String] {
        let failures = summary.topFailures
        guard !failures.isEmpty else { return [] }
        var lines = ["failures:"]
        for failure in failures.prefix(namedFailures) {
            let count = NumberFormat.grouped(failure.count)
            lines.append("  \(count)  \(failure.name), first on \(Printable.text(failure.example))")
        }
        let others = failures.dropFirst(namedFailures).reduce(0) { $0 + $1.count }
        if others > 0 { lines.append("  \(NumberFormat.grouped(others))  others") }
        return lines
    }
}
