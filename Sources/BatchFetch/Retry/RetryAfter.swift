/// Reads a `Retry-After` field (RFC 9110, 10.2.3): seconds, or a date.
enum RetryAfter {
    /// The time to wait from `now` (seconds since 1970); `nil` if the value says nothing.
    static func delay(from value: String, now: Int64) -> Duration? {
        let text = value.utf8.drop { $0 == 0x20 || $0 == 0x09 }
        if let first = text.first, isDigit(first) {
            let digits = text.prefix(while: isDigit)
            guard text[digits.endIndex...].allSatisfy({ $0 == 0x20 || $0 == 0x09 }) else {
                return nil
            }
            // More digits than 64 bits hold: longer than anybody waits.
            return .seconds(Int64(String(Substring(digits))) ?? Int64(Int32.max))
        }
        guard let date = HTTPDate.seconds(from: value) else { return nil }
        return .seconds(max(0, date - now))
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
