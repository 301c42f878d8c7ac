/// The part of a slice that a worker may take now. Pure.
///
/// A worker that dies leaves its hosts without a result of what it fetched. If that happens to a
/// host several times in a row, one of the URLs may be the reason. From then on each worker notes
/// which URLs of the host it takes. A URL that was taken in a lost lease is fetched without others
/// of its host, and after two such leases without others of that kind in the whole worker. So only
/// the URL that ends workers is taken in ``maximumLosses`` lost leases.
struct TakenSlice {
    /// What must be over before a URL is taken.
    enum Precaution: Int, Comparable {
        /// Nothing.
        case free
        /// All other URLs of its host that the worker has.
        case host
        /// And those of all hosts that need this precaution.
        case worker

        init(losses: Int) { self = losses == 0 ? .free : losses == 1 ? .host : .worker }

        static func < (lhs: Precaution, rhs: Precaution) -> Bool { lhs.rawValue < rhs.rawValue }
    }

    /// The number of lost leases, in a row, from which the URLs of a host are noted.
    static let watchedLosses = 2
    /// The number of lost leases in which a URL was taken after which it fails.
    static let maximumLosses = 3

    /// The URLs to take, in the order of the slice, and those that fail.
    private(set) var urls: [QueuedURL] = []
    /// Those to note in the database first.
    private(set) var noted: [QueuedURL] = []
    /// The hosts whose further URLs have to wait, with what the next one needs.
    private(set) var cuts: [Int: Precaution] = [:]

    /// The numbers of URLs that the worker has of hosts.
    private var inHand: [Int: Int] = [:]
    private var isWorkerBusy: Bool

    /// - Parameter isWorkerBusy: Whether the worker has a URL with the precaution `worker`.
    init(isWorkerBusy: Bool) { self.isWorkerBusy = isWorkerBusy }

    /// Adds a URL of a host whose URLs aren't noted.
    mutating func add(_ url: QueuedURL) { urls.append(url) }

    /// Adds a URL of a host whose URLs are noted, unless it has to wait.
    ///
    /// - Parameters:
    ///   - inHand: The number of the host's URLs that the worker had before the slice.
    ///   - hasSuspect: Whether one of them has a precaution.
    mutating func add(watched url: QueuedURL, inHand: Int, hasSuspect: Bool) {
        guard cuts[url.host] == nil else { return }
        guard url.losses < Self.maximumLosses else { return urls.append(url) }
        let precaution = Precaution(losses: url.losses)
        let others = inHand + self.inHand[url.host, default: 0]
        let isFree =
            switch precaution {
            case .free: !hasSuspect
            case .host: others == 0
            case .worker: others == 0 && !isWorkerBusy
            }
        guard isFree else {
            cuts[url.host] = max(.host, precaution)
            return
        }
        urls.append(url)
        noted.append(url)
        self.inHand[url.host, default: 0] += 1
        if precaution == .worker { isWorkerBusy = true }
        // Nothing follows before its result.
        if precaution > .free { cuts[url.host] = .host }
    }
}
