internal import HTTPSemantics

/// Splits an input file of aria2 into entries, in bounded memory.
///
/// A line that doesn't begin with white space has the URLs of an entry, separated by tabs. The
/// indented lines that follow are its options. Blank lines and lines that begin with `#` are skipped.
/// So an entry is complete when the next one begins, or at the end. Does no input or output.
struct AriaSplitter: Sendable {
    /// The maximum length of an entry in bytes.
    let maximumLength: Int
    private var number = 0
    private var partial: [UInt8] = []
    private var length = 0
    private var entry = AriaEntry(urls: [])
    /// The line of the entry's URLs; `nil` if there is no entry.
    private var start: Int?
    private var problem: String?

    init(maximumLength: Int) {
        self.maximumLength = maximumLength
    }

    /// Takes the next piece, and appends the entries that it completes.
    mutating func split(_ bytes: [UInt8], into records: inout [InputRecord]) {
        var start = bytes.startIndex
        while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
            keep(bytes[start..<end])
            endLine(&records)
            start = end + 1
        }
        keep(bytes[start...])
    }

    /// Ends the list; the remaining bytes are the last line.
    mutating func finish(into records: inout [InputRecord]) {
        endLine(&records)
        endEntry(&records)
    }

    /// Keeps the beginning of a line; the rest of a line that is too long isn't stored.
    private mutating func keep(_ bytes: ArraySlice<UInt8>) {
        length += bytes.count
        partial.append(contentsOf: bytes.prefix(max(0, maximumLength + 1 - partial.count)))
    }

    private mutating func endLine(_ records: inout [InputRecord]) {
        number += 1
        let bytes = partial
        partial.removeAll(keepingCapacity: true)
        var line = bytes[...]
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        if number == 1, line.starts(with: mark) { line = line.dropFirst(mark.count) }
        while line.last.map(Self.isSpace) == true { line.removeLast() }
        let isOption = line.first.map(Self.isSpace) == true
        line = line.drop(while: Self.isSpace)
        // The bytes of skipped lines don't count.
        guard let first = line.first, first != UInt8(ascii: "#") else {
            length = entryLength
            return
        }
        if !isOption { endEntry(&records) }
        if start == nil { start = number }
        if length > maximumLength {
            problem = "the entry has more than \(maximumLength) bytes"
            entry = AriaEntry(urls: [])
        }
        entryLength = length
        guard problem == nil else { return }
        guard let text = String(validating: line, as: UTF8.self) else {
            problem = "it is not UTF-8"
            return
        }
        add(text, isOption: isOption)
    }

    /// The length of the entry's lines so far, without the current one.
    private var entryLength = 0

    private mutating func add(_ text: String, isOption: Bool) {
        if isOption {
            guard !entry.urls.isEmpty else {
                problem = "an indented line is an option, and needs a line with a URL before it"
                return
            }
            entry.options.append(AriaEntry.Option(text))
        } else {
            entry.urls = text.split(separator: "\t").map(\.trimmingFieldWhitespace)
        }
    }

    private mutating func endEntry(_ records: inout [InputRecord]) {
        // The current line, which begins the next entry, is counted already.
        length -= entryLength
        entryLength = 0
        guard let start else { return }
        let content = problem.map { InputRecord.Content.damaged($0) } ?? .entry(entry)
        records.append(InputRecord(line: start, content: content))
        entry = AriaEntry(urls: [])
        problem = nil
        self.start = nil
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || (9...13).contains(byte)
    }
}
