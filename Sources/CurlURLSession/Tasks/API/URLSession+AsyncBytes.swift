internal import Foundation

extension URLSession {
    /// The body of a response, as an asynchronous sequence of bytes.
    ///
    /// Only one Swift task can read it, and only once. While no consumer reads, the server has to
    /// wait. Releasing the sequence before its end cancels the URL task, and so does cancelling the
    /// Swift task that reads.
    public struct AsyncBytes: AsyncSequence, Sendable {
        /// A byte.
        public typealias Element = UInt8

        private let lifeline: Lifeline

        init(task: URLSessionDataTask) {
            lifeline = Lifeline(task: task)
        }

        /// The task that loads the body.
        public var task: URLSessionDataTask { lifeline.task }

        /// Starts reading.
        public func makeAsyncIterator() -> Iterator {
            Iterator(lifeline: lifeline)
        }

        /// Iterates over the bytes of a response body.
        public struct Iterator: AsyncIteratorProtocol {
            private let lifeline: Lifeline
            @usableFromInline var chunk: [UInt8] = []
            @usableFromInline var position = 0

            fileprivate init(lifeline: Lifeline) {
                self.lifeline = lifeline
            }

            /// The next byte; `nil` at the end.
            ///
            /// - Throws: `URLError`.
            @inlinable
            public mutating func next() async throws -> UInt8? {
                if position < chunk.count {
                    let byte = chunk[position]
                    position += 1
                    return byte
                }
                return try await nextOfAnotherChunk()
            }

            /// The next byte; `nil` at the end.
            ///
            /// - Throws: `URLError`.
            @inlinable
            public mutating func next(
                isolation actor: isolated (any Actor)?
            ) async throws -> UInt8? {
                if position < chunk.count {
                    let byte = chunk[position]
                    position += 1
                    return byte
                }
                return try await nextOfAnotherChunk()
            }

            @usableFromInline
            mutating func nextOfAnotherChunk() async throws -> UInt8? {
                guard let data = try await lifeline.task.core.nextChunk() else { return nil }
                chunk = [UInt8](data)
                position = 1
                return chunk.first
            }
        }

        /// Cancels the task when the last sequence or iterator is released.
        fileprivate final class Lifeline: Sendable {
            let task: URLSessionDataTask

            init(task: URLSessionDataTask) {
                self.task = task
            }

            deinit {
                task.core.cancel()
            }
        }
    }
}

extension URLSession.AsyncBytes {
    /// The body as lines of text; see ``AsyncLineSequence``.
    public var lines: AsyncLineSequence<URLSession.AsyncBytes> {
        AsyncLineSequence(self)
    }
}
