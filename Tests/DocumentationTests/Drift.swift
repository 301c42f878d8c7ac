/// How pages and compiled examples differ.
enum Drift {
    /// The text of the documentation comments in a Swift file.
    static func comments(of source: String) -> String {
        source.split(separator: "\n")
            .map { line in line.drop { $0 == " " } }
            .filter { $0.hasPrefix("///") }
            .map { $0.dropFirst($0.hasPrefix("/// ") ? 4 : 3) }
            .joined(separator: "\n")
    }

    /// The Swift code that a page shows, block by block. A block may be indented, as in a list.
    static func blocks(of page: String) -> [String] {
        var blocks: [String] = []
        var block: [Substring]?
        var indentation = 0
        for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
            let words = line.drop { $0 == " " }
            if let lines = block {
                guard words == "```" else {
                    block = lines + [line.dropFirst(indentation)]
                    continue
                }
                blocks.append(lines.joined(separator: "\n"))
                block = nil
            } else if words == "```swift" {
                block = []
                indentation = line.count - words.count
            }
        }
        return blocks
    }

    /// Shown code that isn't compiled, and compiled examples that aren't shown.
    static func faults(of name: String, _ page: String, _ snippets: [SnippetFile.Snippet])
        -> [String]
    {
        let shown = blocks(of: page)
        let compiled = snippets.filter { $0.page == name }
        let texts = Set(compiled.map(\.text))
        return shown.filter { !texts.contains($0) }.map {
            "\(name) shows what isn't compiled:\n\($0)"
        }
            + compiled.filter { !shown.contains($0.text) }.map {
                "\(name) doesn't show \($0.name) as it is compiled:\n\($0.text)"
            }
    }
}
