internal import Foundation
internal import HTTPSemantics

/// Parses dates in cookies, which have many formats (RFC 6265bis, 5.1.1).
enum CookieDate {
    private static let calendar = Calendar(identifier: .gregorian)

    /// Parses a date.
    ///
    /// Returns `nil` if day, month, year or time is missing, or if the date doesn't exist.
    /// Everything else in the text is ignored, including time zones: all dates are in UTC.
    static func date(from text: String) -> Date? {
        var parts = DateComponents(calendar: calendar, timeZone: .gmt)
        for token in text.utf8.split(whereSeparator: { isDelimiter($0) }) {
            if parts.hour == nil, let time = time(token) {
                (parts.hour, parts.minute, parts.second) = time
            } else if parts.day == nil, let day = number(token, digits: 1...2) {
                parts.day = day
            } else if parts.month == nil, let month = month(token) {
                parts.month = month
            } else if parts.year == nil, let year = number(token, digits: 2...4) {
                parts.year = fullYear(year)
            }
        }
        guard let year = parts.year, year >= 1601, parts.day != nil, parts.month != nil,
            let hour = parts.hour, hour <= 23, let minute = parts.minute, minute <= 59,
            let second = parts.second, second <= 59, parts.isValidDate
        else { return nil }
        return parts.date
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
    private static func time(_ token: Substring.UTF8View) -> (Int?, Int?, Int?)? {
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
