internal import Dispatch
internal import Foundation
internal import Synchronization

/// Reads an input stream on a thread that may block.
///
/// It opens the stream with the first read, unless the owner has, and closes it when it is
/// deinitialised.
final class BodyStreamReader: Sendable {
    private struct State {
        var isOpen = false
        /// The bytes read and not yet taken.
        var chunk: [UInt8] = []
    }

    private let stream: BodyStream
    /// A separate serial queue, because a stream may block for any time. Dispatch gives serial
    /// queues threads that neither concurrent queues nor operation queues use up.
    private let queue = DispatchQueue(label: "curl-body-stream")
    private let state = Mutex(State())

    private static let chunk = 64 * 1024

    init(_ stream: BodyStream) {
        self.stream = stream
    }

    deinit {
        if state.withLock({ $0.isOpen }) { stream.stream.close() }
    }

    /// Waits for the next bytes; empty at the end. Only one task may read at a time.
    func read() async throws -> [UInt8] {
        // Passes the bytes through the lock, because the thread sanitizer doesn't recognise the
        // synchronisation of a continuation's result.
        try await withCheckedThrowingContinuation { continuation in
            queue.async { [self] in
                continuation.resume(with: Result { try readNow() })
            }
        }
        return state.withLock { state in
            defer { state.chunk = [] }
            return state.chunk
        }
    }

    private func readNow() throws {
        let isFirst = state.withLock { state in
            defer { state.isOpen = true }
            return !state.isOpen
        }
        if isFirst, stream.stream.streamStatus == .notOpen { stream.stream.open() }
        let chunk = try stream.stream.readBytes(upTo: Self.chunk)
        state.withLock { $0.chunk = chunk }
    }
}
