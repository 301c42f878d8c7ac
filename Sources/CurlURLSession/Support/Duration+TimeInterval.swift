internal import Foundation
internal import HTTPSemantics

extension Duration {
    /// Creates a timeout from seconds; `nil`, no timeout, for an invalid value.
    ///
    /// A value is invalid if it isn't a positive number, or if it is more than 100 years. Fractions
    /// are rounded up to nanoseconds.
    init?(limit seconds: TimeInterval) {
        guard seconds > 0, seconds < 3.2e9 else { return nil }
        self = .nanoseconds(Int64((seconds * 1e9).rounded(.up)))
    }

    /// The duration in seconds.
    var timeInterval: TimeInterval {
        TimeInterval(components.seconds) + TimeInterval(components.attoseconds) * 1e-18
    }
}

extension HTTPDate {
    /// Parses a date in one of HTTP's three formats; `nil` for any other text.
    ///
    /// A year of two digits is at most 50 years after the year of `reference`.
    static func date(from text: String, near reference: Date) -> Date? {
        seconds(from: text, near: wholeSeconds(reference)).map {
            Date(timeIntervalSince1970: Double($0))
        }
    }

    /// Formats a date as it is sent: `Sun, 06 Nov 1994 08:49:37 GMT`.
    static func text(from date: Date) -> String { text(seconds: wholeSeconds(date)) }

    /// Seconds since 1970, rounded down; 0 for what isn't a time.
    private static func wholeSeconds(_ date: Date) -> Int64 {
        Int64(exactly: date.timeIntervalSince1970.rounded(.down)) ?? 0
    }
}
