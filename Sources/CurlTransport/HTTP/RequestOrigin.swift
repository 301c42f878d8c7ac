package import HTTPTypes

/// The server of a request, as middleware counts it: scheme, host and port.
///
/// Different spellings of a server are equal. A request that the transport refuses has an origin, too,
/// because its failure is counted. ``Endpoint`` checks what the transport sends.
package struct RequestOrigin: Hashable, Sendable {
    /// In lower case.
    package let scheme: String
    /// In lower case, without the brackets of an IPv6 address and without a dot at the end.
    package let host: String
    /// That of the scheme if the authority has none, or one that isn't a number.
    package let port: Int

    package init(_ request: HTTPRequest) {
        self.init(
            scheme: (request.scheme ?? "https").lowercased(),
            authority: Self.withoutUserInfo(request.authority ?? "").lowercased()
        )
    }

    /// Creates an origin from a text such as `https://example.org:443`; nil if it isn't one.
    package init?(_ text: String) {
        guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") else {
            return nil
        }
        self.init(
            scheme: text[..<colon].lowercased(),
            authority: text[colon...].dropFirst(3).lowercased()
        )
    }

    private init(scheme: String, authority: String) {
        self.scheme = scheme
        // The colons of an IPv6 address are in brackets.
        let bracket = authority.lastIndex(of: "]")
        let colon = authority[(bracket ?? authority.startIndex)...].lastIndex(of: ":")
        let host = colon.map { authority[..<$0] } ?? authority[...]
        // A name with a dot at its end is the same server.
        self.host =
            bracket == nil
            ? String(host.last == "." ? host.dropLast() : host)
            : String(host.dropFirst().dropLast())
        port =
            colon.flatMap { UInt16(authority[authority.index(after: $0)...]) }.map(Int.init)
            ?? (scheme == "http" ? 80 : 443)
    }

    /// Scheme, host and port, such as `https://example.org:443`.
    package var text: String {
        "\(scheme)://\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }

    /// An authority without user info, which the transport refuses.
    package static func withoutUserInfo(_ authority: String) -> Substring {
        guard let at = authority.lastIndex(of: "@") else { return authority[...] }
        return authority[authority.index(after: at)...]
    }
}

extension HTTPRequest {
    /// The origin as a text, such as `https://example.org:443`.
    package var origin: String { RequestOrigin(self).text }
}
