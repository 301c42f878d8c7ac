@testable internal import BatchFetch

func parseJournal(_ bytes: [UInt8]) {
    var whole = JournalParser(), parts = JournalParser()
    whole.read(bytes)
    for piece in pieces(bytes) { parts.read(piece) }
    expect("\(whole.content)", equals: "\(parts.content)", "a journal in pieces")
    expect(whole.isForeign, equals: parts.isForeign, "a journal's kind in pieces")
    // Also reads single records, because the fuzzer can't guess the checksum of a block.
    var content = JournalContent()
    var rest = bytes[...]
    while let count = rest.popFirst() {
        var reader = JournalRecordReader(rest.prefix(Int(count)))
        rest = rest.dropFirst(Int(count))
        guard JournalCodec.read(&reader, into: &content) else { break }
    }
    _ = JournalCodec.read(bytes)
    _ = JournalCodec.otherVersion(bytes)
}

/// Parses the lines of a run's results.
func parseResults(_ bytes: [UInt8]) {
    var whole = ResultTail(), parts = ResultTail()
    whole.read(bytes)
    for piece in pieces(bytes) { parts.read(piece) }
    expect(whole.entries, equals: parts.entries, "results in pieces")
    expect(whole.wholeLength, equals: parts.wholeLength, "the length of results in pieces")
    for line in bytes.split(separator: 10) { _ = LoggedResult(Array(line)) }
}

/// Parses lists in all formats, also compressed.
func parseList(_ bytes: [UInt8]) {
    guard let first = bytes.first else { return }
    let formats: [InputFormat] = [.lines, .jsonLines, .csv, .tsv]
    let format = first & 8 != 0 ? .aria2 : formats[Int(first % 4)]
    var options = BatchInput.Options()
    options.expandsPatterns = first & 4 != 0
    let content = Array(bytes.dropFirst())
    let whole = records([content], format), parts = records(pieces(content), format)
    expect(whole, equals: parts, "a list in pieces")
    var reader = RecordReader(format, options)
    for record in whole {
        do {
            if case .pattern(let pattern, _) = try reader.read(record) {
                for _ in pattern.prefix(50) {}
            }
        } catch {
            break
        }
    }
}

private func records(_ pieces: [[UInt8]], _ format: InputFormat) -> [InputRecord] {
    var decoder = InputDecoder()
    var splitter = RecordSplitter(format)
    var found: [InputRecord] = []
    // The expansion of a small input is bounded.
    var left = 1 << 20
    func take(_ piece: [UInt8]) -> Bool {
        left -= piece.count
        found += splitter.records(in: piece)
        return left > 0
    }
    do {
        for piece in pieces { try decoder.decode(piece, take) }
        try decoder.finish(take)
    } catch {
        return []
    }
    guard left > 0 else { return [] }
    return found + splitter.records(in: nil)
}

func parsePattern(_ bytes: [UInt8]) {
    guard let pattern = try? URLPattern(text(bytes)) else { return }
    for url in pattern.prefix(200) { _ = url.utf8.count }
}

func parseRobots(_ bytes: [UInt8]) {
    let file = RobotsFile(bytes, token: "fuzz")
    _ = file.crawlDelay
    for path in ["/", "/a/b?c=d", "/index.html", "*", "", "/%2F%zz", text(bytes.prefix(40))] {
        _ = file.allows(path)
    }
}
