internal import Foundation

/// A cookie in a cookie file.
///
/// Properties that are `nil` aren't written. Dates are seconds since the beginning of 2001 (UTC),
/// so that they are read unchanged.
struct CookieRecord: Codable {
    var name: String
    var value: String
    var domain: String
    var path: String
    var expires: Date
    var secure: Bool?
    var httpOnly: Bool?
    var sameSite: String?
    var version: Int?
    var comment: String?
    var commentURL: URL?
    var ports: [Int]?
    var created: Date
    var stored: Date
    var accessed: Date
}

extension CookieRecord {
    /// `nil` for a session cookie.
    init?(_ stored: StoredCookie) {
        let attributes = stored.attributes
        guard stored.isPersistent, let expires = attributes.expires else { return nil }
        self.init(
            name: attributes.name,
            value: attributes.value,
            domain: attributes.domain,
            path: attributes.path,
            expires: expires,
            secure: attributes.isSecure ? true : nil,
            httpOnly: attributes.isHTTPOnly ? true : nil,
            sameSite: attributes.sameSite?.rawValue,
            version: attributes.version == 0 ? nil : attributes.version,
            comment: attributes.comment,
            commentURL: attributes.commentURL,
            ports: attributes.ports,
            created: stored.created,
            stored: stored.stored,
            accessed: stored.accessed
        )
    }

    /// `nil` if no storage would accept the cookie.
    var storedCookie: StoredCookie? {
        var attributes = CookieAttributes(name: name, value: value, domain: domain, path: path)
        attributes.expires = expires
        attributes.isSecure = secure ?? false
        attributes.isHTTPOnly = httpOnly ?? false
        attributes.sameSite = sameSite.map { HTTPCookieStringPolicy(rawValue: $0) }
        attributes.version = version ?? 0
        attributes.comment = comment
        attributes.commentURL = commentURL
        attributes.ports = ports
        return StoredCookie(
            HTTPCookie(attributes: attributes),
            created: created,
            stored: stored,
            accessed: accessed
        )
    }
}
