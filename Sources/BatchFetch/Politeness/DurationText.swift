/// Reads durations as people write them.
package enum DurationText {
    /// `500ms`, `2s`, `1.5m`, `1h`, or a number, which is seconds; `nil` for anything else, for
    /// negative ones, and for more than a thousand years.
    package static func duration(_ text: some StringProtocol) -> Duration? {
        let units: [(String, Double)] = [("ms", 0.001), ("s", 1), ("m", 60), ("h", 3600)]
        for (unit, seconds) in units where text.hasSuffix(unit) {
            return duration(seconds: Double(String(text.dropLast(unit.count))), times: seconds)
        }
        return duration(seconds: Double(String(text)), times: 1)
    }

    private static func duration(seconds: Double?, times factor: Double) -> Duration? {
        guard let seconds, seconds >= 0, seconds * factor <= 31_536_000_000 else { return nil }
        return .seconds(seconds * factor)
    }
}
