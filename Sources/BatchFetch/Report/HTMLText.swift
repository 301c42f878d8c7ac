/// Writes HTML. Names of elements and attributes are those of the source code; whatever comes from
/// elsewhere is text, which is escaped: there is no way around it.
struct HTMLText: Sendable {
    private(set) var html = ""

    typealias Attributes = KeyValuePairs<StaticString, String>

    /// An element with what `content` writes.
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

    /// An element with a text.
    mutating func element(
        _ name: StaticString,
        _ attributes: Attributes = [:],
        text: String
    ) {
        element(name, attributes) { $0.text(text) }
    }

    /// An element that has no end.
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

    /// A text. What HTML has another meaning for is escaped, and control characters, those that turn the
    /// direction of writing too, are shown as U+FFFD.
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

    /// What is written in the source code as it is to be: a style sheet, a declaration.
    mutating func source(_ source: StaticString) { html += "\(source)" }

    /// After these a line ends, so that the page can be read as it is, too.
    private static let blocks: Set = [
        "head", "title", "header", "section", "h1", "h2", "p", "tr", "table", "svg", "g", "ul",
        "li", "dl", "details", "figure", "figcaption", "footer", "main", "style", "thead", "tbody",
    ]
}
