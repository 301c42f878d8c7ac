internal import Foundation

/// What a cookie consists of.
struct CookieAttributes: Sendable, Hashable {
    /// Empty where a server gave a value alone.
    var name: String
    var value: String
    /// In small letters. With a dot in front it includes all domains below it.
    var domain: String
    var path: String
    /// `nil` for a cookie that lasts as long as the session.
    var expires: Date?
    var isSecure = false
    var isHTTPOnly = false
    /// Whether it ends with the session although it has a date to expire.
    var isDiscarded = false
    var sameSite: HTTPCookieStringPolicy?
    var version = 0
    var comment: String?
    var commentURL: URL?
    /// `nil` for all ports.
    var ports: [Int]?

    /// Whether requests that another site's page causes go without it.
    var isKeptFromOtherSites: Bool { sameSite.map { $0.rawValue != "none" } ?? false }

    /// What a request's `Cookie` field says of it.
    var pair: String {
        name.isEmpty ? value : "\(name)=\(value)"
    }

    /// Whether it can be sent without being taken for something else.
    ///
    /// A control character would end the field or the connection's line, a semicolon the cookie; a
    /// name ends at the first equals sign, and a value without a name mustn't look as if it had one.
    /// Bytes are looked at: what is sent has no characters of several code points.
    var isSound: Bool {
        let equals = UInt8(ascii: "=")
        let isThere = !name.isEmpty || !(value.isEmpty || value.utf8.contains(equals))
        return isThere && !name.utf8.contains(equals)
            && ![name, value].contains { $0.utf8.contains(UInt8(ascii: ";")) }
            && ![name, value, domain, path].contains { $0.hasControlCharacter }
            && hasItsPrefix
    }

    /// Whether it has the attributes that its name promises (RFC 6265bis, 4.1.3). A value without a
    /// name is sent as a name would be.
    private var hasItsPrefix: Bool {
        if hasPrefix("__secure-") { return isSecure && !name.isEmpty }
        if hasHostPrefix {
            return isSecure && !name.isEmpty && path == "/" && !domain.hasPrefix(".")
        }
        return true
    }

    /// Whether its name promises that it belongs to one host as a whole.
    var hasHostPrefix: Bool { hasPrefix("__host-") }

    private func hasPrefix(_ prefix: String) -> Bool {
        (name.isEmpty ? value : name).utf8.lazy.map(\.lowercasedASCII).starts(with: prefix.utf8)
    }

    /// The numbers of a list such as `80,443`, with quotes or without; `nil` if there is none in it.
    /// Version 0 has only one.
    static func ports(_ text: String, version: Int) -> [Int]? {
        let numbers = text.split { $0 == "," || $0 == "\"" }.compactMap {
            Int(String($0).trimmingFieldWhitespace)
        }
        guard !numbers.isEmpty else { return nil }
        return version == 0 ? Array(numbers.prefix(1)) : numbers
    }

    /// When a cookie of that `Max-Age` expires (RFC 6265bis, 5.6.2); `nil` if it is no number.
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
    /// Whether it has a control character other than a tab, which ends a field or isn't seen.
    var hasControlCharacter: Bool {
        utf8.contains { ($0 < 0x20 && $0 != UInt8(ascii: "\t")) || $0 == 0x7f }
    }
}
