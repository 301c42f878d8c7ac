internal import AsyncAlgorithms
internal import Hummingbird
package import NIOCore
internal import Synchronization

/// The content of a client's request, as a client of the gateway reads it, at its own pace.
///
/// hummingbird reads the next request of the connection after the response, and no two tasks may
/// read a connection at the same time. So a task of this content's own reads it, and the gateway
/// calls ``stop()`` or ``cancel()`` before it ends the response. A client's own tasks don't read it,
/// because it may cancel them, and cancelling a task that reads a connection ends the connection.
package final class UploadBody: AsyncSequence, Sendable {
    package typealias Element = ByteBuffer

    private struct State {
        var reader: Task<Void, Never>?
        var isComplete = false
        var isClosed = false
    }

    /// Its length in bytes; nil if the client hasn't announced it.
    package let length: Int64?
    private let body: RequestBody
    private let parts = AsyncThrowingChannel<ByteBuffer, any Error>()
    private let state = Mutex(State())

    init(_ body: RequestBody, length: Int64?) {
        self.body = body
        self.length = length
    }

    package struct Iterator: AsyncIteratorProtocol {
        private var parts: AsyncThrowingChannel<ByteBuffer, any Error>.Iterator

        fileprivate init(_ parts: AsyncThrowingChannel<ByteBuffer, any Error>) {
            self.parts = parts.makeAsyncIterator()
        }

        package mutating func next() async throws -> ByteBuffer? { try await parts.next() }
    }

    package func makeAsyncIterator() -> Iterator {
        state.withLock { state in
            guard state.reader == nil, !state.isClosed else { return }
            state.reader = Task { await read() }
        }
        return Iterator(parts)
    }

    /// Whether it is being read, and hasn't come whole.
    var isUnfinished: Bool {
        state.withLock { $0.reader != nil && !$0.isComplete }
    }

    /// Stops the reading after the part that is being read. hummingbird skips the others.
    func stop() async {
        await close()?.value
    }

    /// Stops the reading at once. If the content hasn't come whole, hummingbird closes the
    /// connection after the response.
    func cancel() async {
        let reader = close()
        if isUnfinished { reader?.cancel() }
        await reader?.value
    }

    private func close() -> Task<Void, Never>? {
        let reader = state.withLock { state in
            state.isClosed = true
            return state.reader
        }
        parts.fail(CancellationError())
        return reader
    }

    private func read() async {
        var received: Int64 = 0
        do {
            var iterator = body.makeAsyncIterator()
            // After the last byte, hummingbird reads the end itself.
            while received != length, let part = try await iterator.next() {
                received += Int64(part.readableBytes)
                if received == length { complete() }
                await parts.send(part)
                if state.withLock({ $0.isClosed }) { return }
            }
            guard !Task.isCancelled else { return }
            complete()
            parts.finish()
        } catch {
            parts.fail(error)
        }
    }

    private func complete() {
        state.withLock { $0.isComplete = true }
    }
}
