import Curl

/// What earlier runs have fetched, by their results. What failed then, or isn't in them, is still to be
/// fetched.
///
/// A URL counts by its text, wherever it stands in the list now. One that stands there several times,
/// and has failed at least once, counts by its place in the list, too: its lines may ask for different
/// things. About 11 bytes are kept for each line.
public struct EarlierResults: Sendable {
    /// The files of the results.
    let paths: [String]
    private let hash = KeyedHash()
    /// URLs that were fetched, and those that failed, at any time.
    private var fetched = SeenSet()
    private var failed = SeenSet()
    /// The ordinals of what was fetched at any time.
    private var ordinals = OrdinalSet()
    /// URLs with their ordinals that failed the last time.
    private var failures: Set<UInt64> = []

    /// Reads results. Blocks.
    ///
    /// - Parameter paths: In the order of the runs: of several lines about a URL the last one counts.
    /// - Throws: ``BatchFailure/Code/input`` if they can't be read, or are no results.
    public init(paths: [String]) throws(BatchFailure) {
        self.paths = paths
        for path in paths {
            let file = try LoggedResults.open(path)
            try LoggedResults.read(file) { line, _ in add(line) }
        }
    }

    private mutating func add(_ line: LoggedResult) {
        guard let url = line.url else { return }
        let place = place(of: url, line.ordinal)
        guard line.isFetched else {
            _ = failed.insert(hash.hash(url.span))
            failures.insert(place)
            return
        }
        _ = fetched.insert(hash.hash(url.span))
        ordinals.insert(line.ordinal)
        failures.remove(place)
    }

    /// Whether the URL was fetched that is the one of that ordinal in the list.
    func haveFetched(_ url: String, ordinal: Int) -> Bool {
        let url = Array(url.utf8)
        let key = hash.hash(url.span)
        guard fetched.contains(key) else { return false }
        guard failed.contains(key) else { return true }
        return ordinals.contains(ordinal) && !failures.contains(place(of: url, ordinal))
    }

    private func place(of url: [UInt8], _ ordinal: Int) -> UInt64 {
        hash.hash([url, Array("\(ordinal)".utf8)])
    }
}
