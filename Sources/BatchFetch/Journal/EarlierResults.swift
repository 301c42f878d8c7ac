import Posix

/// The URLs that earlier runs have fetched, according to their results.
///
/// Failed URLs, and URLs that aren't in the results, are still to be fetched. A URL is found by its
/// text, wherever it is in the list now; the last line for it decides. If one run had several lines
/// for a URL, or if the request is more than a GET, the URL's ordinal must match, too, because the
/// lines may stand for different requests. Takes about 22 bytes for each line.
public struct EarlierResults: Sendable {
    /// The files with the results.
    let paths: [String]
    private let hash = KeyedHash()
    /// Hashes of URLs that were ever fetched. `fetchedPlaces` has hashes of these URLs with their
    /// ordinals.
    private var fetched = SeenSet()
    private var fetchedPlaces = SeenSet()
    /// Hashes of URLs whose last line failed. `failedPlaces` has hashes of these URLs with their
    /// ordinals.
    private var failed: Set<UInt64> = []
    private var failedPlaces: Set<UInt64> = []
    /// Hashes of URLs for which one run had several lines.
    private var repeated = SeenSet()

    /// Reads results. Blocks.
    ///
    /// - Parameter paths: The files in the order of the runs; of several lines for a URL the last
    ///   one counts.
    /// - Throws: ``BatchFailure/Code/input`` if a file can't be read or doesn't contain results.
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
        // A URL whose ordinal is known as well comes from a later run that used the same file.
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

    /// Whether this URL was fetched.
    ///
    /// - Parameter isPlain: Whether the request is a GET without content, so that the URL alone
    ///   identifies it.
    func wasFetchedEarlier(_ url: String, ordinal: Int, isPlain: Bool = true) -> Bool {
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
