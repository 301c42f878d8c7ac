/// How many transfers to one origin may run at once over HTTP/2.
///
/// A server limits the concurrent streams of a connection (`SETTINGS_MAX_CONCURRENT_STREAMS`, RFC
/// 9113, section 5.1.2). libcurl opens another connection for a transfer that finds no free stream.
/// So the scheduler starts no more transfers than there are streams.
struct StreamLimit {
    private enum Knowledge: Equatable {
        /// No transfer has lacked a stream.
        case notNeeded
        /// libcurl reports the limit of the next connection.
        case requested
        /// As many as ``Origin/streamsPerConnection``, or more.
        case high
        case low(Int)
    }

    private var knowledge = Knowledge.notNeeded

    /// The number of transfers that found a stream when another one found none.
    ///
    /// It grows by one for each transfer that ends, because libcurl before 8.3 doesn't report the
    /// limit. Nil if no transfer has found none.
    private var estimate: Int?

    /// The number of transfers that ended since one last found no stream. Nil if none has.
    ///
    /// libcurl's results are handled later than its callbacks. Transfers may have ended before the
    /// one without a stream is queued again, and nothing else may end afterwards.
    private var freed: Int?

    /// The server's limit for one connection, if it is known and low; at least one.
    var announced: Int? {
        if case .low(let limit) = knowledge { limit } else { nil }
    }

    /// Whether handles report the limit: until it is known, and while it is low.
    var isWatched: Bool {
        switch knowledge {
        case .requested, .low: true
        case .notNeeded, .high: false
        }
    }

    /// Requests the limit from libcurl. Returns false if that isn't necessary.
    mutating func watch() -> Bool {
        guard knowledge == .notNeeded else { return false }
        knowledge = .requested
        return true
    }

    /// Stores the limit that libcurl has reported.
    mutating func announce(_ limit: Int) {
        let reported: Knowledge =
            limit < Origin.streamsPerConnection ? .low(max(1, limit)) : .high
        // The estimate was made under the former limit. It would grow only if transfers end.
        if reported != knowledge { estimate = nil }
        knowledge = reported
    }

    /// Records that libcurl finds no free stream for a transfer, which still runs.
    mutating func lacksStream() {
        freed = 0
    }

    /// Records that a transfer has left that found no stream. Its end frees none.
    mutating func leftWithoutStream() {
        freed? -= 1
    }

    /// Records that a transfer has found no free stream while `active` others run.
    mutating func foundNone(active: Int) {
        estimate = max(1, active + (freed ?? 0))
    }

    /// Records the end of a transfer, whose stream is free now.
    mutating func transferEnded() {
        estimate? += 1
        freed? += 1
    }

    /// The number of transfers that may run at once, of at most `maximum`.
    func allowed(_ maximum: Int) -> Int {
        min(maximum, announced ?? .max, estimate ?? .max)
    }
}
