/// Reads the three date formats of HTTP (RFC 9110, 5.6.7).
enum HTTPDate {
    /// Seconds since 1970-01-01 00:00 UTC; `nil` if it is no date.
    ///
    ///     Sun, 06 Nov 1994 08:49:37 GMT      the format of today
    ///     Sunday, 06-Nov-94 08:49:37 GMT     RFC 850
    ///     Sun Nov  6 08:49:37 1994           C's asctime
    static func seconds(from text: String) -> Int64? {
        let words = text.split { " ,-".contains($0) }
        let (day, month, year, time): (Substring, Substring, Substring, Substring)
        switch words.count {
        case 6 where words[5] == "GMT" || words[5] == "UTC":
            (day, month, year, time) = (words[1], words[2], words[3], words[4])
        case 5:
            (day, month, year, time) = (words[2], words[1], words[4], words[3])
        default:
            return nil
        }
        guard let day = Int64(day), (1...31).contains(day), let month = months[String(month)],
            var year = Int64(year), (0...9999).contains(year), let seconds = secondsOfDay(time)
        else { return nil }
        // Two digits: RFC 9110 counts what lies more than 50 years ahead as past.
        if year < 100 { year += year < 70 ? 2000 : 1900 }
        return days(year: year, month: month, day: day) * 86_400 + seconds
    }

    private static let months: [String: Int64] = [
        "Jan": 1, "Feb": 2, "Mar": 3, "Apr": 4, "May": 5, "Jun": 6,
        "Jul": 7, "Aug": 8, "Sep": 9, "Oct": 10, "Nov": 11, "Dec": 12,
    ]

    private static func secondsOfDay(_ text: Substring) -> Int64? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Int64($0) }
        guard parts.count == 3, let hour = parts[0], let minute = parts[1], let second = parts[2],
            (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second)
        else { return nil }
        return hour * 3600 + minute * 60 + second
    }

    /// Days since 1970-01-01 in the Gregorian calendar. Years are counted from March, so that the
    /// leap day is a year's last.
    private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shifted = month > 2 ? year : year - 1
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}
