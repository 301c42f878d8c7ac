internal import Foundation
internal import HTTPSemantics

/// Parses dates in cookies, which have many formats (RFC 6265bis, 5.1.1).
enum CookieDate {
    /// Parses a date as `SetCookieDate` does.
    static func date(from text: String) -> Date? {
        SetCookieDate.secondsSince1970(text).map { Date(timeIntervalSince1970: Double($0)) }
    }
}
