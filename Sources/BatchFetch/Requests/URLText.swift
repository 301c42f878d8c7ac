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

    /// Removes all that may be secret, for pages that are passed on.
    ///
    /// Of a URL, removes user name, password, the values of the query and the fragment:
    /// `https://…@example.org/a?date=…&signature=…`. Other text is shortened as by
    /// ``ofMalformed(_:)``.
    package static func forReport(_ text: String) -> String {
        guard (try? FetchTarget(text)) != nil else { return ofMalformed(text) }
        let plain = withoutUserInfo(text)
        let bytes = plain.utf8
        guard let mark = bytes.firstIndex(where: { "?#".utf8.contains($0) }) else { return plain }
        guard bytes[mark] == UInt8(ascii: "?") else { return "\(plain[..<mark])#…" }
        let rest = bytes[bytes.index(after: mark)...]
        let query = rest.prefix { $0 != UInt8(ascii: "#") }
        let items = query.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
        let shown = items.map { withoutValue($0) }.joined(separator: "&")
        return "\(plain[..<mark])?\(shown)\(query.endIndex == rest.endIndex ? "" : "#…")"
    }

    /// Returns an item of a query with its name only.
    ///
    /// An item without a value has no name, because a token may be all of it. So may a token with
    /// the padding of base 64.
    private static func withoutValue(_ item: Substring.UTF8View) -> String {
        let equals = UInt8(ascii: "=")
        guard !item.isEmpty else { return "" }
        guard let end = item.firstIndex(of: equals), !item[end...].allSatisfy({ $0 == equals })
        else { return "…" }
        return "\(Substring(item[..<end]))=…"
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
