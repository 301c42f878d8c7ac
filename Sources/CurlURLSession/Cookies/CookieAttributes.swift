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

    /// Whether the cookie can be sent without being misinterpreted.
    ///
    /// A control character would end the field or the line, and a semicolon would end the cookie. A
    /// name ends at the first equals sign, so a value without a name must not contain one. Bytes
    /// are compared, not characters, which may consist of several code points.
    var isValid: Bool {
        let equals = UInt8(ascii: "=")
        let hasNameOrPlainValue = !name.isEmpty || !(value.isEmpty || value.utf8.contains(equals))
        return hasNameOrPlainValue && !name.utf8.contains(equals)
            && ![name, value].contains { $0.utf8.contains(UInt8(ascii: ";")) }
            && ![name, value, domain, path].contains { $0.hasControlCharacter }
            && hasItsPrefix
    }

    /// Whether the cookie has the attributes that its name's prefix requires (RFC 6265bis, 4.1.3).
    ///
    /// The prefix is also checked in a value without a name, which is sent like a name.
    private var hasItsPrefix: Bool {
        if hasPrefix("__secure-") { return isSecure && !name.isEmpty }
        if hasHostPrefix {
            return isSecure && !name.isEmpty && path == "/" && !domain.hasPrefix(".")
        }
        return true
    }

    /// Whether its name's prefix requires that the cookie belongs to one whole host.
    var hasHostPrefix: Bool { hasPrefix("__host-") }

    private func hasPrefix(_ prefix: String) -> Bool {
        (name.isEmpty ? value : name).utf8.lazy.map(\.lowercasedASCII).starts(with: prefix.utf8)
    }

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
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ $0.isASCIIDigit }) else { return nil }
        guard !text.hasPrefix("-"), digits.contains(where: { $0 != "0" }) else {
            return .distantPast
        }
        let seconds = Double(digits) ?? .infinity
        return min(now.addingTimeInterval(seconds), .distantFuture)
    }
}

extension String {
    /// Whether the text has a control character other than a tab.
    var hasControlCharacter: Bool {
        utf8.contains { ($0 < 0x20 && $0 != UInt8(ascii: "\t")) || $0 == 0x7f }
    }
}
