extension ResponseBody {
    /// The default maximum length of a line, and of an event's data: 1 MiB.
    public static let defaultMaximumLength = 1 << 20

    /// The content as text, line by line; see ``BodyLines``.
    ///
    /// A line has at most ``defaultMaximumLength`` bytes.
    public var lines: BodyLines { lines(maximumLength: Self.defaultMaximumLength) }

    /// The content as text, line by line; see ``BodyLines``.
    ///
    /// - Parameter maximumLength: the maximum length of a line in bytes, without its end. A longer
    ///   one is an error, so that a server that sends no line ends doesn't exhaust the memory.
    public func lines(maximumLength: Int) -> BodyLines {
        BodyLines(body: self, maximumLength: maximumLength)
    }
}

/// The lines of a response's content, as they arrive.
///
/// A line ends with LF, CR or CR LF, which it doesn't include; a CR ends it at once. The content's
/// end ends the last line. Empty lines are included. Text is decoded as UTF-8, whatever the
/// response's charset is: a byte order mark at the start is removed, and invalid bytes become
/// U+FFFD. One task can read the lines, once. The server has to wait for a slow reader.
public struct BodyLines: AsyncSequence, Sendable {
    /// A line.
    public typealias Element = String
    /// The error that ended the transfer.
    public typealias Failure = TransportError

    private let body: ResponseBody
    private let maximumLength: Int

    init(body: ResponseBody, maximumLength: Int) {
        self.body = body
        self.maximumLength = maximumLength
    }

    /// Starts reading.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(lines: BodyLineReader(body, limit: maximumLength))
    }

    /// Reads lines.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var lines: BodyLineReader

        /// The next line; nil at the end, and after an error.
        ///
        /// - Throws: ``TransportError/Code/responseTooLarge`` for a line that is too long, which
        ///   cancels the transfer, or the error that ended the transfer.
        public mutating func next() async throws(TransportError) -> String? {
            try await lines.next().map { String(decoding: $0, as: UTF8.self) }
        }

        /// The next line; nil at the end. It throws as ``next()``.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(TransportError) -> String? {
            try await lines.next().map { String(decoding: $0, as: UTF8.self) }
        }
    }
}
