public import HTTPTypes

/// The content of a response, as a sequence of chunks.
///
/// One task can read it, once. While no task reads, the client buffers at most about 512 KiB (twice
/// ``TransferOptions/receiveBufferSize`` if that is more), plus the memory of the last chunk, and
/// the server has to wait. Releasing the body before its end cancels the transfer.
///
/// A waiting reader gets the buffered bytes as soon as no more are ready to be received. If the
/// body is long, the reader gets them when half of the buffer is full, or when nothing has arrived
/// for a millisecond.
public struct ResponseBody: AsyncSequence, Sendable {
    /// A chunk, never empty.
    public typealias Element = [UInt8]
    /// The error that ended the transfer.
    public typealias Failure = TransportError

    private let source: Source

    init(exchange: ClientExchange) {
        source = .transfer(Lifeline(exchange: exchange))
    }

    /// Creates content from bytes, for stubs and middleware. Default: none.
    ///
    /// - Parameter end: the trailer fields and the metrics.
    public init(_ bytes: [UInt8] = [], end: ResponseEnd = ResponseEnd()) {
        source = .program(ChunkSource(SingleChunk(bytes: bytes), end: { end }))
    }

    /// Creates content from a sequence of chunks, for stubs and middleware.
    ///
    /// The sequence is iterated in the reader's task, once, at the pace of the reader.
    /// Empty chunks are skipped. To change the content of another response, iterate its body in the
    /// sequence, and return its `metrics` and `trailers` from `end`.
    ///
    /// - Parameters:
    ///   - chunks: an error that it throws becomes the ``TransportError/underlying`` of an error
    ///     with the code ``TransportError/Code/unknown``; a ``TransportError`` stays as it is.
    ///   - end: called once, after the last chunk.
    public init<Chunks: AsyncSequence & Sendable>(
        chunks: Chunks,
        end: @escaping @Sendable () -> ResponseEnd = { ResponseEnd() }
    ) where Chunks.Element == [UInt8] {
        source = .program(ChunkSource(chunks, end: end))
    }

    /// The transfer that this is the content of; nil if the program has made it.
    var exchange: ClientExchange? {
        if case .transfer(let lifeline) = source { lifeline.exchange } else { nil }
    }

    /// What is known after the end; nil before it.
    var end: ResponseEnd? {
        switch source {
        case .transfer(let lifeline): lifeline.exchange.end
        case .program(let chunks): chunks.end
        }
    }

    /// Reads the whole content.
    ///
    /// - Parameter limit: the maximum size in bytes, decoded. The transfer is cancelled beyond it.
    /// - Throws: ``TransportError/Code/responseTooLarge`` beyond the limit, or any other error of
    ///   the transfer.
    public func collect(upTo limit: Int) async throws(TransportError) -> [UInt8] {
        switch source {
        case .transfer(let lifeline):
            defer { extendLifetime(lifeline) }
            return try await lifeline.exchange.collect(upTo: limit)
        case .program(let chunks):
            return try await chunks.collect(upTo: limit)
        }
    }

    /// Starts reading.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(source: source)
    }

    /// Reads a response's content chunk by chunk.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let source: Source

        /// The next chunk, which is never empty; nil at the end.
        ///
        /// - Throws: the error that ended the transfer before the end of the body,
        ///   ``TransportError/Code/cancelled`` if the task is cancelled, or
        ///   ``TransportError/Code/invalidRequest`` if another iterator has begun to read.
        public mutating func next() async throws(TransportError) -> [UInt8]? {
            try await source.next()
        }

        /// The next chunk, which is never empty; nil at the end.
        ///
        /// - Throws: the error that ended the transfer before the end of the body, or
        ///   ``TransportError/Code/cancelled`` if the task is cancelled.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(TransportError) -> [UInt8]? {
            try await source.next()
        }
    }

    /// Where the chunks come from.
    fileprivate enum Source: Sendable {
        case transfer(Lifeline)
        case program(ChunkSource)

        func next() async throws(TransportError) -> [UInt8]? {
            switch self {
            case .transfer(let lifeline): try await lifeline.exchange.nextChunk()
            case .program(let chunks): try await chunks.next()
            }
        }
    }

    /// Shared by all objects that may still read. Releasing the last reference cancels the
    /// transfer.
    fileprivate final class Lifeline: Sendable {
        let exchange: ClientExchange

        init(exchange: ClientExchange) {
            self.exchange = exchange
        }

        deinit {
            exchange.abandon()
        }
    }
}

/// What is known about a response after its body's end.
public struct ResponseEnd: Sendable, Hashable {
    /// The trailer fields (RFC 9110 section 6.5); nil if there are none.
    public var trailers: HTTPFields?

    /// The durations, the sizes and the connection; nil if they weren't measured.
    public var metrics: TransferMetrics?

    /// Creates an end.
    public init(trailers: HTTPFields? = nil, metrics: TransferMetrics? = nil) {
        self.trailers = trailers
        self.metrics = metrics
    }
}
