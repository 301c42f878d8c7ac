internal import Foundation

extension URL {
    /// Whether what it leads to is spoken to over TLS.
    var isSecure: Bool {
        let scheme = scheme?.lowercased()
        return scheme == "https" || scheme == "wss"
    }
}
