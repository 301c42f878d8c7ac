internal import Foundation
internal import HTTPSemantics

/// The attributes of a cookie, including its name and value.
struct CookieAttributes: Sendable, Hashable {
    /// Empty if the server sent only a value.
    var name: String
    var value: String
    /// Lowercase. A domain with a leading dot includes all its subdomains.
    var domain: String
    var path: String
    /// `nil` for a cookie that ends with the session.
    var expires: Date?
    var isSecure = false
    var isHTTPOnly = false
    /// Whether the cookie ends with the session despite its expiry date.
    var isDiscarded = false
    var sameSite: HTTPCookieStringPolicy?
    var version = 0
    var comment: String?
    var commentURL: URL?
    /// `nil` for all ports.
    var ports: [Int]?

    /// Whether requests that other sites' pages cause don't include the cookie.
    var isKeptFromOtherSites: Bool { sameSite.map { $0.rawValue != "none" } ?? false }

    /// The cookie's part of the `Cookie` field.
    var pair: String {
        name.isEmpty ? value : "\(name)=\(value)"
    }

    /// Whether the cookie can be sent without being misinterpreted, and has what its name's prefix
    /// requires.
    var isValid: Bool {
        CookieRules.isPair(name, value)
            && ![domain, path].contains { $0.hasControlCharacter }
            && CookieRules.satisfiesPrefix(
                name,
                value,
                isSecure: isSecure,
                isHostOnly: !domain.hasPrefix("."),
                path: path
            )
    }

    /// Whether its name's prefix requires that the cookie belongs to one whole host.
    var hasHostPrefix: Bool { CookieRules.hasHostPrefix(name, value) }

    /// The numbers of a list such as `80,443`; `nil` without numbers. Quotes are ignored. In
    /// version 0 only the first number counts.
    static func ports(_ text: String, version: Int) -> [Int]? {
        let numbers = text.split { $0 == "," || $0 == "\"" }.compactMap {
            Int(String($0).trimmingFieldWhitespace)
        }
        guard !numbers.isEmpty else { return nil }
        return version == 0 ? Array(numbers.prefix(1)) : numbers
    }

    /// The expiry date for a `Max-Age` (RFC 6265bis, 5.6.2); `nil` if it isn't a number.
    static func expiry(maximumAge text: String, now: Date) -> Date? {
        guard let seconds = CookieRules.maximumAge(text) else { return nil }
        guard seconds > 0 else { return .distantPast }
        return min(now.addingTimeInterval(seconds), .distantFuture)
    }
}
