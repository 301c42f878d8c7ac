/// The examples in a Swift file: what stands between marks, which are comments of their own lines.
///
/// - `// snippet: Page/name` begins an example for a page,
/// - `// hide` leaves out what follows, up to `// show`,
/// - `// end` ends it, and so does the file.
///
/// What is shown in several pieces has an empty line between them. Each piece loses the indentation that
/// all of its lines have.
struct SnippetFile {
    /// An example.
    struct Snippet: Equatable {
        /// The name of its page, such as `Trust`.
        let page: String
        /// Its own name on the page.
        let name: String
        /// As it stands on the page, without a line's end at its own.
        var text = ""
    }

    var snippets: [Snippet] = []
    /// Marks that make no sense.
    var faults: [String] = []

    private var open: Snippet?
    /// The lines of the piece that is shown; `nil` where nothing is.
    private var piece: [Substring]?

    init() {}

    /// - Parameter path: Where the text is from, for faults.
    init(_ text: String, path: String) {
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated()
        {
            guard take(line) else { continue }
            faults.append("\(path):\(index + 1) has \(line.drop { $0 == " " }) out of place")
        }
        if open != nil { endSnippet() }
    }

    /// Takes a line, and tells whether it is a mark that makes no sense.
    private mutating func take(_ line: Substring) -> Bool {
        let words = line.drop { $0 == " " }
        if words.hasPrefix("// snippet: ") {
            guard open == nil else { return true }
            let names = words.dropFirst("// snippet: ".count).split(separator: "/")
            guard names.count == 2 else { return true }
            open = Snippet(page: String(names[0]), name: String(names[1]))
            piece = []
        } else if words == "// hide" {
            guard piece != nil else { return true }
            endPiece()
        } else if words == "// show" {
            guard open != nil, piece == nil else { return true }
            piece = []
        } else if words == "// end" {
            guard open != nil else { return true }
            endSnippet()
        } else {
            piece?.append(line)
        }
        return false
    }

    private mutating func endPiece() {
        guard var lines = piece else { return }
        piece = nil
        while lines.last?.allSatisfy({ $0 == " " }) == true { lines.removeLast() }
        let indentation =
            lines.filter { !$0.isEmpty }
            .map { $0.prefix { $0 == " " }.count }.min() ?? 0
        let text = lines.map { $0.dropFirst(indentation) }.joined(separator: "\n")
        guard var snippet = open, !text.isEmpty else { return }
        snippet.text += snippet.text.isEmpty ? text : "\n\n" + text
        open = snippet
    }

    private mutating func endSnippet() {
        endPiece()
        if let open { snippets.append(open) }
        open = nil
    }
}
