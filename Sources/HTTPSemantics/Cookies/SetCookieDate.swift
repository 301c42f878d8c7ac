/// Parses dates in cookies, which have many formats (RFC 6265bis, 5.1.1).
package enum SetCookieDate {
    /// The seconds since 1970 of a date.
    ///
    /// Returns `nil` if day, month, year or time is missing, or if the date doesn't exist.
    /// Everything else in the text is ignored, including time zones: all dates are in UTC.
    package static func secondsSince1970(_ text: String) -> Int? {
        var time: (hour: Int, minute: Int, second: Int)?
        var day: Int?
        var month: Int?
        var year: Int?
        for token in text.utf8.split(whereSeparator: { isDelimiter($0) }) {
            if time == nil, let found = self.time(token) {
                time = found
            } else if day == nil, let found = number(token, digits: 1...2) {
                day = found
            } else if month == nil, let found = self.month(token) {
                month = found
            } else if year == nil, let found = number(token, digits: 2...4) {
                year = fullYear(found)
            }
        }
        guard let year, year >= 1601, let month, let day, let time, time.hour <= 23,
            time.minute <= 59, time.second <= 59,
            let days = CivilDay(year: year, month: month, day: day).daysSince1970
        else { return nil }
        return ((days * 24 + time.hour) * 60 + time.minute) * 60 + time.second
    }

    /// Completes years of two digits, which are in 1970 to 2069.
    private static func fullYear(_ year: Int) -> Int {
        switch year {
        case 0...69: year + 2000
        case 70...99: year + 1900
        default: year
        }
    }

    private static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09, 0x20...0x2f, 0x3b...0x40, 0x5b...0x60, 0x7b...0x7e: true
        default: false
        }
    }

    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]

    /// A month's first three letters, whatever follows.
    private static func month(_ token: Substring.UTF8View) -> Int? {
        let name = token.prefix(3).map(\.lowercasedASCII)
        return months.firstIndex { $0.utf8.elementsEqual(name) }.map { $0 + 1 }
    }

    /// A number of an allowed length, followed by anything except a digit.
    private static func number(
        _ token: Substring.UTF8View,
        digits allowed: ClosedRange<Int>
    ) -> Int? {
        let digits = token.prefix { $0.isASCIIDigit }
        guard allowed.contains(digits.count) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    /// A time such as `1:02:03`, whatever follows.
    private static func time(_ token: Substring.UTF8View) -> (Int, Int, Int)? {
        let fields = token.split(
            separator: UInt8(ascii: ":"),
            maxSplits: 2,
            omittingEmptySubsequences: false
        )
        guard fields.count == 3, fields[0].allSatisfy({ $0.isASCIIDigit }),
            fields[1].allSatisfy({ $0.isASCIIDigit }),
            let hour = number(fields[0], digits: 1...2),
            let minute = number(fields[1], digits: 1...2),
            let second = number(fields[2], digits: 1...2)
        else { return nil }
        return (hour, minute, second)
    }
}
