internal import Foundation
internal import HTTPSemantics

extension CookieAttributes {
    /// Creates a cookie from properties. Returns `nil` if a required one is missing or it can't be
    /// sent.
    init?(properties: [HTTPCookiePropertyKey: Any], now: Date) {
        let text = { (key: HTTPCookiePropertyKey) in Self.text(properties[key]) }
        let origin = Self.url(properties[.originURL])
        guard let name = text(.name), let value = text(.value), let path = text(.path),
            let domain = text(.domain) ?? origin.flatMap({ CookieHost($0)?.name }), !domain.isEmpty
        else { return nil }
        self.init(name: name, value: value, domain: domain.lowercased(), path: path)
        version = Self.digits(properties[.version]) == "1" ? 1 : 0
        isSecure = properties[.secure] as? Bool ?? !(text(.secure) ?? "").isEmpty
        isHTTPOnly = Self.flag(properties[.httpOnly])
        expires = Self.expiry(properties, version: version, now: now)
        isDiscarded = Self.flag(properties[.discard]) && expires != nil
        sameSite =
            properties[.sameSitePolicy] as? HTTPCookieStringPolicy
            ?? text(.sameSitePolicy).map { HTTPCookieStringPolicy(rawValue: $0.lowercased()) }
        comment = text(.comment)
        commentURL = Self.url(properties[.commentURL])
        ports = text(.port).flatMap { Self.ports($0, version: version) }
        guard isValid else { return nil }
    }

    /// The expiry date. A maximum age replaces it, and counts only for version 1.
    private static func expiry(
        _ properties: [HTTPCookiePropertyKey: Any],
        version: Int,
        now: Date
    ) -> Date? {
        let aged = digits(properties[.maximumAge]).flatMap { expiry(maximumAge: $0, now: now) }
        if let aged { return version == 1 ? aged : nil }
        return properties[.expires] as? Date
            ?? text(properties[.expires]).flatMap { CookieDate.date(from: $0) }
    }

    /// The properties from which ``init(properties:now:)`` creates an equal cookie at any time.
    var properties: [HTTPCookiePropertyKey: Any] {
        var properties: [HTTPCookiePropertyKey: Any] = [
            .name: name, .value: value, .domain: domain, .path: path, .version: String(version),
        ]
        properties[.secure] = isSecure ? "TRUE" : nil
        properties[.httpOnly] = isHTTPOnly ? "TRUE" : nil
        properties[.discard] = isDiscarded || expires == nil ? "TRUE" : "FALSE"
        properties[.expires] = expires
        properties[.sameSitePolicy] = sameSite?.rawValue
        properties[.comment] = comment
        properties[.commentURL] = commentURL
        properties[.port] = ports.map { $0.map { String($0) }.joined(separator: ",") }
        return properties
    }

    private static func text(_ value: Any?) -> String? {
        switch value {
        case let text as String: text
        case let text as Substring: String(text)
        default: nil
        }
    }

    private static func digits(_ value: Any?) -> String? {
        text(value) ?? (value as? Int).map { String($0) }
    }

    private static func url(_ value: Any?) -> URL? {
        value as? URL ?? (value as? String).flatMap { URL(string: $0) }
    }

    private static func flag(_ value: Any?) -> Bool {
        value as? Bool ?? text(value).map { $0.equalsIgnoringASCIICase("TRUE") } ?? false
    }
}
