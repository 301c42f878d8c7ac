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
            append(seconds: Int(seconds), to: &output)
            output.append(UInt8(ascii: "Z"))
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the text of ``text(microseconds:)`` to `bytes`.
    static func append(microseconds: Int64, to bytes: inout [UInt8]) {
        let (seconds, fraction) =
            Int(microseconds).quotientAndRemainder(dividingByPositive: 1_000_000)
        bytes.append(addingCapacity: room) { output in
            append(seconds: seconds, to: &output)
            output.append(UInt8(ascii: "."))
            output.appendDecimal(Int64(fraction), width: 6)
            output.append(UInt8(ascii: "Z"))
        }
    }

    /// More bytes than any time needs: a year may have 13 digits.
    private static let room = 64

    private static func append(seconds: Int, to output: inout OutputSpan<UInt8>) {
        let (days, second) = seconds.quotientAndRemainder(dividingByPositive: 86_400)
        let day = CivilDay(daysSince1970: days)
        output.appendDecimal(Int64(day.year), width: 4)
        append("-", day.month, to: &output)
        append("-", day.day, to: &output)
        append("T", second / 3600, to: &output)
        append(":", second / 60 % 60, to: &output)
        append(":", second % 60, to: &output)
    }

    private static func append(
        _ separator: Unicode.Scalar,
        _ value: Int,
        to output: inout OutputSpan<UInt8>
    ) {
        output.append(UInt8(ascii: separator))
        output.appendDecimal(Int64(value), width: 2)
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
        func number(_ range: Range<Int>) -> Int {
            bytes[range].reduce(0) { $0 * 10 + Int($1 - 0x30) }
        }
        let day = CivilDay(year: number(0..<4), month: number(5..<7), day: number(8..<10))
        let (hour, minute, second) = (number(11..<13), number(14..<16), number(17..<19))
        guard let days = day.daysSince1970, hour < 24, minute < 60, second < 61 else { return nil }
        let seconds = days * 86_400 + hour * 3600 + minute * 60 + second
        return Int64(seconds * 1_000_000 + number(20..<26))
    }
}
