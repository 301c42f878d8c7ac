/// Formats numbers for people, independent of the locale.
package enum NumberFormat {
    /// Formats 1234567 as "1,234,567".
    package static func grouped(_ number: Int) -> String {
        let digits = String(number.magnitude)
        var text = number < 0 ? "-" : ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return text
    }

    /// Formats a number with its noun, as "1 retry" or "1,400 retries".
    package static func counted(_ number: Int, _ singular: String, _ plural: String) -> String {
        "\(grouped(number)) \(number == 1 ? singular : plural)"
    }

    /// Formats a number with this many decimals and without grouping, for programs.
    static func plain(_ number: Double, digits: Int) -> String {
        decimal(number, digits: digits).replacing(",", with: "")
    }

    /// Formats a number with this many decimals.
    package static func decimal(_ number: Double, digits: Int) -> String {
        guard number.isFinite, number.magnitude < 1e15 else { return "?" }
        var scale = 1.0
        for _ in 0..<digits { scale *= 10 }
        let scaled = Int((number * scale).rounded())
        guard digits > 0 else { return grouped(scaled) }
        let fraction = String(scaled.magnitude % UInt(scale))
        let sign = scaled < 0 && scaled / Int(scale) == 0 ? "-" : ""
        return "\(sign)\(grouped(scaled / Int(scale))).\(fraction.zeroPadded(to: digits))"
    }

    /// Formats 1500000 as "1.50 MB", in powers of 1,000.
    package static func bytes(_ count: Int64) -> String {
        var value = Double(count)
        for unit in ["B", "kB", "MB", "GB", "TB"] {
            if value < 1000 || unit == "TB" {
                return "\(decimal(value, digits: unit == "B" ? 0 : value < 10 ? 2 : 1)) \(unit)"
            }
            value /= 1000
        }
        return "\(count) B"
    }

    /// Formats 0.0123 s as "12.3 ms".
    package static func duration(_ duration: Duration) -> String {
        let seconds = duration / .seconds(1)
        switch seconds {
        case ..<0.001: return "\(decimal(seconds * 1e6, digits: 0)) µs"
        case ..<1: return "\(decimal(seconds * 1e3, digits: 1)) ms"
        case ..<120: return "\(decimal(seconds, digits: 2)) s"
        default:
            let whole = Int(seconds.rounded())
            return whole < 7200
                ? "\(whole / 60) min \(whole % 60) s"
                : "\(grouped(whole / 3600)) h \(whole % 3600 / 60) min"
        }
    }
}

extension String {
    /// Returns the text padded with leading zeros to at least `width` bytes.
    func zeroPadded(to width: Int) -> String {
        String(repeating: "0", count: max(0, width - utf8.count)) + self
    }
}
