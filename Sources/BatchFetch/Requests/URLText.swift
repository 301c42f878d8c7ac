/// Removes secrets from URLs for display.
package enum URLText {
    /// Removes user name and password: `https://…@example.org/a?b`.
    package static func withoutUserInfo(_ url: String) -> String {
        guard let separator = FetchTarget.schemeSeparator(in: url) else { return url }
        let authority = url[separator.upperBound...].prefix {
            !"/?#".utf8.contains($0.utf8.first ?? 0)
        }
        // Everything before the last @ of the authority is removed.
        guard let at = authority.lastIndex(of: "@") else { return url }
        return "\(url[..<separator.upperBound])…\(url[at...])"
    }

    /// Removes user, password, query and fragment, for logs. A query may carry a token.
    static func forLog(_ url: String) -> String {
        let plain = withoutUserInfo(url)
        guard let mark = plain.firstIndex(where: { $0 == "?" || $0 == "#" }) else { return plain }
        return "\(plain[..<mark])\(plain[mark])…"
    }

    /// Shortens malformed text to a part that surely contains no secrets.
    ///
    /// Keeps the beginning that looks like a URL without user name, password and query; may be only
    /// `…`, as for a line of JSON.
    static func ofMalformed(_ text: String) -> String {
        let end = text.firstIndex { "?#{}\"'\\".contains($0) || $0.isWhitespace }
        let beginning = text[..<(end ?? text.endIndex)]
        var shown = String(beginning)
        // A password may contain slashes, so everything before any @ is removed.
        if let at = beginning.lastIndex(of: "@") {
            let scheme =
                FetchTarget.schemeSeparator(in: shown).map { shown[..<$0.upperBound] } ?? ""
            shown = "\(scheme)…\(beginning[at...])"
        }
        return end == nil ? shown : "\(shown)…"
    }
}
