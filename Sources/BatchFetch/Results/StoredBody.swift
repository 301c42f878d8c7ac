import Posix
import Synchronization

/// Stores bodies in one anonymous file until their results are written.
///
/// The file is created for the first block, and disappears however the process ends. May be used on
/// any thread; each call may block on the disk.
final class BodyStore: Sendable {
    private struct State: ~Copyable {
        var file: BlockFile?
    }

    private let folder: String
    private let state = Mutex(State())

    init(folder: String) {
        self.folder = folder
    }

    /// Creates the file, which otherwise happens for the first block.
    func open() throws(FileError) {
        try state.withLock { state throws(FileError) in
            if state.file == nil { state.file = try BlockFile(folder: folder) }
        }
    }

    /// Writes up to ``BlockFile/blockSize`` bytes, and returns their position.
    func write(_ block: [UInt8]) throws(FileError) -> UInt32 {
        try state.withLock { state throws(FileError) in
            if state.file == nil { state.file = try BlockFile(folder: folder) }
            return try state.file?.write(block) ?? 0
        }
    }

    /// Reads a block and frees its position.
    func take(_ place: UInt32) throws(FileError) -> [UInt8] {
        try state.withLock { state throws(FileError) in try state.file?.take(place) ?? [] }
    }

    /// Frees positions.
    func free(_ places: [UInt32]) {
        // Most bodies have none, and need not wait for a thread that writes.
        guard !places.isEmpty else { return }
        state.withLock { state in
            for place in places { state.file?.release(place) }
        }
    }
}

/// A complete body that is on disk until it is read.
final class StoredBody: Sendable, Hashable {
    private struct State {
        /// The positions of the blocks that weren't read yet.
        var places: ArraySlice<UInt32>
        /// The number of bytes in them.
        var count: Int
    }

    /// The number of bytes.
    let count: Int
    private let store: BodyStore
    private let state: Mutex<State>

    init(_ places: [UInt32], count: Int, in store: BodyStore) {
        self.count = count
        self.store = store
        state = Mutex(State(places: places[...], count: count))
    }

    deinit {
        store.free(Array(state.withLock { $0.places }))
    }

    /// Reads the next block and frees its space. Returns `nil` at the end.
    func next() throws(FileError) -> [UInt8]? {
        try state.withLock { state throws(FileError) in
            guard let place = state.places.popFirst() else { return nil }
            let bytes = try store.take(place).prefix(state.count)
            state.count -= bytes.count
            return Array(bytes)
        }
    }

    static func == (lhs: StoredBody, rhs: StoredBody) -> Bool { lhs === rhs }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
