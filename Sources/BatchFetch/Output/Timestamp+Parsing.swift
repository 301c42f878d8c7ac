extension Timestamp {
    /// Microseconds since 1970 of `2026-11-22T16:04:12.123456Z`, as ``text(microseconds:)`` writes it;
    /// `nil` for anything else.
    static func microseconds(of text: String) -> Int64? {
        let bytes = Array(text.utf8)
        guard bytes.count == 27 else { return nil }
        let pattern = Array("0000-00-00T00:00:00.000000Z".utf8)
        for (byte, wanted) in zip(bytes, pattern) {
            let isDigit = (0x30...0x39).contains(byte)
            guard wanted == 0x30 ? isDigit : byte == wanted else { return nil }
        }
        func number(_ range: Range<Int>) -> Int64 {
            bytes[range].reduce(0) { $0 * 10 + Int64($1 - 0x30) }
        }
        let (month, day) = (number(5..<7), number(8..<10))
        let (hour, minute, second) = (number(11..<13), number(14..<16), number(17..<19))
        guard (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second < 61
        else { return nil }
        let days = self.days(year: number(0..<4), month: month, day: day)
        let seconds = days * 86_400 + hour * 3600 + minute * 60 + second
        return seconds * 1_000_000 + number(20..<26)
    }

    /// Days from 1970-01-01 to a Gregorian date. Years are counted from March.
    private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
        let year = month <= 2 ? year - 1 : year
        let months = month > 2 ? month - 3 : month + 9
        let leapDays = year / 4 - year / 100 + year / 400
        return year * 365 + leapDays + (153 * months + 2) / 5 + day - 1 - 719_468
    }
}
