/// URLs as they may be shown to others than those who wrote them.
enum URLText {
    /// Without a user name and a password: `https://…@example.org/a?b`.
    static func withoutUserInfo(_ url: String) -> String {
        guard let separator = FetchTarget.schemeSeparator(in: url) else { return url }
        let authority = url[separator.upperBound...].prefix {
            !"/?#".utf8.contains($0.utf8.first ?? 0)
        }
        // Whatever stands before the last @ of the authority.
        guard let at = authority.lastIndex(of: "@") else { return url }
        return "\(url[..<separator.upperBound])…\(url[at...])"
    }

    /// For logs: without user and password, and without a query, which may carry a token.
    static func forLog(_ url: String) -> String {
        let plain = withoutUserInfo(url)
        guard let mark = plain.firstIndex(where: { $0 == "?" || $0 == "#" }) else { return plain }
        return "\(plain[..<mark])\(plain[mark])…"
    }

    /// Of what is no URL, and may be anything: as much of its beginning as looks like one without user,
    /// password and query. `…` where nothing does, as of a line of JSON.
    static func ofMalformed(_ text: String) -> String {
        let end = text.firstIndex { "?#{}\"'\\".contains($0) || $0.isWhitespace }
        let beginning = text[..<(end ?? text.endIndex)]
        var shown = String(beginning)
        // A password may hold slashes: what stands before any @ isn't shown.
        if let at = beginning.lastIndex(of: "@") {
            let scheme =
                FetchTarget.schemeSeparator(in: shown).map { shown[..<$0.upperBound] } ?? ""
            shown = "\(scheme)…\(beginning[at...])"
        }
        return end == nil ? shown : "\(shown)…"
    }
}
