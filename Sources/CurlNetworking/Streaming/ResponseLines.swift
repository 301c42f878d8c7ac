internal import Foundation

extension ResponseStream {
    /// How many bytes a line, or an event's data, may have unless somebody says otherwise: a MiB.
    public static let defaultMaximumLength = 1024 * 1024

    /// The body as text, line by line; see ``ResponseLines``.
    ///
    /// - Parameter maximumLength: How many bytes a line may have. A longer one is an error, so that a
    ///   server that sends no line ends doesn't fill the memory.
    public func lines(maximumLength: Int = defaultMaximumLength) -> ResponseLines {
        ResponseLines(stream: self, maximumLength: maximumLength)
    }
}

/// The lines of a response's body, as they come.
///
/// The body is taken for UTF-8, and what isn't is repaired. A line ends with LF, CR or CR LF, which aren't
/// part of it; the last one perhaps with the body. Empty lines are lines.
public struct ResponseLines: AsyncSequence, Sendable {
    /// A line.
    public typealias Element = String

    private let stream: ResponseStream
    private let maximumLength: Int

    init(stream: ResponseStream, maximumLength: Int) {
        self.stream = stream
        self.maximumLength = maximumLength
    }

    /// Starts reading.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(lines: LineReader(stream, limit: maximumLength))
    }

    /// Reads lines.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var lines: LineReader

        fileprivate init(lines: LineReader) {
            self.lines = lines
        }

        /// The next line; `nil` at the end.
        ///
        /// - Throws: The transport's error; or, for a line that is too long, one of
        ///   ``URLResponseSerializationErrorDomain`` with the code of
        ///   `URLError.dataLengthExceedsMaximum`.
        public mutating func next() async throws -> String? {
            try await lines.next().map { String(decoding: $0, as: UTF8.self) }
        }

        /// The next line; `nil` at the end. It throws as ``next()`` does.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws -> String? {
            try await next()
        }
    }
}
