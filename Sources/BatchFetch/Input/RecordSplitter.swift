/// Splits bytes into the records of a format.
enum RecordSplitter: Sendable {
    case lines(LineSplitter)
    case rows(RowSplitter)

    init(_ format: InputFormat) {
        switch format {
        case .csv:
            self = .rows(
                RowSplitter(separator: UInt8(ascii: ","), maximumLength: format.maximumLength)
            )
        case .tsv:
            self = .rows(
                RowSplitter(separator: UInt8(ascii: "\t"), maximumLength: format.maximumLength)
            )
        case .lines, .jsonLines, .automatic:
            self = .lines(LineSplitter(maximumLength: format.maximumLength))
        }
    }

    /// Takes the next piece, and returns the completed records. `nil` is the end of the list.
    mutating func records(in bytes: [UInt8]?) -> [InputRecord] {
        var records: [InputRecord] = []
        switch self {
        case .lines(var splitter):
            // Avoids a copy of the partial line that the splitter holds.
            self = .lines(LineSplitter(maximumLength: 1))
            var lines: [InputLine] = []
            if let bytes {
                splitter.split(bytes, into: &lines)
            } else {
                splitter.finish(into: &lines)
            }
            self = .lines(splitter)
            records = lines.map { InputRecord(line: $0.number, content: .line($0.content)) }
        case .rows(var splitter):
            self = .lines(LineSplitter(maximumLength: 1))
            if let bytes {
                splitter.split(bytes, into: &records)
            } else {
                splitter.finish(into: &records)
            }
            self = .rows(splitter)
        }
        return records
    }
}

/// A line or row of a list, before it is parsed.
struct InputRecord: Sendable, Hashable {
    enum Content: Sendable, Hashable {
        /// A line of text.
        case line(InputLine.Content)
        /// The fields of a row.
        case row([String])
        /// A malformed row, with the reason.
        case damaged(String)
    }

    /// The number of the record's first line, from 1.
    let line: Int
    let content: Content
}
