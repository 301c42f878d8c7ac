/// A run's figures in the text format that Prometheus reads (version 0.0.4). Hosts are no labels:
/// there may be millions.
package enum PrometheusText {
    /// The whole page.
    package static func page(for summary: BatchSummary) -> String {
        let progress = summary.progress
        var page = ""
        add("urls_total", "counter", "URLs that are done with.", to: &page) {
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
            ("waiting", "gauge", "URLs that wait for their turn.", "\(progress.waiting)"),
            (
                "duplicates_total", "counter",
                "URLs that were left out because they had come before.",
                "\(progress.duplicates)"
            ), ("retries_total", "counter", "Further attempts.", "\(progress.retries)"),
            ("received_bytes_total", "counter", "Bytes of bodies.", "\(progress.bytes)"),
            ("run_seconds", "gauge", "Since the run began.", seconds(progress.elapsed)),
        ] {
            add(name, kind, help, to: &page) { [("", value)] }
        }
        add("failures_total", "counter", "URLs that failed, by reason.", to: &page) {
            summary.topFailures.map { ("{reason=\"\(escaped($0.name))\"}", "\($0.count)") }
        }
        let latency = summary.latency
        add("fetch_seconds", "summary", "How long fetches took.", to: &page) {
            [50.0, 90, 99].compactMap { percent in
                latency.percentile(percent).map {
                    ("{quantile=\"\(percent / 100)\"}", seconds($0))
                }
            }
        }
        page += "batchfetch_fetch_seconds_count \(latency.count)\n"
        return page
    }

    private static func add(
        _ name: String,
        _ kind: String,
        _ help: String,
        to page: inout String,
        _ samples: () -> [(labels: String, value: String)]
    ) {
        page += "# HELP batchfetch_\(name) \(help)\n# TYPE batchfetch_\(name) \(kind)\n"
        for (labels, value) in samples() { page += "batchfetch_\(name)\(labels) \(value)\n" }
    }

    private static func seconds(_ duration: Duration) -> String { "\(duration / .seconds(1))" }

    /// A label's value: backslash, quote and line end have another meaning there.
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
