/// Text for terminals.
package enum Printable {
    /// The text without what a terminal would obey: control characters but line ends and tabs, and
    /// those that turn the direction of writing, are U+FFFD.
    package static func text(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { isActive($0) }) else { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            result.append(isActive(scalar) ? "\u{FFFD}" : scalar)
        }
        return String(result)
    }

    private static func isActive(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\n", "\t": false
        case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{200E}"..."\u{200F}",
            "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}":
            true
        default: false
        }
    }
}
