/// Splits text that arrives in pieces into lines.
///
/// It is a pure value: bytes in, lines out. A line ends with LF, CR or CR LF, which may be split
/// between two pieces. A line that ends with CR is returned at once. Lines don't include their line
/// ends. A byte order mark at the beginning is removed.
package struct LineParser: Sendable {
    /// An error for a line that exceeds the limit in bytes.
    package struct LineTooLong: Error, Equatable {
        package let limit: Int

        package init(limit: Int) {
            self.limit = limit
        }
    }

    private let limit: Int
    private var piece: [UInt8] = []
    private var position = 0
    /// The beginning of an incomplete line, from earlier pieces.
    private var partial: [UInt8] = []
    /// Whether a line feed that follows belongs to the previous line end.
    private var skipsLineFeed = false
    private var isFirst = true

    private static let (lineFeed, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))
    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// - Parameter limit: The maximum length of a line in bytes, without its end.
    package init(limit: Int) {
        self.limit = limit
    }

    /// Appends more text, after ``next()`` has returned `nil`.
    package mutating func append(_ bytes: [UInt8]) {
        if position < piece.count {
            piece.removeSubrange(..<position)
            piece += bytes
        } else {
            piece = bytes
        }
        position = 0
    }

    /// Returns the next complete line; `nil` if more text is needed.
    package mutating func next() throws(LineTooLong) -> [UInt8]? {
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

    /// Returns the last line, if no line end follows it.
    package mutating func finish() throws(LineTooLong) -> [UInt8]? {
        guard !partial.isEmpty else { return nil }
        let line = take([])
        guard line.count <= limit else { throw LineTooLong(limit: limit) }
        return line.isEmpty ? nil : line
    }

    private var lineEnd: Int? {
        piece[position...].firstIndex { $0 == Self.lineFeed || $0 == Self.carriageReturn }
    }

    /// The limit of an incomplete line; a byte order mark isn't counted.
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
