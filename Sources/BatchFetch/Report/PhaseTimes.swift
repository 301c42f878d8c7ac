/// How long the phases of fetched URLs took.
struct PhaseTimes: Sendable {
    var queue = LatencyHistogram()
    var nameLookup = LatencyHistogram()
    var connect = LatencyHistogram()
    var tls = LatencyHistogram()
    var firstByte = LatencyHistogram()
    var total = LatencyHistogram()

    mutating func add(_ timings: BatchTimings) {
        if let time = timings.queue { queue.record(time) }
        if let time = timings.nameLookup { nameLookup.record(time) }
        if let time = timings.connect { connect.record(time) }
        if let time = timings.tls { tls.record(time) }
        if let time = timings.firstByte { firstByte.record(time) }
        if let time = timings.total { total.record(time) }
    }

    /// Their names, and what they are.
    var rows: [(name: String, meaning: String, times: LatencyHistogram)] {
        [
            ("Waiting", "for a turn, or until another attempt", queue),
            ("Name look-up", "of hosts that were not known", nameLookup),
            ("Connecting", "where no connection was open", connect),
            ("TLS", "the handshake", tls),
            ("First byte", "from the start until the answer begins", firstByte),
            ("Whole fetch", "from the start until the last byte", total),
        ]
    }
}
