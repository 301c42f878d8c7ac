package import Foundation

extension URL {
    /// Whether the scheme uses TLS.
    var isSecure: Bool {
        let scheme = scheme?.lowercased()
        return scheme == "https" || scheme == "wss"
    }

    /// The URL without user name and password; `nil` if it can't be parsed.
    package var withoutUserInfo: URL? {
        guard absoluteString.utf8.contains(UInt8(ascii: "@")) else { return self }
        var components = URLComponents(url: self, resolvingAgainstBaseURL: true)
        components?.user = nil
        components?.password = nil
        return components?.url
    }
}
