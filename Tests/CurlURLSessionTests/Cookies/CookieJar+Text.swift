import Foundation
import Testing

@testable import CurlURLSession

extension Date {
    /// A time that is `seconds` after a fixed date.
    init(at seconds: Double) {
        self.init(timeIntervalSinceReferenceDate: 500_000_000 + seconds)
    }
}

/// Sets and returns cookies as values of header fields.
extension CookieJar {
    /// Applies a `Set-Cookie` field. Returns whether the jar has changed.
    @discardableResult
    mutating func set(_ field: String, from url: String, at time: Double = 0) throws -> Bool {
        let url = try #require(URL(string: url))
        let now = Date(at: time)
        guard let attributes = CookieAttributes(setCookie: field, url: url, now: now),
            let cookie = StoredCookie(HTTPCookie(attributes: attributes), now: now)
        else { return false }
        return set(cookie, from: CookieOrigin(url))
    }

    /// The value of the `Cookie` request field; empty without cookies.
    mutating func sent(
        to url: String,
        isSameSite: Bool = true,
        at time: Double = 0
    ) throws -> String {
        let target = try #require(URL(string: url))
        let origin = try #require(CookieOrigin(target))
        return take(for: origin, isSameSite: isSameSite, now: Date(at: time))
            .map(\.attributes.pair).joined(separator: "; ")
    }

    /// All cookies as they are sent, the oldest first.
    var text: String { all.map(\.attributes.pair).joined(separator: "; ") }
}
