import Curl

/// What earlier runs have fetched, by their results. What failed then, or isn't in them, is still to be
/// fetched.
///
/// A URL counts by its text, wherever it stands in the list now: the last line about it says whether it is
/// to be fetched. One of which a run had several lines counts by its place in the list, too, for they may have
/// asked for different things, and so does what isn't just a GET. Some 22 bytes are kept for each line.
public struct EarlierResults: Sendable {
    /// The files of the results.
    let paths: [String]
    private let hash = KeyedHash()
    /// URLs that were fetched at any time, and the same with their ordinals.
    private var fetched = SeenSet()
    private var fetchedPlaces = SeenSet()
    /// URLs that failed the last time, and the same with their ordinals.
    private var failed: Set<UInt64> = []
    private var failedPlaces: Set<UInt64> = []
    /// URLs of which a run had several lines.
    private var repeated = SeenSet()

    /// Reads results. Blocks.
    ///
    /// - Parameter paths: In the order of the runs: of several lines about a URL the last one counts.
    /// - Throws: ``BatchFailure/Code/input`` if they can't be read, or are no results.
    public init(paths: [String]) throws(BatchFailure) {
        self.paths = paths
        for path in paths {
            let file = try LoggedResults.open(path)
            var seen = SeenSet()
            try LoggedResults.read(file) { line, _ in add(line, among: &seen) }
        }
    }

    private mutating func add(_ line: LoggedResult, among seen: inout SeenSet) {
        guard let url = line.url else { return }
        let (key, place) = (hash.hash(url.span), place(of: url, line.ordinal))
        // One that is known by its place, too, is of a later run, in one file with the first.
        if !seen.insert(key), !fetchedPlaces.contains(place), !failedPlaces.contains(place) {
            _ = repeated.insert(key)
        }
        if line.isFetched {
            _ = fetched.insert(key)
            _ = fetchedPlaces.insert(place)
            failed.remove(key)
            failedPlaces.remove(place)
        } else {
            failed.insert(key)
            failedPlaces.insert(place)
        }
    }

    /// Whether the URL was fetched that is the one of that ordinal in the list.
    ///
    /// - Parameter isPlain: Whether it is the URL alone that says what is asked for.
    func haveFetched(_ url: String, ordinal: Int, isPlain: Bool = true) -> Bool {
        let url = Array(url.utf8)
        let key = hash.hash(url.span)
        guard fetched.contains(key) else { return false }
        if isPlain, !repeated.contains(key) { return !failed.contains(key) }
        let place = place(of: url, ordinal)
        return fetchedPlaces.contains(place) && !failedPlaces.contains(place)
    }

    private func place(of url: [UInt8], _ ordinal: Int) -> UInt64 {
        hash.hash([url, Array("\(ordinal)".utf8)])
    }
}
