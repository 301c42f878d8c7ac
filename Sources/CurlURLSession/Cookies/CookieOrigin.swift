internal import Foundation
internal import HTTPSemantics

/// The parts of a URL that decide which cookies belong to it.
struct CookieOrigin: Sendable {
    let host: CookieHost
    /// Percent-encoded, and never empty.
    let path: String
    /// Whether the connection is encrypted. Unencrypted loopback connections aren't trusted, since
    /// another user may listen there.
    let isSecure: Bool
    let port: Int

    /// `nil` if the URL has no host.
    init?(_ url: URL) {
        guard let host = CookieHost(url) else { return nil }
        self.host = host
        let path = url.path(percentEncoded: true)
        self.path = path.isEmpty ? "/" : path
        isSecure = url.isSecure
        port = url.port ?? (isSecure ? 443 : 80)
    }

    /// Whether `document` is of the same site. Without one, this URL is the main document.
    func isSameSite(as document: URL?) -> Bool {
        guard let document else { return true }
        guard let other = CookieHost(document) else { return false }
        return other == host || other.site == host.site
    }

    /// Whether `path` is `folder` or below it (RFC 6265bis, 5.1.4).
    static func isPath(_ path: String, within folder: String) -> Bool {
        CookieRules.isPath(path, within: folder)
    }
}
