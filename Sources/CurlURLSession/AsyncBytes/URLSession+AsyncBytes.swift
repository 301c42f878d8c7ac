internal import Foundation

extension URLSession {
    /// The content of a response, byte by byte, as it comes.
    ///
    /// It can be read once, by one Swift task. While nobody reads, the server has to wait. Letting go
    /// of it before its end, and cancelling the Swift task that reads, cancels the URL task.
    public struct AsyncBytes: AsyncSequence, Sendable {
        /// A byte.
        public typealias Element = UInt8

        private let lifeline: Lifeline

        init(task: URLSessionDataTask) {
            lifeline = Lifeline(task: task)
        }

        /// The task that loads the content.
        public var task: URLSessionDataTask { lifeline.task }

        /// Starts reading.
        public func makeAsyncIterator() -> Iterator {
            Iterator(lifeline: lifeline)
        }

        /// Reads a response's content.
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

        /// Held by all who may still read; with the last of them the task goes.
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
    /// The content as text, line by line; see ``AsyncLineSequence``.
    public var lines: AsyncLineSequence<URLSession.AsyncBytes> {
        AsyncLineSequence(self)
    }
}
