import BatchFetch

/// What a summary reports in addition to the run's results.
struct SummaryContext: Sendable {
    /// The file of the results; `nil` for none.
    var results: String?
    /// Whether a journal lets the same command resume the run.
    var hasJournal = false
    /// Whether URLs that earlier runs have fetched were skipped.
    var hasEarlierResults = false
    /// The signal that ended the run, if one did.
    var signal: Int32?
    /// Whether the run lasted its maximum time.
    var isTimeOver = false
    /// Whether `robots.txt` was obeyed; `nil` if the summary doesn't mention it.
    var obeysRobots: Bool?
    /// Whether certificates weren't verified.
    var isInsecure = false

    init() {}
}

extension SummaryContext {
    /// The lines about the remaining work, without line ends.
    func lines(for progress: BatchProgress) -> [String] {
        [ending(progress), failed(progress), robots, security].compactMap { $0 }
    }

    /// What ended the run early: a signal's name, or the option; `nil` if nothing did.
    var endedBy: String? {
        switch signal {
        case 1: "SIGHUP"
        case 2: "SIGINT"
        case 15: "SIGTERM"
        case let signal?: "signal \(signal)"
        case nil: isTimeOver ? "--max-time" : nil
        }
    }

    private func ending(_ progress: BatchProgress) -> String? {
        guard let name = endedBy else { return nil }
        // Interrupted URLs are among the failed.
        let left = progress.expected.map { max(0, $0 - progress.done) } ?? 0
        guard left > 0 || !progress.isExpectedExact else { return nil }
        let about = progress.isExpectedExact ? "" : "about "
        let text = "ended early by \(name)"
        let urls = NumberFormat.counted(left, "URL", "URLs")
        let count = left > 0 ? "\(text), \(about)\(urls) left" : text
        if hasJournal { return "\(count): repeat the same command to resume" }
        guard let again else {
            return "\(count): runs with --journal and --results can be resumed"
        }
        return "\(count): \(again) fetches the rest"
    }

    private func failed(_ progress: BatchProgress) -> String? {
        guard progress.failed > 0, signal == nil || !hasJournal else { return nil }
        guard let results else {
            return "the failed URLs are not listed in a file: add --results FILE to list them"
        }
        return again.map { "the failed URLs are in \(results): \($0) fetches them again" }
    }

    /// The command that fetches the remaining URLs.
    private var again: String? {
        guard let results, results != "-" else { return nil }
        let further = hasEarlierResults ? "another " : ""
        return "the same command with \(further)--failed-from \(results) and other --results"
    }

    private var security: String? {
        isInsecure ? "certificates were not verified (--insecure)" : nil
    }

    private var robots: String? {
        obeysRobots.map {
            $0 ? "robots.txt was obeyed" : "robots.txt was not fetched (--robots on obeys it)"
        }
    }
}
