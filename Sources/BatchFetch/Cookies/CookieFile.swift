internal import HTTPSemantics

/// The format of cookie files of Netscape, curl and wget.
///
/// A line has seven fields with tabs between them: the domain, whether it includes subdomains, the
/// path, whether the cookie is `Secure`, its expiry in seconds since 1970 (0 for a cookie of a
/// session), its name and its value. `#HttpOnly_` before the domain marks a cookie for HTTP only.
/// Other lines that begin with `#`, and blank lines, are comments. See
/// <https://curl.se/docs/http-cookies.html>.
enum CookieFile {
    /// A mistake in the file, without any of its text.
    struct Mistake: Error, Hashable {
        /// From 1.
        let line: Int
        let reason: String
    }

    private static let header =
        "# Netscape HTTP Cookie File\n# https://curl.se/docs/http-cookies.html\n"
    private static let mark = "#HttpOnly_"

    /// Parses the text of a file. Cookies that no server may set are left out.
    static func cookies(in text: String) throws(Mistake) -> [RunCookie] {
        var cookies: [RunCookie] = []
        let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        for (index, line) in lines.enumerated() {
            let isHTTPOnly = line.hasPrefix(mark)
            let rest = isHTTPOnly ? line.dropFirst(mark.count) : line
            if rest.isEmpty || rest.hasPrefix("#") { continue }
            if rest.utf8.allSatisfy({ $0 == ASCII.space || $0 == ASCII.tab }) { continue }
            let cookie = try cookie(rest, line: index + 1, isHTTPOnly: isHTTPOnly)
            guard cookie.isValid, cookie.isHostOnly || !RunCookie.isPublicSuffix(cookie.domain)
            else { continue }
            cookies.append(cookie)
        }
        return cookies
    }

    private static func cookie(
        _ text: Substring,
        line: Int,
        isHTTPOnly: Bool
    ) throws(Mistake) -> RunCookie {
        let fields = text.split(separator: "\t", omittingEmptySubsequences: false)
        // Some programs leave out the tab before an empty value.
        guard (6...7).contains(fields.count) else {
            let reason = "a cookie has seven fields with tabs between them"
            throw Mistake(line: line, reason: reason)
        }
        guard let includesSubdomains = flag(fields[1]), let isSecure = flag(fields[3]) else {
            throw Mistake(line: line, reason: "the second and fourth field are TRUE or FALSE")
        }
        guard let expires = Double(fields[4]), expires.isFinite else {
            throw Mistake(line: line, reason: "the fifth field is a time in seconds since 1970")
        }
        let domain = fields[0].hasPrefix(".") ? fields[0].dropFirst() : fields[0]
        return RunCookie(
            name: String(fields[5]),
            value: fields.count > 6 ? String(fields[6]) : "",
            domain: HostName.canonical(domain.utf8),
            isHostOnly: !includesSubdomains,
            path: fields[2].hasPrefix("/") ? String(fields[2]) : "/",
            isSecure: isSecure,
            isHTTPOnly: isHTTPOnly,
            expires: expires == 0 ? nil : expires
        )
    }

    private static func flag(_ text: Substring) -> Bool? {
        switch text.uppercased() {
        case "TRUE": true
        case "FALSE": false
        default: nil
        }
    }

    /// The text of a file with these cookies, except expired ones.
    static func text(_ cookies: [RunCookie], now: Double) -> String {
        var text = header
        for cookie in cookies where !cookie.isExpired(at: now) {
            // A date beyond the range of integers is as good as the latest one.
            let expires = cookie.expires.map {
                Int64(min(max($0.rounded(.up), 1), 253_402_300_799))
            }
            let fields = [
                (cookie.isHTTPOnly ? mark : "") + (cookie.isHostOnly ? "" : ".") + cookie.domain,
                cookie.isHostOnly ? "FALSE" : "TRUE", cookie.path,
                cookie.isSecure ? "TRUE" : "FALSE", "\(expires ?? 0)", cookie.name, cookie.value,
            ]
            text += fields.joined(separator: "\t") + "\n"
        }
        return text
    }
}
