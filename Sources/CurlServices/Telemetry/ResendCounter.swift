internal import CurlTransport

/// Tells retries from hedges by the transfers of one request. Pure.
///
/// Each transfer is an attempt, or one of two if the attempt was hedged.
struct ResendCounter: Sendable {
    /// What the end of a transfer shows.
    struct Finding: Sendable {
        /// The transfer that this one was the retry of.
        var retried: TransferEnd?
        /// Whether its request was hedged, if that wasn't known.
        var isHedged = false
    }

    /// How often the request was sent again, without redirects.
    private(set) var count = 0
    /// The ended transfers of the last attempt.
    private var ended: [TransferEnd] = []
    /// The attempts that were hedged.
    private var races: [HedgeRace] = []

    /// - Parameter hedge: The request whose transfers are counted, if it is one of two itself.
    init(within hedge: HedgedRequest? = nil) {
        guard let hedge else { return }
        races = [hedge.race]
        if hedge.isSecond { count = 1 }
    }

    mutating func transferEnded(_ end: TransferEnd) -> Finding {
        let finding = finding(about: end)
        if finding.retried != nil { count += 1 }
        if finding.isHedged { count += 1 }
        return finding
    }

    private mutating func finding(about end: TransferEnd) -> Finding {
        guard let hedge = end.hedge else { return Finding(retried: begin(with: end)) }
        let isKnown = races.contains { $0 === hedge.race }
        let isLate = isKnown && races.last !== hedge.race
        var finding = Finding(isHedged: hedge.race.isHedged && !isKnown)
        if finding.isHedged { races.append(hedge.race) }
        // The slower one, perhaps of an attempt that was retried meanwhile.
        guard !end.lostHedge, !isLate else { return finding }
        if let index = ended.firstIndex(where: { $0.hedge == hedge }) {
            // A retry inside of the hedging.
            finding.retried = ended[index]
            ended[index] = end
        } else if ended.contains(where: { $0.hedge?.race === hedge.race }) {
            ended.append(end)
        } else {
            finding.retried = begin(with: end)
        }
        return finding
    }

    /// Begins an attempt. Returns a transfer of the former one.
    private mutating func begin(with end: TransferEnd) -> TransferEnd? {
        let former = ended.last
        ended = [end]
        return former
    }
}
