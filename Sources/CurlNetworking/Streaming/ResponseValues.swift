public import Foundation

extension ResponseStream {
    /// The body as values, of which each line has one: newline-delimited JSON.
    ///
    /// ```swift
    /// for try await change in stream.values(of: Change.self) { apply(change) }
    /// ```
    ///
    /// - Parameters:
    ///   - type: What is decoded.
    ///   - decoder: Which isn't to be changed any more; for JSON by default.
    ///   - maximumLength: How many bytes a line may have.
    public func values<Value: Decodable & Sendable>(
        of type: Value.Type = Value.self,
        decoder: any ResponseDecoder = JSONDecoder(),
        maximumLength: Int = defaultMaximumLength
    ) -> ResponseValues<Value> {
        ResponseValues(stream: self, decoder: decoder, maximumLength: maximumLength)
    }
}

/// The values that the lines of a response's body stand for, as they come. Lines without anything but
/// spaces are passed over.
public struct ResponseValues<Value: Decodable & Sendable>: AsyncSequence, Sendable {
    /// A line's value.
    public typealias Element = Value

    private let stream: ResponseStream
    private let decoder: any ResponseDecoder
    private let maximumLength: Int

    init(stream: ResponseStream, decoder: any ResponseDecoder, maximumLength: Int) {
        self.stream = stream
        self.decoder = decoder
        self.maximumLength = maximumLength
    }

    /// Starts reading.
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

        /// The next line's value; `nil` at the end.
        ///
        /// - Throws: The transport's error; the decoder's, or that a line is too long, which end the
        ///   transfer.
        public mutating func next() async throws -> Value? {
            while let line = try await lines.next() {
                guard !line.allSatisfy(Self.isSpace) else { continue }
                return try source.fail { try decoder.decode(Value.self, from: Data(line)) }
            }
            return nil
        }

        /// The next line's value; `nil` at the end. It throws as ``next()`` does.
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
