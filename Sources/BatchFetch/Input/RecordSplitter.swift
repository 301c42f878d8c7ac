/// Cuts bytes into the records of a format.
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

    /// Takes the next piece, or with `nil` the end, and returns the records that it completes.
    mutating func records(in bytes: [UInt8]?) -> [InputRecord] {
        var records: [InputRecord] = []
        switch self {
        case .lines(var splitter):
            // Not to be copied with the part of a line that it keeps.
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
