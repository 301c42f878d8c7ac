public import CurlURLSession
public import Foundation

/// A response whose body is read as it comes: the response first, then pieces, lines, values or events.
///
/// ```swift
/// let stream = try await manager.stream(for: request)
/// for try await line in stream.lines() { print(line) }
/// ```
///
/// The body isn't kept anywhere. While nobody reads, no more than some 256 KiB of it are taken from the
/// server. It can be read once, by one Swift task. Cancelling that, ``cancel()``, and letting go of the
/// stream and all that reads it before the end, cancel the transfer.
public struct ResponseStream: AsyncSequence, Sendable {
    /// A piece of the body, decoded, as large as what has come meanwhile.
    public typealias Element = Data

    /// The response, which was found acceptable.
    public let response: URLResponse
    let source: StreamSource

    init(response: URLResponse, source: StreamSource) {
        self.response = response
        self.source = source
    }

    /// The task that loads it. Its progress and its metrics are told as those of all tasks are.
    public var task: URLSessionDataTask { source.task }

    /// Ends the transfer: whoever reads gets `URLError.cancelled`.
    public func cancel() {
        task.cancel()
    }

    /// Starts reading.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(source: source)
    }

    /// Reads a response's body piece by piece.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let source: StreamSource

        /// The next piece, which isn't empty; `nil` at the end.
        ///
        /// - Throws: The transport's error.
        public mutating func next() async throws -> Data? {
            try await source.next()
        }

        /// The next piece, which isn't empty; `nil` at the end.
        ///
        /// - Throws: The transport's error.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws -> Data? {
            try await source.next()
        }
    }
}
