import Testing

@testable import BatchFetch

/// Splits input files of aria2 into entries.
@Suite struct AriaSplitterTests {
    private func records(
        _ text: String,
        pieces: Int = .max,
        maximumLength: Int = 1000
    ) -> [InputRecord] {
        var splitter = AriaSplitter(maximumLength: maximumLength)
        var records: [InputRecord] = []
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            splitter.split(Array(rest.prefix(pieces)), into: &records)
            rest = rest.dropFirst(pieces)
        }
        splitter.finish(into: &records)
        return records
    }

    private func entry(_ line: Int, _ urls: [String], _ options: [String] = []) -> InputRecord {
        let entry = AriaEntry(urls: urls, options: options.map { AriaEntry.Option($0) })
        return InputRecord(line: line, content: .entry(entry))
    }

    @Test(
        "Lines have URLs, and indented lines options, in pieces of any size",
        arguments: [1, 3, 99]
    )
    func entriesHaveURLsAndOptions(pieces: Int) {
        let text = """
            \u{FEFF}# comment
            http://a/1\thttp://b/1\t
              out=one\r
            \tdir = two
            # comment

             # no option
             header=A: b=c
            http://c/2
            \thttp://d/
            """
        #expect(
            records(text, pieces: pieces) == [
                entry(2, ["http://a/1", "http://b/1"], ["out=one", "dir=two", "header=A: b=c"]),
                entry(9, ["http://c/2"], ["http://d/="]),
            ]
        )
    }

    @Test(
        "An option's name ends at its first =",
        arguments: [
            ("out=a=b", "out", "a=b"), (" out = a b ", "out", "a b"), ("out", "out", ""),
            ("=x", "", "x"),
        ]
    )
    func optionIsSplitAtTheFirstEqualsSign(text: String, name: String, value: String) {
        let option = AriaEntry.Option(text)
        #expect(option.name == name && option.value == value)
    }

    @Test("An option before any URL is an error with its line, and the next entry is read")
    func optionWithoutURLIsDamaged() {
        let found = records("\n  out=a\n  dir=b\nhttp://a/\n")
        #expect(found.map(\.line) == [2, 4])
        #expect(found.last == entry(4, ["http://a/"]))
        guard case .damaged(let reason)? = found.first?.content else {
            Issue.record("\(found)")
            return
        }
        #expect(reason.contains("needs a line with a URL before it"))
    }

    @Test(
        "An entry that is too long, in one line or several, is damaged; skipped lines don't count"
    )
    func tooLongEntryIsDamaged() {
        let long = String(repeating: "x", count: 60)
        for text in ["http://a/\(long)\(long)\n", "http://a/\(long)\n  out=\(long)\n"] {
            let found = records("\(text)http://b/\n", maximumLength: 100)
            #expect(found.count == 2 && found.last?.content == entry(1, ["http://b/"]).content)
            guard case .damaged(let reason)? = found.first?.content else {
                Issue.record("\(found)")
                continue
            }
            #expect(reason == "the entry has more than 100 bytes")
        }
        let comment = "#\(long)\n"
        let found = records("http://a/\n\(comment)\(comment)  out=b\n", maximumLength: 100)
        #expect(found == [entry(1, ["http://a/"], ["out=b"])])
        let many = (0..<20).map { "http://a/\($0)\n" }.joined()
        let short = (0..<20).map { entry($0 + 1, ["http://a/\($0)"]) }
        #expect(records(many, maximumLength: 30) == short)
    }

    @Test("A line that isn't UTF-8 damages only its entry")
    func invalidUTF8IsDamaged() {
        var splitter = AriaSplitter(maximumLength: 100)
        var found: [InputRecord] = []
        splitter.split(Array("http://a/\n out=".utf8) + [0xFF], into: &found)
        splitter.split(Array("\nhttp://b/".utf8), into: &found)
        splitter.finish(into: &found)
        #expect(
            found == [
                InputRecord(line: 1, content: .damaged("it is not UTF-8")),
                entry(3, ["http://b/"]),
            ]
        )
    }
}
