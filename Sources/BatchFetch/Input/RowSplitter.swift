/// Splits bytes into CSV or TSV rows (RFC 4180), in bounded memory.
///
/// A quoted field may contain separators, line ends and doubled quotes. A row ends with LF or CRLF;
/// the last one may end without. Blank rows and a byte order mark at the start of the list are
/// skipped. A malformed row is reported with its line number, and the next row starts at the next
/// line. Does no input or output.
struct RowSplitter: Sendable {
    private enum Place {
        case atStartOfField
        case withinPlain
        case withinQuotes
        /// After a quote in a quoted field. It is the first of two quotes, or the closing quote.
        case behindQuote
        /// In a malformed row, until its end.
        case skipping
    }

    let separator: UInt8
    let maximumLength: Int
    private var place = Place.atStartOfField
    private var line = 1
    private var startLine = 1
    private var length = 0
    private var field: [UInt8] = []
    private var fields: [[UInt8]] = []
    private var problem: String?
    private var isFirst = true

    init(separator: UInt8, maximumLength: Int) {
        self.separator = separator
        self.maximumLength = maximumLength
    }

    /// Takes the next piece, and appends the rows that it completes.
    mutating func split(_ bytes: [UInt8], into rows: inout [InputRecord]) {
        for byte in bytes { take(byte, &rows) }
    }

    /// Ends the list; the remaining bytes are the last row.
    mutating func finish(into rows: inout [InputRecord]) {
        if place == .withinQuotes {
            problem = "a quote that is opened here is never closed"
        }
        endRow(&rows)
    }

    private mutating func take(_ byte: UInt8, _ rows: inout [InputRecord]) {
        let isLineEnd = byte == UInt8(ascii: "\n")
        if isLineEnd { line += 1 }
        length += 1
        if length > maximumLength, place != .skipping {
            giveUp("the row has more than \(maximumLength) bytes: is a quote never closed?")
        }
        switch place {
        case .withinQuotes:
            if byte == UInt8(ascii: "\"") { place = .behindQuote } else { field.append(byte) }
        case _ where isLineEnd:
            endRow(&rows)
        case .skipping:
            break
        case .atStartOfField where byte == UInt8(ascii: "\""):
            place = .withinQuotes
        case .behindQuote where byte == UInt8(ascii: "\""):
            field.append(byte)
            place = .withinQuotes
        case _ where byte == separator:
            endField()
        case .behindQuote:
            if byte != UInt8(ascii: "\r") {
                giveUp("text follows a closing quote: double the quotes within a field")
            }
        case .atStartOfField, .withinPlain:
            field.append(byte)
            place = .withinPlain
        }
    }

    private mutating func giveUp(_ reason: String) {
        problem = reason
        place = .skipping
        fields.removeAll(keepingCapacity: true)
        field.removeAll(keepingCapacity: true)
    }

    private mutating func endField() {
        fields.append(field)
        field.removeAll(keepingCapacity: true)
        place = .atStartOfField
    }

    private mutating func endRow(_ rows: inout [InputRecord]) {
        if place == .withinPlain, field.last == UInt8(ascii: "\r") { field.removeLast() }
        let isBlank = fields.isEmpty && field.isEmpty && place != .behindQuote
        if let problem {
            rows.append(InputRecord(line: startLine, content: .damaged(problem)))
        } else if !isBlank {
            endField()
            rows.append(InputRecord(line: startLine, content: content()))
        }
        problem = nil
        fields.removeAll(keepingCapacity: true)
        field.removeAll(keepingCapacity: true)
        place = .atStartOfField
        length = 0
        startLine = line
    }

    private mutating func content() -> InputRecord.Content {
        if isFirst {
            isFirst = false
            let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
            if fields[0].starts(with: mark) { fields[0].removeFirst(mark.count) }
        }
        var texts: [String] = []
        for field in fields {
            guard let text = String(validating: field, as: UTF8.self) else {
                return .damaged("it is not UTF-8")
            }
            texts.append(text)
        }
        return .row(texts)
    }
}
