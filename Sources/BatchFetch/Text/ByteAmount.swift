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
    /// Parses `500ms`, `2s`, `1.5m`, `1h`, or a number of seconds.
    ///
    /// `nil` for anything else, for negative values, and for more than a thousand years.
    package static func duration(_ text: some StringProtocol) -> Duration? {
        let units: [(String, Double)] = [("ms", 0.001), ("s", 1), ("m", 60), ("h", 3600)]
        for (unit, seconds) in units where text.hasSuffix(unit) {
            return duration(text.dropLast(unit.count), times: seconds)
        }
        return duration(text, times: 1)
    }

    private static func duration(_ number: some StringProtocol, times factor: Double) -> Duration? {
        // `Double` also parses hexadecimal numbers, exponents and names.
        guard number.utf8.allSatisfy({ $0.isASCIIDigit || $0 == UInt8(ascii: ".") }),
            let seconds = Double(String(number)), seconds * factor <= 31_536_000_000
        else { return nil }
        return .seconds(seconds * factor)
    }
}

extension Int64 {
    /// The sum of two counts of bytes; `Int64.max` if it is larger.
    package func addingBytes(_ count: Int64) -> Int64 {
        let (sum, isTooLarge) = addingReportingOverflow(count)
        return isTooLarge ? .max : sum
    }
}
