/// Parses and formats HTTP dates (RFC 9110, 5.6.7).
///
/// Times are seconds since 1970-01-01 00:00 UTC.
package enum HTTPDate {
    /// Parses a date in one of HTTP's three formats; `nil` for any other text.
    ///
    ///     Sun, 06 Nov 1994 08:49:37 GMT      IMF-fixdate, the current format
    ///     Sunday, 06-Nov-94 08:49:37 GMT     RFC 850
    ///     Sun Nov  6 08:49:37 1994           C's asctime
    ///
    /// Case is ignored. Otherwise the format must match exactly, so that a cache takes no other
    /// text for a date.
    ///
    /// - Parameter now: Completes a year of two digits. The date is at most 50 years after it.
    package static func seconds(from text: some StringProtocol, near now: Int64) -> Int64? {
        let bytes = Array(text.trimmingFieldWhitespace.utf8)
        return fixedDate(bytes) ?? asctimeDate(bytes) ?? rfc850Date(bytes, near: now)
    }

    /// Formats a date as it is sent: `Sun, 06 Nov 1994 08:49:37 GMT`.
    package static func text(seconds: Int64) -> String {
        let (day, time) = Int(seconds).quotientAndRemainder(dividingByPositive: 86_400)
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
    private static func fixedDate(_ bytes: [UInt8]) -> Int64? {
        var scanner = HTTPDateScanner(bytes)
        guard scanner.weekday(isShort: true), scanner.skip(", "),
            let day = scanner.number(digits: 2), scanner.skip(" "), let month = scanner.month(),
            scanner.skip(" "), let year = scanner.number(digits: 4), scanner.skip(" "),
            let time = scanner.time(), scanner.skip(" GMT"), scanner.isAtEnd
        else { return nil }
        return seconds(CivilDay(year: year, month: month, day: day), time)
    }

    /// `Sunday, 06-Nov-94 08:49:37 GMT`
    private static func rfc850Date(_ bytes: [UInt8], near now: Int64) -> Int64? {
        var scanner = HTTPDateScanner(bytes)
        guard scanner.weekday(isShort: false), scanner.skip(", "),
            let day = scanner.number(digits: 2), scanner.skip("-"), let month = scanner.month(),
            scanner.skip("-"), let year = scanner.number(digits: 2), scanner.skip(" "),
            let time = scanner.time(), scanner.skip(" GMT"), scanner.isAtEnd
        else { return nil }
        let (days, second) = Int(now).quotientAndRemainder(dividingByPositive: 86_400)
        let current = CivilDay(daysSince1970: days)
        let ahead = (year - current.year).quotientAndRemainder(dividingByPositive: 100).remainder
        // In the 50th year, the rest of the date decides whether it is more than 50 years ahead.
        let isLater = (month, day, time) > (current.month, current.day, second)
        let isTooFar = ahead > 50 || (ahead == 50 && isLater)
        let full = current.year + (isTooFar ? ahead - 100 : ahead)
        return seconds(CivilDay(year: full, month: month, day: day), time)
    }

    /// `Sun Nov  6 08:49:37 1994`
    private static func asctimeDate(_ bytes: [UInt8]) -> Int64? {
        var scanner = HTTPDateScanner(bytes)
        guard scanner.weekday(isShort: true), scanner.skip(" "), let month = scanner.month(),
            scanner.skip(" "),
            let day = scanner.skip(" ") ? scanner.number(digits: 1) : scanner.number(digits: 2),
            scanner.skip(" "), let time = scanner.time(), scanner.skip(" "),
            let year = scanner.number(digits: 4), scanner.isAtEnd
        else { return nil }
        return seconds(CivilDay(year: year, month: month, day: day), time)
    }

    private static func seconds(_ day: CivilDay, _ time: Int) -> Int64? {
        day.daysSince1970.map { Int64($0 * 86_400 + time) }
    }
}

/// Scans an HTTP date from start to end.
private struct HTTPDateScanner {
    static let weekdays = [
        "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
    ]
    static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) {
        rest = bytes[...]
    }

    var isAtEnd: Bool { rest.isEmpty }

    /// Skips a text if it is next, ignoring case.
    mutating func skip(_ text: some StringProtocol) -> Bool {
        let next = rest.prefix(text.utf8.count)
        let isNext = next.elementsEqual(text.utf8) { $0.lowercasedASCII == $1.lowercasedASCII }
        if isNext { rest = rest.dropFirst(next.count) }
        return isNext
    }

    /// Skips a weekday, abbreviated to three letters or in full. It isn't compared with the date.
    mutating func weekday(isShort: Bool) -> Bool {
        for name in Self.weekdays where skip(isShort ? name.prefix(3) : name[...]) { return true }
        return false
    }

    /// 1 to 12.
    mutating func month() -> Int? {
        for (index, name) in Self.months.enumerated() where skip(name) { return index + 1 }
        return nil
    }

    /// A number with exactly `count` digits.
    mutating func number(digits count: Int) -> Int? {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.allSatisfy({ $0.isASCIIDigit }) else { return nil }
        rest = rest.dropFirst(count)
        return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    /// A time of day such as `08:49:37`, in seconds. The second may be 60, for a leap second.
    mutating func time() -> Int? {
        guard let hour = number(digits: 2), hour < 24, skip(":"),
            let minute = number(digits: 2), minute < 60, skip(":"),
            let second = number(digits: 2), second <= 60
        else { return nil }
        return hour * 3600 + minute * 60 + second
    }
}

/// Parses a `Retry-After` field (RFC 9110, 10.2.3): seconds, or a date.
package enum RetryAfter {
    /// The time to wait from `now`, in seconds since 1970; `nil` for an invalid value.
    ///
    /// A date in the past is zero. A number that doesn't fit in 64 bits is `Int32.max` seconds:
    /// callers limit the value.
    package static func delay(from value: String, now: Int64) -> Duration? {
        let text = value.trimmingFieldWhitespace
        if !text.isEmpty, text.utf8.allSatisfy(\.isASCIIDigit) {
            return .seconds(Int64(text) ?? Int64(Int32.max))
        }
        guard let date = HTTPDate.seconds(from: text, near: now) else { return nil }
        return .seconds(max(0, date - now))
    }
}
