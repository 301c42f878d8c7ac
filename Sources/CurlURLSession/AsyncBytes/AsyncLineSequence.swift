/// The lines of a text that comes byte by byte in UTF-8.
///
/// A line ends with a line feed, a carriage return, or both in this order; the last one perhaps with the
/// text. Line ends aren't part of lines, and lines without characters are lines. What isn't UTF-8 is
/// repaired.
public struct AsyncLineSequence<Base: AsyncSequence>: AsyncSequence where Base.Element == UInt8 {
    /// A line.
    public typealias Element = String

    private let base: Base

    init(_ base: Base) {
        self.base = base
    }

    /// Starts reading.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(base.makeAsyncIterator())
    }

    /// Reads lines.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var base: Base.AsyncIterator
        private var line: [UInt8] = []
        /// A line feed that is next belongs to the line end before it.
        private var skipsLineFeed = false

        fileprivate init(_ base: Base.AsyncIterator) {
            self.base = base
        }

        /// The next line; `nil` at the end.
        public mutating func next() async throws -> String? {
            line.removeAll(keepingCapacity: true)
            while let byte = try await base.next(isolation: #isolation) {
                let isSecondHalf = skipsLineFeed && byte == UInt8(ascii: "\n")
                skipsLineFeed = false
                if isSecondHalf { continue }
                switch byte {
                case UInt8(ascii: "\n"):
                    return text
                case UInt8(ascii: "\r"):
                    skipsLineFeed = true
                    return text
                default:
                    line.append(byte)
                }
            }
            return line.isEmpty ? nil : text
        }

        private var text: String { String(decoding: line, as: UTF8.self) }
    }
}

extension AsyncLineSequence: Sendable where Base: Sendable {}
