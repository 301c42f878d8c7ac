import BatchFetch

/// The durations of the phases of fetched URLs.
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

    /// The names, meanings and durations of the phases.
    var rows: [(name: String, meaning: String, times: LatencyHistogram)] {
        [
            ("Queued", "until a request starts, or until a retry", queue),
            ("Name look-up", "DNS, if the host is not cached", nameLookup),
            ("Connecting", "if no idle connection exists", connect),
            ("TLS", "the handshake", tls),
            ("First byte", "from the start to the head of the response", firstByte),
            ("Whole fetch", "from the start to the last byte", total),
        ]
    }
}
