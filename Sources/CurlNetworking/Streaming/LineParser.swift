/// Takes a text apart that comes in pieces, into lines: a pure value, bytes in, lines out.
///
/// A line ends with LF, CR, or CR LF, be that split between two pieces; a line that ends with CR is there
/// at once. Line ends aren't part of lines. A byte order mark at the beginning is left out.
struct LineParser: Sendable {
    /// A line has more bytes than it may.
    struct LineTooLong: Error, Equatable {
        let limit: Int
    }

    private let limit: Int
    private var piece: [UInt8] = []
    private var position = 0
    /// What former pieces have of the line that isn't complete.
    private var partial: [UInt8] = []
    /// A line feed that is next belongs to the line end before it.
    private var skipsLineFeed = false
    private var isFirst = true

    private static let (lineFeed, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))
    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// - Parameter limit: How many bytes a line may have, without its end.
    init(limit: Int) {
        self.limit = limit
    }

    /// Takes more of the text, once ``next()`` has none.
    mutating func append(_ bytes: [UInt8]) {
        if position < piece.count {
            piece.removeSubrange(..<position)
            piece += bytes
        } else {
            piece = bytes
        }
        position = 0
    }

    /// The next complete line; `nil` where more of the text is needed.
    mutating func next() throws(LineTooLong) -> [UInt8]? {
        if skipsLineFeed, position < piece.count {
            skipsLineFeed = false
            if piece[position] == Self.lineFeed { position += 1 }
        }
        guard let end = lineEnd else {
            partial += piece[position...]
            position = piece.count
            guard partial.count <= allowed else { throw LineTooLong(limit: limit) }
            return nil
        }
        let line = take(piece[position..<end])
        skipsLineFeed = piece[end] == Self.carriageReturn
        position = end + 1
        guard line.count <= limit else { throw LineTooLong(limit: limit) }
        return line
    }

    /// The last line, at the end of the text, where no line end follows it.
    mutating func finish() throws(LineTooLong) -> [UInt8]? {
        guard !partial.isEmpty else { return nil }
        let line = take([])
        guard line.count <= limit else { throw LineTooLong(limit: limit) }
        return line.isEmpty ? nil : line
    }

    private var lineEnd: Int? {
        piece[position...].firstIndex { $0 == Self.lineFeed || $0 == Self.carriageReturn }
    }

    /// Of a line that isn't complete; a mark doesn't count.
    private var allowed: Int {
        let sum = limit.addingReportingOverflow(isFirst ? Self.mark.count : 0)
        return sum.overflow ? .max : sum.partialValue
    }

    private mutating func take(_ rest: ArraySlice<UInt8>) -> [UInt8] {
        var line = partial
        partial = []
        line += rest
        if isFirst, line.starts(with: Self.mark) { line.removeFirst(Self.mark.count) }
        isFirst = false
        return line
    }
}
