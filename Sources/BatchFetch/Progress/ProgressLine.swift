/// The line that says how far a run is.
package struct ProgressLine: Sendable {
    private var fetchRate = RateMeter()
    private var byteRate = RateMeter()

    package init() {}

    /// "12,345 done  3 failed  256 in flight  1,234/s  45.6 MB/s"
    package mutating func text(for progress: BatchProgress) -> String {
        let seconds = progress.elapsed / .seconds(1)
        let rate = fetchRate.rate(count: Double(progress.done), at: seconds)
        let bytes = byteRate.rate(count: Double(progress.bytes), at: seconds)
        var parts = [
            "\(NumberFormat.grouped(progress.done)) done",
            "\(NumberFormat.grouped(progress.failed)) failed",
            "\(NumberFormat.grouped(progress.inFlight)) in flight",
        ]
        if progress.retries > 0 {
            parts.append("\(NumberFormat.grouped(progress.retries)) retries")
        }
        parts.append("\(NumberFormat.decimal(rate, digits: rate < 10 ? 1 : 0))/s")
        parts.append("\(NumberFormat.decimal(bytes / 1e6, digits: 1)) MB/s")
        return parts.joined(separator: "  ")
    }
}
