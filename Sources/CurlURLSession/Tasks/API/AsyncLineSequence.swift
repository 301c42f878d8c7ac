/// The lines of UTF-8 text that arrives byte by byte.
///
/// A line ends with a line feed, a carriage return, or a carriage return and a line feed. The last
/// line may end with the text instead. Line terminators aren't part of the lines. Empty lines are
/// included. Invalid UTF-8 is replaced by U+FFFD.
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
        /// Whether a line feed that is next belongs to the previous line's end.
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
