internal import Foundation

extension ResponseStream {
    /// The default maximum length of lines and event data: 1 MiB.
    public static let defaultMaximumLength = 1024 * 1024

    /// The body as text, line by line; see ``ResponseLines``.
    ///
    /// - Parameter maximumLength: The maximum length of a line in bytes. A longer line is an error,
    ///   so that a server that sends no line ends doesn't exhaust the memory.
    public func lines(maximumLength: Int = defaultMaximumLength) -> ResponseLines {
        ResponseLines(stream: self, maximumLength: maximumLength)
    }
}

/// The lines of a response's body, as they arrive.
///
/// The body is decoded as UTF-8; invalid bytes are replaced. A line ends with LF, CR or CR LF,
/// which it doesn't include. The last line may end with the body instead. Empty lines are included.
public struct ResponseLines: AsyncSequence, Sendable {
    /// A line.
    public typealias Element = String

    private let stream: ResponseStream
    private let maximumLength: Int

    init(stream: ResponseStream, maximumLength: Int) {
        self.stream = stream
        self.maximumLength = maximumLength
    }

    /// Creates an iterator, which reads the body.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(lines: LineReader(stream, limit: maximumLength))
    }

    /// Reads lines.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var lines: LineReader

        fileprivate init(lines: LineReader) {
            self.lines = lines
        }

        /// Returns the next line; `nil` at the end.
        ///
        /// - Throws: The transport's error; for a line that is too long, an error of
        ///   ``URLResponseSerializationErrorDomain`` with the code of
        ///   `URLError.dataLengthExceedsMaximum`.
        public mutating func next() async throws -> String? {
            try await lines.next().map { String(decoding: $0, as: UTF8.self) }
        }

        /// Returns the next line; `nil` at the end.
        ///
        /// It throws the same errors as ``next()``.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws -> String? {
            try await next()
        }
    }
}
