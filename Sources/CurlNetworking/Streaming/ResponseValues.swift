public import Foundation

extension ResponseStream {
    /// The body as values, one for each line: newline-delimited JSON.
    ///
    /// ```swift
    /// for try await change in stream.values(of: Change.self) { apply(change) }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - decoder: The decoder, for JSON by default. Don't change it afterwards.
    ///   - maximumLength: The maximum length of a line in bytes.
    public func values<Value: Decodable & Sendable>(
        of type: Value.Type = Value.self,
        decoder: any ResponseDecoder = JSONDecoder(),
        maximumLength: Int = defaultMaximumLength
    ) -> ResponseValues<Value> {
        ResponseValues(stream: self, decoder: decoder, maximumLength: maximumLength)
    }
}

/// The values in the lines of a response's body, as they arrive.
///
/// Lines that are empty or contain only spaces and tabs are skipped.
public struct ResponseValues<Value: Decodable & Sendable>: AsyncSequence, Sendable {
    /// The value of a line.
    public typealias Element = Value

    private let stream: ResponseStream
    private let decoder: any ResponseDecoder
    private let maximumLength: Int

    init(stream: ResponseStream, decoder: any ResponseDecoder, maximumLength: Int) {
        self.stream = stream
        self.decoder = decoder
        self.maximumLength = maximumLength
    }

    /// Creates an iterator, which reads the body.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(
            lines: LineReader(stream, limit: maximumLength),
            source: stream.source,
            decoder: decoder
        )
    }

    /// Reads values.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var lines: LineReader
        private let source: StreamSource
        private let decoder: any ResponseDecoder

        fileprivate init(lines: LineReader, source: StreamSource, decoder: any ResponseDecoder) {
            self.lines = lines
            self.source = source
            self.decoder = decoder
        }

        /// Returns the next line's value; `nil` at the end.
        ///
        /// - Throws: The transport's error; the decoder's error, or an error for a line that is too
        ///   long, both of which end the transfer.
        public mutating func next() async throws -> Value? {
            while let line = try await lines.next() {
                guard !line.allSatisfy(Self.isSpace) else { continue }
                return try source.fail { try decoder.decode(Value.self, from: Data(line)) }
            }
            return nil
        }

        /// Returns the next line's value; `nil` at the end.
        ///
        /// It throws the same errors as ``next()``.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws -> Value? {
            try await next()
        }

        private static func isSpace(_ byte: UInt8) -> Bool {
            byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
        }
    }
}
