internal import Synchronization

/// Memory that a loop fills for tasks, on its way back to be filled again.
///
/// Memory which one thread allocates and another frees costs both of them the allocator's lock, and
/// under load most of all the waiting for it. So heads and small bodies a task copies into memory of
/// its own, and gives the loop's back. That also keeps what is small in memory of its own size.
final class SpareMemory: Sendable {
    private struct State {
        var arrays: [[UInt8]] = []
        var isClosed = false
    }

    private let state = Mutex(State())

    /// Bodies of so many bytes are copied rather than handed over.
    static let most = 4096

    /// Larger memory isn't kept, for which the allocator has ways of its own.
    static let largest = 16 * 1024

    /// As many are kept, which bounds them to a megabyte for each loop.
    static let maximumCount = 64

    /// Empty, with memory or without. On the loop's thread.
    func take() -> [UInt8] {
        state.withLock { $0.arrays.popLast() } ?? []
    }

    /// Takes the memory out of `array`, which should be the only one that has it. On any thread.
    func takeBack(_ array: inout [UInt8]) {
        guard 1...Self.largest ~= array.capacity else { return }
        array.removeAll(keepingCapacity: true)
        state.withLock { state in
            guard !state.isClosed, state.arrays.count < Self.maximumCount else { return }
            state.arrays.append([])
            swap(&array, &state.arrays[state.arrays.count - 1])
        }
    }

    /// Frees what there is, and takes no more: the loop has ended, and responses may be kept for long.
    func close() {
        let arrays = state.withLock { state in
            state.isClosed = true
            defer { state.arrays = [] }
            return state.arrays
        }
        // Freed here, not under the lock.
        extendLifetime(arrays)
    }
}
