package import HTTPTypes

extension HTTPRequest {
    /// The origin as middlewares count it, such as `https://example.org:443`.
    ///
    /// Scheme and host are in lower case, and there is always a port.
    package var origin: String {
        let scheme = (scheme ?? "https").lowercased()
        let authority = (authority ?? "").lowercased()
        // The colons of an IPv6 address are in brackets.
        let end = authority.lastIndex(of: "]") ?? authority.startIndex
        guard !authority[end...].contains(":") else { return "\(scheme)://\(authority)" }
        return "\(scheme)://\(authority):\(scheme == "http" ? 80 : 443)"
    }
}
