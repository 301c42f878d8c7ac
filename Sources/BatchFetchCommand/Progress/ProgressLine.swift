import BatchFetch

/// Formats the progress of a run as one line.
struct ProgressLine: Sendable {
    private var rates = ProgressRates()

    init() {}

    /// Formats the current progress with current rates.
    ///
    ///     12,345 done  3 failed  256 in flight  1,234/s  45.6 MB/s  ETA 20 s
    mutating func text(for progress: BatchProgress) -> String {
        rates.update(progress)
        var parts = Self.counts(progress)
        parts += Self.speed(rate: rates.rate, bytes: rates.bytes)
        if let pause = Self.pause(progress) { parts.append(pause) }
        if progress.showsBytes {
            let total = NumberFormat.bytes(progress.large.total)
            parts.append("\(NumberFormat.bytes(progress.large.received)) of \(total) in flight")
        }
        if let remaining = rates.remaining {
            let sign = progress.isExpectedExact ? "" : "~"
            parts.append("ETA \(sign)\(ProgressRates.text(remaining: remaining))")
        }
        return parts.joined(separator: "  ")
    }

    /// The current state, with the mean rates since the start.
    static func state(_ progress: BatchProgress) -> String {
        let seconds = max(progress.elapsed / .seconds(1), 1e-6)
        var parts = counts(progress)
        parts.append("\(NumberFormat.grouped(progress.waiting)) waiting")
        if let pause = pause(progress) { parts.append(pause) }
        if progress.skipped > 0 {
            parts.append("\(NumberFormat.grouped(progress.skipped)) already done")
        }
        parts += speed(
            rate: Double(progress.done) / seconds,
            bytes: Double(progress.bytes) / seconds
        )
        if let expected = progress.expected {
            let sign = progress.isExpectedExact ? "of" : "of about"
            parts.append("\(sign) \(NumberFormat.grouped(expected))")
        }
        parts.append("after \(NumberFormat.duration(progress.elapsed))")
        return parts.joined(separator: "  ")
    }

    /// When the next URL starts, if none is in flight for at least a second; `nil` otherwise.
    static func pause(_ progress: BatchProgress) -> String? {
        guard let next = progress.nextStart, next >= .seconds(1) else { return nil }
        let time = ProgressRates.text(remaining: next / .seconds(1))
        return "all waiting, next start in \(time)"
    }

    private static func counts(_ progress: BatchProgress) -> [String] {
        var parts = [
            "\(NumberFormat.grouped(progress.done)) done",
            "\(NumberFormat.grouped(progress.failed)) failed",
            "\(NumberFormat.grouped(progress.inFlight)) in flight",
        ]
        if progress.unchanged > 0 {
            parts.append("\(NumberFormat.grouped(progress.unchanged)) unchanged")
        }
        if progress.retries > 0 {
            parts.append("\(NumberFormat.grouped(progress.retries)) retries")
        }
        return parts
    }

    private static func speed(rate: Double, bytes: Double) -> [String] {
        [
            "\(NumberFormat.decimal(rate, digits: rate < 10 ? 1 : 0))/s",
            "\(NumberFormat.decimal(bytes / 1e6, digits: 1)) MB/s",
        ]
    }
}
