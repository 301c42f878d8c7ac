import BatchFetch

/// Formats the summary of a run as lines for people.
enum SummaryText {
    /// The maximum numbers of listed kinds of failures, and of listed hosts.
    private static let namedFailures = 10
    private static let namedHosts = 5

    /// The lines of the summary, without line ends.
    static func lines(
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
            first += ", " + NumberFormat.counted(progress.duplicates, "duplicate", "duplicates")
        }
        if progress.retries > 0 {
            first += ", " + NumberFormat.counted(progress.retries, "retry", "retries")
        }
        let seconds = max(progress.elapsed / .seconds(1), 1e-6)
        let rate = Double(progress.done) / seconds
        let speed = Double(progress.bytes) / seconds / 1e6
        first +=
            ", \(NumberFormat.bytes(progress.bytes)) in \(NumberFormat.duration(progress.elapsed))"
            + " (\(NumberFormat.decimal(rate, digits: rate < 10 ? 1 : 0))/s, "
            + "\(NumberFormat.decimal(speed, digits: 1)) MB/s)"
        if progress.skipped > 0 {
            first += "; " + NumberFormat.counted(progress.skipped, "was", "were") + " already done"
        }
        return [first] + latency(summary.latency) + failures(summary) + hosts(summary)
            + (context?.lines(for: progress) ?? [])
    }

    /// The lines about hosts; none for a single host, whose figures are those of the run.
    private static func hosts(_ summary: BatchSummary) -> [String] {
        let hosts = summary.topHosts
        guard hosts.count > 1 else { return [] }
        let lines = hosts.prefix(namedHosts).map { host in
            let failed = host.failed > 0 ? ", \(NumberFormat.grouped(host.failed)) failed" : ""
            return
                "  \(NumberFormat.grouped(host.count))  \(TerminalEscaping.text(host.host))\(failed), "
                + NumberFormat.bytes(host.bytes)
        }
        let title = hosts.count > namedHosts ? "hosts with the most URLs:" : "hosts:"
        return [title] + lines
    }

    /// The lines of the summary of a dry run.
    static func plan(for summary: BatchSummary, caseCollisions: Int) -> [String] {
        let progress = summary.progress
        var first =
            "\(NumberFormat.grouped(progress.fetched)) would be fetched, "
            + "\(NumberFormat.grouped(progress.failed)) not"
        if progress.existing > 0 {
            first += ", \(NumberFormat.grouped(progress.existing)) exist"
        }
        if progress.duplicates > 0 {
            first += ", " + NumberFormat.counted(progress.duplicates, "duplicate", "duplicates")
        }
        if caseCollisions > 0 {
            first +=
                "; " + NumberFormat.counted(caseCollisions, "name differs", "names differ")
                + " from others only in upper and lower case"
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
        return ["fetch time: " + (parts + [maximum]).joined(separator: ", ")]
    }

    /// One line about the failed URLs, for a run without a summary. `nil` if none failed.
    static func failureLine(for summary: BatchSummary) -> String? {
        guard let first = summary.topFailures.first else { return nil }
        let progress = summary.progress
        let all = NumberFormat.counted(progress.done, "URL", "URLs")
        return
            "\(NumberFormat.grouped(progress.failed)) of \(all) failed; most often \(first.name), "
            + "first on \(TerminalEscaping.text(first.example))"
    }

    private static func failures(_ summary: BatchSummary) -> [String] {
        let failures = summary.topFailures
        guard !failures.isEmpty else { return [] }
        var lines = ["failures:"]
        for failure in failures.prefix(namedFailures) {
            let count = NumberFormat.grouped(failure.count)
            lines.append(
                "  \(count)  \(failure.name), first on \(TerminalEscaping.text(failure.example))"
            )
        }
        let others = failures.dropFirst(namedFailures).reduce(0) { $0 + $1.count }
        if others > 0 { lines.append("  \(NumberFormat.grouped(others))  other failures") }
        return lines
    }
}
