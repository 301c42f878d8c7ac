package import Foundation

/// Dates as HTTP has them (RFC 9110, 5.6.7).
package enum HTTPDate {
    /// The date that a text holds in one of HTTP's three forms; `nil` if it is in none.
    ///
    /// Letters may be capital or small; else the form is kept to, so that a cache takes no date for
    /// what it may not be. A year of two digits is the one that lies less than 50 years after
    /// `reference`.
    package static func date(from text: String, near reference: Date) -> Date? {
        let bytes = Array(text.trimmingFieldWhitespace.utf8)
        return fixedDate(bytes) ?? asctimeDate(bytes) ?? rfc850Date(bytes, near: reference)
    }

    /// The form that is sent: `Sun, 06 Nov 1994 08:49:37 GMT`.
    static func text(from date: Date) -> String {
        let seconds = Int(exactly: date.timeIntervalSince1970.rounded(.down)) ?? 0
        let (day, time) = seconds.quotientAndRemainder(dividingByPositive: 86_400)
        let civil = CivilDay(daysSince1970: day)
        // 1970 began on a Thursday.
        let weekday = (day + 3).quotientAndRemainder(dividingByPositive: 7).remainder
        let digits = { (value: Int) in value < 10 ? "0\(value)" : "\(value)" }
        let year =
            String(repeating: "0", count: max(0, 4 - "\(civil.year)".count)) + "\(civil.year)"
        return "\(HTTPDateScanner.weekdays[weekday].prefix(3)), \(digits(civil.day)) "
            + "\(HTTPDateScanner.months[civil.month - 1]) \(year) "
            + "\(digits(time / 3600)):\(digits(time / 60 % 60)):\(digits(time % 60)) GMT"
    }

    /// `Sun, 06 Nov 1994 08:49:37 GMT`
    private static func fixedDate(_ bytes: [UInt8]) -> Date? {
        var scanner = HTTPDateScanner(bytes)
        guard scanner.weekday(isShort: true), scanner.skip(", "),
            let day = scanner.number(digits: 2), scanner.skip(" "), let month = scanner.month(),
            scanner.skip(" "), let year = scanner.number(digits: 4), scanner.skip(" "),
            let time = scanner.time(), scanner.skip(" GMT"), scanner.isAtEnd
        else { return nil }
        return date(CivilDay(year: year, month: month, day: day), time)
    }

    /// `Sunday, 06-Nov-94 08:49:37 GMT`
    private static func rfc850Date(_ bytes: [UInt8], near reference: Date) -> Date? {
        var scanner = HTTPDateScanner(bytes)
        guard scanner.weekday(isShort: false), scanner.skip(", "),
            let day = scanner.number(digits: 2), scanner.skip("-"), let month = scanner.month(),
            scanner.skip("-"), let year = scanner.number(digits: 2), scanner.skip(" "),
            let time = scanner.time(), scanner.skip(" GMT"), scanner.isAtEnd,
            let now = Int(exactly: reference.timeIntervalSince1970.rounded(.down))
        else { return nil }
        let days = now.quotientAndRemainder(dividingByPositive: 86_400).quotient
        let current = CivilDay(daysSince1970: days).year
        let ahead = (year - current).quotientAndRemainder(dividingByPositive: 100).remainder
        let full = current + (ahead > 50 ? ahead - 100 : ahead)
        return date(CivilDay(year: full, month: month, day: day), time)
    }

    /// `Sun Nov  6 08:49:37 1994`
    private static func asctimeDate(_ bytes: [UInt8]) -> Date? {
        var scanner = HTTPDateScanner(bytes)
        guard scanner.weekday(isShort: true), scanner.skip(" "), let month = scanner.month(),
            scanner.skip(" "),
            let day = scanner.skip(" ") ? scanner.number(digits: 1) : scanner.number(digits: 2),
            scanner.skip(" "), let time = scanner.time(), scanner.skip(" "),
            let year = scanner.number(digits: 4), scanner.isAtEnd
        else { return nil }
        return date(CivilDay(year: year, month: month, day: day), time)
    }

    private static func date(_ day: CivilDay, _ seconds: Int) -> Date? {
        day.daysSince1970.map { Date(timeIntervalSince1970: Double($0 * 86_400 + seconds)) }
    }
}
