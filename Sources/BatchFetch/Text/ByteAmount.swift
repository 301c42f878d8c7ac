internal import HTTPSemantics

/// Parses amounts of bytes such as `1.5M`.
package enum ByteAmount {
    /// Parses an amount of bytes; `nil` for anything else.
    ///
    /// `500`, `20k`, `1.5M`, `2G`, `1T` are powers of 1,000; `KiB`, `MiB`, `GiB`, `TiB` are powers
    /// of 1,024.
    package static func bytes(_ text: some StringProtocol) -> Int64? {
        let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        let factor: Double? =
            switch text[digits.endIndex...].lowercased() {
            case "", "b": 1
            case "k", "kb": 1e3
            case "m", "mb": 1e6
            case "g", "gb": 1e9
            case "t", "tb": 1e12
            case "ki", "kib": 1024
            case "mi", "mib": 1_048_576
            case "gi", "gib": 1_073_741_824
            case "ti", "tib": 1_099_511_627_776
            default: nil
            }
        guard let factor, let number = Double(String(digits)) else { return nil }
        return Int64(exactly: (number * factor).rounded())
    }
}

/// Parses durations such as `2s`.
package enum DurationText {
    /// A thousand years.
    private static let longest = 31_536_000_000.0

    /// Parses `500ms`, `2s`, `1.5m`, `1h`, or a number of seconds.
    ///
    /// `nil` for anything else, for negative values, and for more than a thousand years.
    package static func duration(_ text: some StringProtocol) -> Duration? {
        guard let seconds = seconds(text), seconds <= longest else { return nil }
        // Rounded, because 700 · 0.001 isn't 0.7.
        return .microseconds(Int64((seconds * 1e6).rounded()))
    }

    /// Whether the text is a duration of more than a thousand years.
    package static func isTooLong(_ text: some StringProtocol) -> Bool {
        seconds(text).map { $0 > longest } ?? false
    }

    private static func seconds(_ text: some StringProtocol) -> Double? {
        let units: [(String, Double)] = [("ms", 0.001), ("s", 1), ("m", 60), ("h", 3600)]
        for (unit, factor) in units where text.hasSuffix(unit) {
            return seconds(text.dropLast(unit.count), times: factor)
        }
        return seconds(text, times: 1)
    }

    private static func seconds(_ number: some StringProtocol, times factor: Double) -> Double? {
        // `Double` also parses hexadecimal numbers, exponents and names.
        guard number.utf8.allSatisfy({ $0.isASCIIDigit || $0 == UInt8(ascii: ".") }) else {
            return nil
        }
        return Double(String(number)).map { $0 * factor }
    }
}

extension Int64 {
    /// The sum of two counts of bytes; `Int64.max` if it is larger.
    package func addingBytes(_ count: Int64) -> Int64 {
        let (sum, isTooLarge) = addingReportingOverflow(count)
        return isTooLarge ? .max : sum
    }
}
