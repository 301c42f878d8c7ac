internal import Curl

/// A moment as RFC 3339 has it, in UTC.
package enum Timestamp {
    /// Now, in microseconds since 1970.
    package static var now: Int64 { WallClock.microsecondsSince1970 }

    /// `2026-11-22T16:04:12.123456Z`, of microseconds since 1970.
    static func text(microseconds: Int64) -> String {
        var bytes: [UInt8] = []
        append(microseconds: microseconds, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// `2026-11-22T16:04:12Z`, of seconds since 1970.
    static func text(seconds: Int64) -> String {
        var bytes: [UInt8] = []
        bytes.append(addingCapacity: room) { output in
            append(seconds: seconds, to: &output)
            output.append(UInt8(ascii: "Z"))
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// As ``text(microseconds:)``, straight into bytes.
    static func append(microseconds: Int64, to bytes: inout [UInt8]) {
        let (seconds, fraction) = quotient(microseconds, 1_000_000)
        bytes.append(addingCapacity: room) { output in
            append(seconds: seconds, to: &output)
            output.append(UInt8(ascii: "."))
            output.appendDecimal(fraction, width: 6)
            output.append(UInt8(ascii: "Z"))
        }
    }

    /// More bytes than any moment takes: a year may have thirteen.
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

    /// Rounded down, with a remainder that is never negative.
    private static func quotient(_ value: Int64, _ divisor: Int64) -> (Int64, Int64) {
        let rest = (value % divisor + divisor) % divisor
        return ((value - rest) / divisor, rest)
    }

    /// The Gregorian date so many days after 1970-01-01. Years are counted from March, so that the
    /// leap day is a year's last.
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
