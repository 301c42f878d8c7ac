/// What a summary tells beside what its run came to.
package struct SummaryContext: Sendable {
    /// The file that has the results; `nil` for none.
    package var results: String?
    /// Whether a journal lets the same command go on.
    package var hasJournal = false
    /// Whether URLs that earlier runs have fetched were left out.
    package var hasEarlierResults = false
    /// The signal that ended the run, if one did.
    package var signal: Int32?
    /// Whether hosts' `robots.txt` were obeyed; `nil` where that is no question.
    package var obeysRobots: Bool?

    package init() {}
}

extension SummaryContext {
    /// What is left to do, and how. Lines without a line end.
    func lines(for progress: BatchProgress) -> [String] {
        [ending(progress), failed(progress), robots].compactMap { $0 }
    }

    private func ending(_ progress: BatchProgress) -> String? {
        guard let signal else { return nil }
        let name =
            switch signal {
            case 1: "SIGHUP"
            case 2: "SIGINT"
            case 15: "SIGTERM"
            default: "signal \(signal)"
            }
        // What was broken off is among the failed.
        let left = progress.expected.map { max(0, $0 - progress.done) } ?? 0
        guard left > 0 || !progress.isExpectedExact else { return nil }
        let about = progress.isExpectedExact ? "" : "about "
        let text = "ended by \(name) before its end"
        let count = left > 0 ? "\(text), \(about)\(NumberFormat.grouped(left)) URLs left" : text
        if hasJournal { return "\(count): the same command goes on from here" }
        guard let again else {
            return "\(count): with --journal and --results the same command could go on from here"
        }
        return "\(count): \(again) goes on from here"
    }

    private func failed(_ progress: BatchProgress) -> String? {
        guard progress.failed > 0, signal == nil || !hasJournal else { return nil }
        guard let results else {
            return "the failed URLs are listed nowhere: --results FILE keeps a line of each"
        }
        return again.map { "the failed URLs are in \(results): \($0) fetches them again" }
    }

    /// By which command what is left is fetched.
    private var again: String? {
        guard let results, results != "-" else { return nil }
        let further = hasEarlierResults ? "a further " : ""
        return "the same command with \(further)--failed-from \(results) and other --results"
    }

    private var robots: String? {
        obeysRobots.map {
            $0 ? "robots.txt was obeyed" : "robots.txt was not asked for (--robots on obeys it)"
        }
    }
}
