/// How pages and compiled examples differ.
enum Drift {
    /// The Swift code that a page shows, block by block.
    static func blocks(of page: String) -> [String] {
        var blocks: [String] = []
        var block: [Substring]?
        for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
            if let lines = block {
                guard line == "```" else {
                    block = lines + [line]
                    continue
                }
                blocks.append(lines.joined(separator: "\n"))
                block = nil
            } else if line == "```swift" {
                block = []
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
