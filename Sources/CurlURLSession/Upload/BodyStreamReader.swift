internal import Dispatch
internal import Foundation
internal import Synchronization

/// Reads one input stream, on a thread that may wait for it.
///
/// The stream is opened with the first read, where its owner hasn't, and closed with the last reference.
final class BodyStreamReader: Sendable {
    private struct State {
        var isOpen = false
        /// What was read and isn't taken yet.
        var chunk: [UInt8] = []
    }

    private let stream: BodyStream
    /// Serial, and the stream's own: another stream may have to be waited for as long as it likes. A
    /// serial queue of Dispatch has threads that no concurrent queue needs, nor an operation queue.
    private let queue = DispatchQueue(label: "curl-body-stream")
    private let state = Mutex(State())

    private static let chunk = 64 * 1024

    init(_ stream: BodyStream) {
        self.stream = stream
    }

    deinit {
        if state.withLock({ $0.isOpen }) { stream.stream.close() }
    }

    /// Waits for more; none at the end. One task reads at a time.
    func read() async throws -> [UInt8] {
        // By way of the lock: that a continuation hands on what it is resumed with, the thread
        // sanitizer doesn't see.
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
