/// The text that explains a command in its help, taken apart for the manual page.
///
/// A line of capitals begins a section, and the section's lines are indented by two. Such a line is a
/// term, if two spaces or more separate it from its explanation; an example, if it is indented
/// further or begins with `batchfetch`; otherwise it is part of a paragraph. Blank lines end
/// paragraphs. What isn't indented, and no line of capitals, belongs to the introduction.
struct HelpText: Sendable, Equatable {
    enum Block: Sendable, Equatable {
        case paragraph(String)
        case term(String, explanation: String)
        /// Lines that are shown as they are.
        case example([String])
    }

    struct Section: Sendable, Equatable {
        let title: String
        var blocks: [Block] = []
    }

    private(set) var introduction: [Block] = []
    private(set) var sections: [Section] = []

    init(_ text: String) {
        var isNew = true
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let indentation = line.prefix { $0 == " " }.count
            let words = String(line.dropFirst(indentation))
            if words.isEmpty {
                isNew = true
                continue
            }
            if indentation == 0, words.wholeMatch(of: /[A-Z]{2,}(?: [A-Z]+)*/) != nil {
                sections.append(Section(title: words))
            } else if indentation == 0 || sections.isEmpty {
                Self.add(Self.block(words, indentation), to: &introduction, isNew)
            } else {
                let last = sections.count - 1
                Self.add(Self.block(words, indentation), to: &sections[last].blocks, isNew)
            }
            isNew = false
        }
    }

    private static func block(_ words: String, _ indentation: Int) -> Block {
        guard indentation > 0 else { return .paragraph(words) }
        if indentation >= 4 || words.hasPrefix("batchfetch ") { return .example([words]) }
        if let match = words.wholeMatch(of: /(.*?\S) {2,}(\S.*)/) {
            return .term(String(match.1), explanation: String(match.2))
        }
        return .paragraph(words)
    }

    /// Appends a line to the block before it, if it continues that one.
    private static func add(_ block: Block, to blocks: inout [Block], _ isNew: Bool) {
        switch (blocks.last, block) {
        case (.paragraph(let start), .paragraph(let end)) where !isNew:
            blocks[blocks.count - 1] = .paragraph("\(start) \(end)")
        case (.example(let start), .example(let end)) where !isNew:
            blocks[blocks.count - 1] = .example(start + end)
        default:
            blocks.append(block)
        }
    }
}
