internal import Foundation
internal import Testing

/// The pages and documentation comments show exactly what is compiled.
@Suite struct PageTests {
    @Test func pagesShowCompiledSnippets() throws {
        let pages = try PageSource.pages()
        let examples = try PageSource.snippets()
        #expect(examples.faults.isEmpty)
        #expect(pages.count > 5 && examples.snippets.count > 50)
        #expect(pages.keys.filter { $0.hasSuffix(".swift") }.count > 20)
        for (name, page) in pages.sorted(by: { $0.key < $1.key }) {
            for fault in Drift.faults(of: name, page, examples.snippets) {
                Issue.record(Comment(rawValue: fault))
            }
        }
        let named = Set(examples.snippets.map(\.page))
        #expect(named.subtracting(pages.keys).isEmpty, "there are no such pages")
    }

    /// The check above finds a difference.
    @Test func differingSnippetsAreReported() throws {
        let file = SnippetFile(
            """
            // snippet: Page/one
            import Module
            // hide
            func f() {
                // show
                let value = 1
                    + 2

                // end
                _ = value
            }
            // end
            // snippet: Page
            """,
            path: "File"
        )
        let text = "import Module\n\nlet value = 1\n    + 2"
        #expect(file.snippets == [.init(page: "Page", name: "one", text: text)])
        #expect(file.faults.count == 2)
        let page = "Words.\n\n```swift\n\(text)\n```\n\n```sh\nls\n```\n"
        #expect(Drift.blocks(of: page) == [text])
        #expect(Drift.faults(of: "Page", page, file.snippets).isEmpty)
        let changed = page.replacingOccurrences(of: "value = 1", with: "value = 3")
        #expect(Drift.faults(of: "Page", changed, file.snippets).count == 2)
        #expect(Drift.faults(of: "Page", "", file.snippets).count == 1)
        #expect(Drift.faults(of: "Other", page, file.snippets).count == 1)
        let source = page.split(separator: "\n", omittingEmptySubsequences: false)
            .map { "    ///\($0.isEmpty ? "" : " ")\($0)" }.joined(separator: "\n")
        #expect(Drift.blocks(of: Drift.comments(of: "var a = 1\n\(source)\nvar b = 2\n")) == [text])
        let list = page.replacingOccurrences(of: "\n", with: "\n  ")
        #expect(Drift.blocks(of: list) == [text])
    }
}
