import Foundation
import Testing

@testable import CurlURLSession

extension Date {
    /// A time of a test, which has no clock.
    init(at seconds: Double) {
        self.init(timeIntervalSinceReferenceDate: 500_000_000 + seconds)
    }
}

/// Jars in words: fields go in, fields come out.
extension CookieJar {
    /// Sets what a response's field `Set-Cookie` sets. Returns whether that changed anything.
    @discardableResult
    mutating func set(_ field: String, from url: String, at time: Double = 0) throws -> Bool {
        let url = try #require(URL(string: url))
        let now = Date(at: time)
        guard let attributes = CookieAttributes(setCookie: field, url: url, now: now),
            let cookie = StoredCookie(HTTPCookie(attributes: attributes), now: now)
        else { return false }
        return set(cookie, from: CookieOrigin(url))
    }

    /// What a request's field `Cookie` says; empty without cookies.
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

    /// All cookies as they are sent, older ones first.
    var text: String { all.map(\.attributes.pair).joined(separator: "; ") }
}
