internal import Foundation

/// What of a URL decides which cookies it may set, and which ones belong to it.
struct CookieOrigin: Sendable {
    let host: CookieHost
    /// Percent-encoded, and at least a slash.
    let path: String
    /// Whether the connection is encrypted. Loopback addresses aren't trusted without that: what
    /// listens there may be another user's.
    let isSecure: Bool
    let port: Int

    /// `nil` without a host.
    init?(_ url: URL) {
        guard let host = CookieHost(url) else { return nil }
        self.host = host
        let path = url.path(percentEncoded: true)
        self.path = path.isEmpty ? "/" : path
        isSecure = url.isSecure
        port = url.port ?? (isSecure ? 443 : 80)
    }

    /// Whether `document` is of the same site; so is none at all, for then this is the document.
    func isSameSite(as document: URL?) -> Bool {
        guard let document else { return true }
        guard let other = CookieHost(document) else { return false }
        return other == host || other.site == host.site
    }

    /// Whether `path` is `folder`, or below it (RFC 6265bis, 5.1.4).
    static func isPath(_ path: String, within folder: String) -> Bool {
        let bytes = path.utf8
        let prefix = folder.utf8
        guard bytes.starts(with: prefix) else { return false }
        let slash = UInt8(ascii: "/")
        return bytes.count == prefix.count || prefix.last == slash
            || bytes.dropFirst(prefix.count).first == slash
    }
}
