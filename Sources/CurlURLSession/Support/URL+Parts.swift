package import Foundation

extension URL {
    /// Whether the scheme uses TLS.
    var isSecure: Bool {
        let scheme = scheme?.lowercased()
        return scheme == "https" || scheme == "wss"
    }

    /// Whether both URLs have the same scheme, host and port (RFC 6454, 4 and 5).
    ///
    /// False if a URL has no host. Different spellings of an IPv6 address are different hosts.
    package func isSameOrigin(as other: URL) -> Bool {
        guard let originText else { return false }
        return originText == other.originText
    }

    /// Scheme and host in lower case, and the port; `nil` without a scheme or host.
    ///
    /// A missing port is the default one of `http`, `https`, `ws` and `wss`. The default ports of
    /// other schemes are unknown here, so a missing port of theirs differs from each port.
    var originText: String? {
        let url = absoluteURL
        guard let scheme = url.scheme?.lowercased(), let host = url.host()?.lowercased(),
            !host.isEmpty
        else { return nil }
        let port = (url.port ?? Self.defaultPorts[scheme]).map { "\($0)" } ?? ""
        return "\(scheme)://\(host):\(port)"
    }

    private static let defaultPorts = ["http": 80, "https": 443, "ws": 80, "wss": 443]

    /// The URL without user name and password; `nil` if it can't be parsed.
    package var withoutUserInfo: URL? {
        guard absoluteString.utf8.contains(UInt8(ascii: "@")) else { return self }
        var components = URLComponents(url: self, resolvingAgainstBaseURL: true)
        components?.user = nil
        components?.password = nil
        return components?.url
    }
}
