/// Several `Set-Cookie` fields that were joined by commas, as in a dictionary of header fields.
///
/// Dates and values have commas of their own, so that a list can't always be told from one cookie:
/// where the fields are still apart, they are read one by one instead.
enum SetCookieList {
    /// The cookies apart. One begins after a comma where a name and an equals sign follow.
    static func split(_ text: String) -> [String] {
        var cookies: [String] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            if !cookies.isEmpty, !beginsCookie(part) {
                cookies[cookies.count - 1] += ","
                cookies[cookies.count - 1] += part
            } else {
                cookies.append(String(part))
            }
        }
        return cookies
    }

    /// Whether a token (RFC 9110, 5.6.2) and an equals sign stand at the beginning.
    private static func beginsCookie(_ part: Substring) -> Bool {
        guard let equals = part.firstIndex(of: "=") else { return false }
        let name = String(part[..<equals]).trimmingFieldWhitespace
        return !name.isEmpty
            && name.utf8.allSatisfy {
                $0.isASCIILetter || $0.isASCIIDigit || "!#$%&'*+-.^_`|~".utf8.contains($0)
            }
    }
}
