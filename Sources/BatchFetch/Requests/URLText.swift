/// Removes secrets from URLs for display.
package enum URLText {
    /// Removes user name and password: `https://…@example.org/a?b`.
    package static func withoutUserInfo(_ url: String) -> String {
        guard let separator = FetchTarget.schemeSeparator(in: url) else { return url }
        // Bytes are compared: a combining mark after a delimiter must not hide it.
        let authority = url.utf8[separator.upperBound...].prefix { !"/?#".utf8.contains($0) }
        // Everything before the last @ of the authority is removed.
        guard let at = authority.lastIndex(of: UInt8(ascii: "@")) else { return url }
        return "\(url[..<separator.upperBound])…\(url[at...])"
    }

    /// Removes user, password, query and fragment, for logs. A query may carry a token.
    static func forLog(_ url: String) -> String {
        let plain = withoutUserInfo(url)
        let scalars = plain.unicodeScalars
        guard let mark = scalars.firstIndex(where: { $0 == "?" || $0 == "#" }) else { return plain }
        return "\(plain[..<mark])\(scalars[mark])…"
    }

    /// Shortens malformed text to a part that surely contains no secrets.
    ///
    /// Keeps the beginning that looks like a URL without user name, password and query; may be only
    /// `…`, as for a line of JSON.
    static func ofMalformed(_ text: String) -> String {
        let scalars = text.unicodeScalars
        let end =
            scalars.firstIndex {
                "?#{}\"'\\".unicodeScalars.contains($0) || $0.properties.isWhitespace
            } ?? text.endIndex
        let separator = FetchTarget.schemeSeparator(in: text).map(\.upperBound)
        let scheme = separator.map { $0 <= end ? text[..<$0] : "" } ?? ""
        let cut = end == text.endIndex ? "" : "…"
        // A password may contain any of these characters, so nothing before an @ is shown.
        guard let at = scalars.lastIndex(of: "@") else { return "\(text[..<end])\(cut)" }
        return at < end ? "\(scheme)…\(text[at..<end])\(cut)" : "\(scheme)…"
    }
}
