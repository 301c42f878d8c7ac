/// The examples in a Swift file, between marks on lines of their own.
///
/// - `// snippet: Page/name` begins an example for a page, `// snippet: File.swift/name` one for the
///   documentation comments of a source file,
/// - `// hide` leaves out the following lines, up to `// show`,
/// - `// end` ends it, and so does the end of the file.
///
/// An empty line separates the shown pieces of an example. Each piece loses the indentation that
/// all of its lines share.
struct SnippetFile {
    /// An example.
    struct Snippet: Equatable {
        /// The name of its page, such as `Trust` or `Batch.swift`.
        let page: String
        /// Its own name on the page.
        let name: String
        /// The text on the page, without a line end at its own end.
        var text = ""
    }

    var snippets: [Snippet] = []
    /// Misplaced marks.
    var faults: [String] = []

    private var open: Snippet?
    /// The lines of the current piece; `nil` between pieces.
    private var piece: [Substring]?

    init() {}

    /// - Parameter path: The file of the text, for faults.
    init(_ text: String, path: String) {
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated()
        {
            guard take(line) else { continue }
            faults.append("\(path):\(index + 1) has \(line.drop { $0 == " " }) out of place")
        }
        if open != nil { endSnippet() }
    }

    /// Reads a line and returns whether it is a misplaced mark.
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
