public import CurlURLSession
public import Foundation

/// A response whose body is read as it arrives.
///
/// Its body can be read as pieces, lines, values or events.
///
/// ```swift
/// let stream = try await manager.stream(for: request)
/// for try await line in stream.lines() { print(line) }
/// ```
///
/// The body isn't stored. If no consumer reads, at most about 768 KiB of it are received from the
/// server. The body can be read once, by one Swift task. The transfer is cancelled before its end
/// by cancelling that task, by ``cancel()``, and by releasing the stream and all of its iterators.
public struct ResponseStream: AsyncSequence, Sendable {
    /// A decoded piece of the body.
    ///
    /// It contains what has arrived since the last one.
    public typealias Element = Data

    /// The response, which is acceptable.
    public let response: URLResponse
    let source: StreamSource

    init(response: URLResponse, source: StreamSource) {
        self.response = response
        self.source = source
    }

    /// The task that loads the response.
    ///
    /// Its progress and metrics are reported as for any task.
    public var task: URLSessionDataTask { source.task }

    /// Cancels the transfer. The reader receives `URLError.cancelled`.
    public func cancel() {
        task.cancel()
    }

    /// Creates an iterator, which reads the body.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(source: source)
    }

    /// Reads a response's body piece by piece.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let source: StreamSource

        /// Returns the next piece, which isn't empty; `nil` at the end.
        ///
        /// - Throws: The transport's error.
        public mutating func next() async throws -> Data? {
            try await source.next()
        }

        /// Returns the next piece, which isn't empty; `nil` at the end.
        ///
        /// - Throws: The transport's error.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws -> Data? {
            try await source.next()
        }
    }
}
