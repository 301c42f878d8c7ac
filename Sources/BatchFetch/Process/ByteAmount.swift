/// Reads numbers of bytes as people write them.
package enum ByteAmount {
    /// `500`, `20k`, `1.5M`, `2G`, `1T`: thousands; `KiB`, `MiB`, `GiB`, `TiB`: of 1,024; `nil` for
    /// anything else.
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
