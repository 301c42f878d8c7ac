internal import Foundation
internal import HTTPSemantics

extension CookieAttributes {
    /// Parses a `Set-Cookie` field of a response to `url` (RFC 6265bis, 5.6).
    ///
    /// Returns `nil` if the field sets no cookie.
    init?(setCookie text: String, url: URL, now: Date) {
        guard let field = SetCookieField(text), let host = CookieHost(url) else { return nil }
        self.init(
            name: field.name,
            value: field.value,
            domain: host.name,
            path: CookieRules.defaultPath(ofURLPath: url.path(percentEncoded: true))
        )
        guard apply(field.attributes, host: host, now: now), isValid else { return nil }
    }

    /// Applies the attributes. Returns whether the cookie may be set.
    private mutating func apply(_ attributes: [String: String], host: CookieHost, now: Date) -> Bool
    {
        isSecure = attributes["secure"] != nil
        isHTTPOnly = attributes["httponly"] != nil
        version = attributes["version"] == "1" ? 1 : 0
        comment = attributes["comment"]
        commentURL = attributes["commenturl"].flatMap { URL(string: $0) }
        ports = attributes["port"].flatMap { Self.ports($0, version: version) }
        expires =
            attributes["max-age"].flatMap { Self.expiry(maximumAge: $0, now: now) }
            ?? attributes["expires"].flatMap { CookieDate.date(from: $0) }
        isDiscarded = attributes["discard"] != nil && expires != nil
        if let policy = attributes["samesite"]?.lowercased(),
            ["strict", "lax", "none"].contains(policy)
        {
            sameSite = HTTPCookieStringPolicy(rawValue: policy)
        }
        if let path = attributes["path"], path.hasPrefix("/") {
            self.path = path
        } else if hasHostPrefix {
            // A default path of `/` doesn't satisfy the prefix (RFC 6265bis, 5.7).
            return false
        }
        return setDomain(attributes["domain"] ?? "", host: host)
    }

    /// Applies the attribute `Domain`. Returns whether the host may set cookies for it.
    ///
    /// A host that is itself a public suffix sets cookies only for itself.
    private mutating func setDomain(_ attribute: String, host: CookieHost) -> Bool {
        let given =
            attribute.utf8.first == UInt8(ascii: ".") ? attribute.dropFirst() : attribute[...]
        guard !given.isEmpty else { return true }
        guard let domain = CookieHost(String(given)), host.isWithin(domain) else { return false }
        if domain.isAddress || domain.isPublicSuffix { return domain == host }
        self.domain = "." + domain.name
        return true
    }
}

/// Splits `Set-Cookie` fields that were joined by commas, as in header dictionaries.
///
/// Dates and values may contain commas, so a list can't always be distinguished from one cookie.
/// Where the fields are still separate, they are parsed one by one instead.
enum SetCookieList {
    /// The separate cookies. A new one starts after a comma that a name and an equals sign follow.
    static func split(_ text: String) -> [String] {
        var cookies: [String] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let cookie = lastLine(part)
            if !cookies.isEmpty, !beginsCookie(cookie) {
                cookies[cookies.count - 1] += ","
                cookies[cookies.count - 1] += part
            } else {
                cookies.append(String(cookie))
            }
        }
        return cookies
    }

    /// The part without the line ends, and the space between them, that it starts with.
    private static func lastLine(_ part: Substring) -> Substring {
        let blank = part.utf8.prefix {
            $0.isLineEnd || $0 == ASCII.space || $0 == ASCII.tab
        }
        guard let end = blank.lastIndex(where: \.isLineEnd) else { return part }
        return part[part.utf8.index(after: end)...]
    }

    /// Whether the part starts with a token (RFC 9110, 5.6.2) and an equals sign.
    private static func beginsCookie(_ part: Substring) -> Bool {
        guard let equals = part.firstIndex(of: "=") else { return false }
        let name = String(part[..<equals]).trimmingFieldWhitespace
        return !name.isEmpty && name.utf8.allSatisfy(\.isTokenByte)
    }
}
