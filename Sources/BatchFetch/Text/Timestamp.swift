internal import HTTPSemantics
internal import Posix

/// Formats a time as in RFC 3339, in UTC.
package enum Timestamp {
    /// The current time in microseconds since 1970.
    package static var now: Int64 { WallClock.microsecondsSince1970 }

    /// Returns `2026-11-22T16:04:12.123456Z` for microseconds since 1970.
    static func text(microseconds: Int64) -> String {
        var bytes: [UInt8] = []
        append(microseconds: microseconds, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns `2026-11-22T16:04:12Z` for seconds since 1970.
    package static func text(seconds: Int64) -> String {
        var bytes: [UInt8] = []
        bytes.append(addingCapacity: room) { output in
            append(seconds: seconds, to: &output)
            output.append(UInt8(ascii: "Z"))
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the text of ``text(microseconds:)`` to `bytes`.
    static func append(microseconds: Int64, to bytes: inout [UInt8]) {
        let (seconds, fraction) = quotient(microseconds, 1_000_000)
        bytes.append(addingCapacity: room) { output in
            append(seconds: seconds, to: &output)
            output.append(UInt8(ascii: "."))
            output.appendDecimal(fraction, width: 6)
            output.append(UInt8(ascii: "Z"))
        }
    }

    /// More bytes than any time needs: a year may have 13 digits.
    private static let room = 64

    private static func append(seconds: Int64, to output: inout OutputSpan<UInt8>) {
        let (days, second) = quotient(seconds, 86_400)
        let (year, month, day) = date(days: days)
        output.appendDecimal(year, width: 4)
        append("-", month, to: &output)
        append("-", day, to: &output)
        append("T", second / 3600, to: &output)
        append(":", second / 60 % 60, to: &output)
        append(":", second % 60, to: &output)
    }

    private static func append(
        _ separator: Unicode.Scalar,
        _ value: Int64,
        to output: inout OutputSpan<UInt8>
    ) {
        output.append(UInt8(ascii: separator))
        output.appendDecimal(value, width: 2)
    }

    /// Divides with rounding down, so the remainder is never negative.
    private static func quotient(_ value: Int64, _ divisor: Int64) -> (Int64, Int64) {
        let rest = (value % divisor + divisor) % divisor
        return ((value - rest) / divisor, rest)
    }

    /// Returns the Gregorian date `days` after 1970-01-01.
    ///
    /// Years are counted from March, so the leap day is the last day of a year.
    private static func date(days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, day) = quotient(days + 719_468, 146_097)
        let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365
        let dayOfYear = day - (365 * year + year / 4 - year / 100)
        let month = (5 * dayOfYear + 2) / 153
        return (
            year + era * 400 + (month >= 10 ? 1 : 0),
            month < 10 ? month + 3 : month - 9,
            dayOfYear - (153 * month + 2) / 5 + 1
        )
    }
}

extension Timestamp {
    /// Parses `2026-11-22T16:04:12.123456Z`, as ``text(microseconds:)`` writes it.
    ///
    /// Returns microseconds since 1970; `nil` for anything else.
    package static func microseconds(of text: String) -> Int64? {
        let bytes = Array(text.utf8)
        guard bytes.count == 27 else { return nil }
        let pattern = Array("0000-00-00T00:00:00.000000Z".utf8)
        for (byte, wanted) in zip(bytes, pattern) {
            let isDigit = byte.isASCIIDigit
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

    /// Returns the days from 1970-01-01 to a Gregorian date. Years are counted from March.
    private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
        let year = month <= 2 ? year - 1 : year
        let months = month > 2 ? month - 3 : month + 9
        let leapDays = year / 4 - year / 100 + year / 400
        return year * 365 + leapDays + (153 * months + 2) / 5 + day - 1 - 719_468
    }
}
