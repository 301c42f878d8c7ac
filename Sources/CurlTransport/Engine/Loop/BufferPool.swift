internal import Synchronization

/// A pool of buffers that event loops fill and other threads give back.
///
/// If one thread allocates memory and another frees it, both need the allocator's lock, and under
/// load they mostly wait for it. So a task copies heads and small bodies into memory that it
/// allocates itself, and gives the loop's buffer back. Small contents thus also use memory of their
/// own size.
package final class BufferPool: Sendable {
    private struct State {
        var arrays: [[UInt8]] = []
        /// The capacity of all arrays.
        var byteCount = 0
        var isClosed = false
    }

    private let state = Mutex(State())

    package init() {}

    /// The maximum size in bytes of a body that is copied instead of handed over.
    package static let maximumCopied = 4096

    /// Larger buffers aren't pooled, because the allocator handles them differently.
    static let largest = 16 * 1024

    /// The maximum capacity of all buffers in a pool, 1 MiB.
    static let maximumBytes = 1 << 20

    /// Returns an empty array, with capacity if the pool has any. Called on any thread.
    package func take() -> [UInt8] {
        state.withLock { state in
            guard let array = state.arrays.popLast() else { return [] }
            state.byteCount -= array.capacity
            return array
        }
    }

    /// Takes the buffer out of `array`, which should be its only reference. Called on any thread.
    package func recycle(_ array: inout [UInt8]) {
        guard 1...Self.largest ~= array.capacity else { return }
        array.removeAll(keepingCapacity: true)
        state.withLock { state in
            let byteCount = state.byteCount + array.capacity
            guard !state.isClosed, byteCount <= Self.maximumBytes else { return }
            state.byteCount = byteCount
            state.arrays.append([])
            swap(&array, &state.arrays[state.arrays.count - 1])
        }
    }

    /// Frees all buffers and accepts no more.
    ///
    /// Called when no further contents arrive, because responses may be kept for long.
    package func close() {
        let arrays = state.withLock { state in
            state.isClosed = true
            defer { (state.arrays, state.byteCount) = ([], 0) }
            return state.arrays
        }
        // Freed here, not under the lock.
        extendLifetime(arrays)
    }
}

/// The buffers that the transfers of a loop use one after another.
///
/// A user swaps its buffer out, and back in when it returns.
struct LoopBuffers {
    /// The maximum number of bytes decoded at once.
    static let decodedSize = 32 * 1024

    /// The maximum number of bytes that a connection for bytes receives at once.
    static let receivedSize = 64 * 1024

    /// The buffer in which response heads are assembled.
    var head: [UInt8] = []

    /// The buffer that bodies are decoded into, piece by piece.
    var decoded: [UInt8] = []

    /// The buffer into which connections for bytes receive.
    var received: [UInt8] = []
}
