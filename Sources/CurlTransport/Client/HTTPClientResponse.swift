public import HTTPTypes

/// A response: its complete head, and its body as a stream.
public struct HTTPClientResponse: Sendable {
    /// The response's head.
    public let head: ResponseHead

    /// The content.
    public let body: ResponseBody

    init(head: ResponseHead, exchange: ClientExchange) {
        self.head = head
        body = ResponseBody(exchange: exchange)
    }

    /// The status code, from 200 to 999.
    public var statusCode: Int { head.statusCode }

    /// The status code with the reason phrase, if the server sent one.
    public var status: HTTPResponse.Status { head.status }

    /// The header fields, read from the head's bytes each time.
    public var headerFields: HTTPFields { head.headerFields }

    /// The request that this response answers: the last one after redirects.
    public var request: HTTPRequest { body.exchange.request }

    /// The URL that this response came from: the last one after redirects.
    public var url: String { request.url ?? "" }

    /// The duration of each phase, and the connection used; nil until the body has ended.
    public var metrics: TransferMetrics? { body.exchange.metrics }

    /// The trailer fields (RFC 9110 section 6.5); nil before the body's end, or if there are none.
    public var trailers: HTTPFields? { body.exchange.trailers }
}

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

    let exchange: ClientExchange
    private let lifeline: Lifeline

    init(exchange: ClientExchange) {
        self.exchange = exchange
        lifeline = Lifeline(exchange: exchange)
    }

    /// Reads the whole content.
    ///
    /// - Parameter limit: the maximum size in bytes, decoded. The transfer is cancelled beyond it.
    /// - Throws: ``TransportError/Code/responseTooLarge`` beyond the limit, or any other error of
    ///   the transfer.
    public func collect(upTo limit: Int) async throws(TransportError) -> [UInt8] {
        defer { extendLifetime(lifeline) }
        return try await exchange.collect(upTo: limit)
    }

    /// Starts reading.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(exchange: exchange, lifeline: lifeline)
    }

    /// Reads a response's content chunk by chunk.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let exchange: ClientExchange
        let lifeline: Lifeline

        /// The next chunk, which is never empty; nil at the end.
        ///
        /// - Throws: the error that ended the transfer before the end of the body,
        ///   ``TransportError/Code/cancelled`` if the task is cancelled, or
        ///   ``TransportError/Code/invalidRequest`` if another iterator has begun to read.
        public mutating func next() async throws(TransportError) -> [UInt8]? {
            try await exchange.nextChunk()
        }

        /// The next chunk, which is never empty; nil at the end.
        ///
        /// - Throws: the error that ended the transfer before the end of the body, or
        ///   ``TransportError/Code/cancelled`` if the task is cancelled.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(TransportError) -> [UInt8]? {
            try await exchange.nextChunk()
        }
    }

    /// Shared by all objects that may still read. Releasing the last reference cancels the
    /// transfer.
    final class Lifeline: Sendable {
        let exchange: ClientExchange

        init(exchange: ClientExchange) {
            self.exchange = exchange
        }

        deinit {
            exchange.abandon()
        }
    }
}
