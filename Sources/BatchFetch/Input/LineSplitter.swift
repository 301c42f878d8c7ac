/// Splits a stream of bytes into lines, in bounded memory.
///
/// A line ends with LF or CRLF; the last one may end without. Blank lines and lines that begin with
/// `#` are counted and skipped. White space around a line and a byte order mark at the start of the
/// list are dropped. Does no input or output.
package struct LineSplitter: Sendable {
    /// The maximum length of a line in bytes.
    package let maximumLength: Int
    private var number = 0
    private var partial: [UInt8] = []
    private var isTooLong = false

    package init(maximumLength: Int = 16 * 1024) {
        self.maximumLength = max(1, maximumLength)
    }

    /// Takes the next piece, and appends the completed lines to `lines`.
    package mutating func split(_ bytes: [UInt8], into lines: inout [InputLine]) {
        var start = bytes.startIndex
        while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
            if partial.isEmpty, !isTooLong, end - start <= maximumLength {
                complete(bytes[start..<end], into: &lines)
            } else {
                keep(bytes[start..<end])
                completePartial(into: &lines)
            }
            start = end + 1
        }
        keep(bytes[start...])
    }

    /// Ends the list; the remaining bytes are the last line.
    package mutating func finish(into lines: inout [InputLine]) {
        if !partial.isEmpty { completePartial(into: &lines) }
    }

    private mutating func keep(_ bytes: ArraySlice<UInt8>) {
        let free = maximumLength - partial.count
        partial.append(contentsOf: bytes.prefix(free))
        if bytes.count > free { isTooLong = true }
    }

    private mutating func completePartial(into lines: inout [InputLine]) {
        if isTooLong {
            number += 1
            if let line = Self.trimmed(partial[...]), line.first != UInt8(ascii: "#") {
                let beginning = String(decoding: line.prefix(120), as: UTF8.self)
                lines.append(InputLine(number: number, content: .tooLong(beginning: beginning)))
            }
        } else {
            complete(partial[...], into: &lines)
        }
        partial.removeAll(keepingCapacity: true)
        isTooLong = false
    }

    private mutating func complete(_ bytes: ArraySlice<UInt8>, into lines: inout [InputLine]) {
        number += 1
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = number == 1 && bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes
        guard let line = Self.trimmed(text), line.first != UInt8(ascii: "#") else { return }
        let content: InputLine.Content =
            if let text = String(validating: line, as: UTF8.self) {
                .text(text)
            } else {
                .notUTF8(repaired: String(decoding: line, as: UTF8.self))
            }
        lines.append(InputLine(number: number, content: content))
    }

    /// Returns the bytes without white space around them. Returns `nil` if nothing is left.
    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let first = bytes.firstIndex(where: { !isSpace($0) }),
            let last = bytes.lastIndex(where: { !isSpace($0) })
        else { return nil }
        return bytes[first...last]
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || (9...13).contains(byte)
    }
}
