import Posix
import Synchronization

/// A body that its result contains, outside of memory.
///
/// Up to 64 KiB are kept in memory; a larger body goes to an anonymous file. So a slow consumer of
/// results takes disk space, and little memory.
final class ResultBody: DiskBody {
    private static let memory = 64 * 1024

    private struct State {
        /// The bytes that aren't on disk.
        var bytes: [UInt8] = []
        var places: [UInt32] = []
        var count = 0
    }

    private let store: BodyStore
    private let limit: Int
    /// Used by one disk thread at a time.
    private let state = Mutex(State())

    /// - Parameter limit: The maximum number of bytes.
    init(in store: BodyStore, limit: Int) {
        self.store = store
        self.limit = limit
    }

    deinit { drop() }

    func append(_ bytes: [UInt8]) throws(BatchFailure) {
        try state.withLock { state throws(BatchFailure) in
            guard bytes.count <= limit - state.count else {
                throw BatchFailure(
                    .bodyTooLarge,
                    "the body exceeds \(limit) bytes: write files with --output"
                )
            }
            state.count += bytes.count
            state.bytes += bytes
            guard state.count > Self.memory else { return }
            try spill(&state, isComplete: false)
        }
    }

    /// Writes all complete blocks, or all bytes.
    private func spill(_ state: inout State, isComplete: Bool) throws(BatchFailure) {
        let size = BlockFile.blockSize
        var start = 0
        do throws(FileError) {
            while start < state.bytes.count, isComplete || state.bytes.count - start >= size {
                let block = Array(state.bytes[start...].prefix(size))
                state.places.append(try store.write(block))
                start += block.count
            }
        } catch {
            throw BatchFailure(.output, error).adding(
                "bodies of more than 64 KiB wait there for the reader of the results: free space, or "
                    + "set TMPDIR to another folder"
            )
        }
        state.bytes.removeFirst(start)
    }

    func commit() throws(BatchFailure) -> BodyEnd {
        try state.withLock { state throws(BatchFailure) in
            guard !state.places.isEmpty else { return .memory(state.bytes) }
            try spill(&state, isComplete: true)
            let body = StoredBody(state.places, count: state.count, in: store)
            state = State()
            return .stored(body)
        }
    }

    func drop() {
        let places = state.withLock { state in
            let places = state.places
            state = State()
            return places
        }
        store.free(places)
    }
}
