import BatchFetch
import Synchronization

/// Formats a run's metrics in the Prometheus text format (version 0.0.4).
///
/// Hosts are not labels, because there may be millions.
enum PrometheusText {
    /// The whole page.
    static func page(for summary: BatchSummary) -> String {
        let progress = summary.progress
        var page = ""
        add("urls_total", "counter", "Completed URLs.", to: &page) {
            [
                ("{outcome=\"fetched\"}", "\(progress.fetched)"),
                ("{outcome=\"failed\"}", "\(progress.failed)"),
                ("{outcome=\"unchanged\"}", "\(progress.unchanged)"),
                ("{outcome=\"existing\"}", "\(progress.existing)"),
                ("{outcome=\"skipped\"}", "\(progress.skipped)"),
            ]
        }
        for (name, kind, help, value) in [
            ("in_flight", "gauge", "URLs in flight.", "\(progress.inFlight)"),
            ("waiting", "gauge", "Queued URLs.", "\(progress.waiting)"),
            (
                "duplicates_total", "counter",
                "Duplicate URLs that were skipped.",
                "\(progress.duplicates)"
            ), ("retries_total", "counter", "Retries.", "\(progress.retries)"),
            ("received_bytes_total", "counter", "Bytes of bodies received.", "\(progress.bytes)"),
            ("run_seconds", "gauge", "Seconds since the run started.", seconds(progress.elapsed)),
        ] {
            add(name, kind, help, to: &page) { [("", value)] }
        }
        add("failures_total", "counter", "URLs that failed, by reason.", to: &page) {
            summary.topFailures.map { ("{reason=\"\(escaped($0.name))\"}", "\($0.count)") }
        }
        let latency = summary.latency
        add("fetch_seconds", "summary", "Duration of fetches in seconds.", to: &page) {
            [50.0, 90, 99].compactMap { percent in
                latency.percentile(percent).map {
                    ("{quantile=\"\(percent / 100)\"}", seconds($0))
                }
            }
        }
        page += "batchfetch_fetch_seconds_count \(latency.count)\n"
        return page
    }

    /// Adds a metric with its type and samples.
    static func add(
        _ name: String,
        _ kind: String,
        _ help: String,
        to page: inout String,
        _ samples: () -> [(labels: String, value: String)]
    ) {
        page += "# HELP batchfetch_\(name) \(help)\n# TYPE batchfetch_\(name) \(kind)\n"
        for (labels, value) in samples() { page += "batchfetch_\(name)\(labels) \(value)\n" }
    }

    static func seconds(_ duration: Duration) -> String { "\(duration / .seconds(1))" }

    /// Escapes a label's value: backslash, quote and line feed have a special meaning.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for character in text {
            switch character {
            case "\\": result += "\\\\"
            case "\"": result += "\\\""
            case "\n": result += "\\n"
            default: result.append(character)
            }
        }
        return result
    }
}

/// The metrics of a run; empty before it starts.
final class RunMetrics: Sendable {
    private let run = Mutex<BatchRun?>(nil)

    /// Sets the run whose metrics are shown.
    func attach(_ run: BatchRun) {
        self.run.withLock { $0 = run }
    }

    /// The metrics in the Prometheus text format.
    var page: String {
        PrometheusText.page(for: run.withLock { $0 }?.summary ?? BatchSummary())
    }
}
