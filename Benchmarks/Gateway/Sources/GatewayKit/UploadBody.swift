internal import Hummingbird
package import NIOCore
internal import Synchronization

/// The content of a client's request, as a client of the gateway reads it, at its own pace.
///
/// Two tasks read a connection: the one that sends this content to the upstream, and hummingbird's,
/// which reads the next request after the response. They mustn't at the same time. So the gateway
/// calls ``close()`` before it ends the response.
package final class UploadBody: AsyncSequence, Sendable {
    package typealias Element = ByteBuffer

    private enum State {
        case idle
        case reading
        case closing(CheckedContinuation<Void, Never>)
        case closed
    }

    /// Its length in bytes; nil if the client hasn't announced it.
    package let length: Int64?
    private let body: RequestBody
    private let state = Mutex(State.idle)

    init(_ body: RequestBody, length: Int64?) {
        self.body = body
        self.length = length
    }

    package func makeAsyncIterator() -> Iterator {
        Iterator(upload: self, iterator: body.makeAsyncIterator())
    }

    package struct Iterator: AsyncIteratorProtocol {
        fileprivate let upload: UploadBody
        fileprivate var iterator: RequestBody.AsyncIterator

        package mutating func next() async throws -> ByteBuffer? {
            try upload.begin()
            defer { upload.end() }
            return try await iterator.next()
        }
    }

    /// Ends the reading, and waits for the read in progress.
    func close() async {
        await withCheckedContinuation { continuation in
            let isReading = state.withLock { state in
                guard case .reading = state else {
                    state = .closed
                    return false
                }
                state = .closing(continuation)
                return true
            }
            if !isReading { continuation.resume() }
        }
    }

    private func begin() throws {
        try state.withLock { state in
            guard case .idle = state else { throw CancellationError() }
            state = .reading
        }
    }

    private func end() {
        let waiting: CheckedContinuation<Void, Never>? = state.withLock { state in
            if case .closing(let continuation) = state {
                state = .closed
                return continuation
            }
            state = .idle
            return nil
        }
        waiting?.resume()
    }
}
