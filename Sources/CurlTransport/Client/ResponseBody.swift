/// The content of a response, in chunks as they come.
///
/// It can be read once, by one task. While nobody reads, no more than a window of some 512 KiB (twice
/// ``TransferOptions/receiveBufferSize`` where that is more) is kept in memory, beside the memory of
/// the chunk that was read last, and the server has to wait. Letting go of it before its end cancels
/// the transfer.
///
/// A reader that waits is given what has come as soon as nothing more is ready; of a long body, when
/// half of the window is there, or nothing has come for a millisecond.
public struct ResponseBody: AsyncSequence, Sendable {
    /// A chunk, never empty.
    public typealias Element = [UInt8]
    /// What ends a transfer.
    public typealias Failure = TransportError

    let exchange: ClientExchange
    private let lifeline: Lifeline

    init(exchange: ClientExchange) {
        self.exchange = exchange
        lifeline = Lifeline(exchange: exchange)
    }

    /// Reads the whole content.
    ///
    /// - Parameter limit: how many bytes it may have, decoded, before the transfer is ended.
    /// - Throws: ``TransportError/Code/responseTooLarge`` beyond the limit, and whatever else ends
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
        public mutating func next() async throws(TransportError) -> [UInt8]? {
            try await exchange.nextChunk()
        }

        /// The next chunk, which is never empty; nil at the end.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(TransportError) -> [UInt8]? {
            try await exchange.nextChunk()
        }
    }

    /// Held by all who may still read; with the last of them the transfer goes.
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
