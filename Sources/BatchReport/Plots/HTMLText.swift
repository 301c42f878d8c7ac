/// Builds HTML and escapes all text.
///
/// Names of elements and attributes are literals in the source code. Everything else is text and
/// always escaped.
struct HTMLText: Sendable {
    private(set) var html = ""

    typealias Attributes = KeyValuePairs<StaticString, String>

    /// Writes an element with the content that `content` writes.
    mutating func element(
        _ name: StaticString,
        _ attributes: Attributes = [:],
        _ content: (inout HTMLText) -> Void
    ) {
        open(name, attributes)
        content(&self)
        html += "</\(name)>"
        if Self.blocks.contains("\(name)") { html += "\n" }
    }

    /// Writes an element with a text.
    mutating func element(
        _ name: StaticString,
        _ attributes: Attributes = [:],
        text: String
    ) {
        element(name, attributes) { $0.text(text) }
    }

    /// Writes an element without an end tag.
    mutating func empty(_ name: StaticString, _ attributes: Attributes = [:]) {
        open(name, attributes)
    }

    private mutating func open(_ name: StaticString, _ attributes: Attributes) {
        html += "<\(name)"
        for (name, value) in attributes {
            html += " \(name)=\""
            text(value)
            html += "\""
        }
        html += ">"
    }

    /// Writes an escaped text.
    ///
    /// Control characters, including those that change the direction of writing, become U+FFFD.
    mutating func text(_ text: String) {
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": html += "&amp;"
            case "<": html += "&lt;"
            case ">": html += "&gt;"
            case "\"": html += "&quot;"
            case "'": html += "&#39;"
            case "\u{0}"..."\u{8}", "\u{B}"..."\u{1F}", "\u{7F}"..."\u{9F}",
                "\u{200E}"..."\u{200F}", "\u{2028}"..."\u{202E}", "\u{2066}"..."\u{2069}":
                html += "\u{FFFD}"
            default: html.unicodeScalars.append(scalar)
            }
        }
    }

    /// Writes a literal from the source code unescaped: a style sheet or a declaration.
    mutating func source(_ source: StaticString) { html += "\(source)" }

    /// Elements that are followed by a line feed, for readable source.
    private static let blocks: Set = [
        "head", "title", "header", "section", "h1", "h2", "p", "tr", "table", "svg", "g", "ul",
        "li", "dl", "details", "figure", "figcaption", "footer", "main", "style", "thead", "tbody",
    ]
}
