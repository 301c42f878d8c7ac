import Curl
import Synchronization

/// A body whose length has to be known before it is written: kept in memory while it is small, and
/// in a file that has no name for long when it isn't.
final class SpooledBody: Sendable {
    private static let memory = 128 * 1024
    private static let piece = 256 * 1024

    private struct State: ~Copyable {
        var bytes: [UInt8] = []
        var file: TemporaryFile?
        var count: Int64 = 0
    }

    /// For one disk thread at a time.
    private let state = Mutex(State())
    private let folder: String

    /// - Parameter folder: Where the file is made.
    init(folder: String) {
        self.folder = folder
    }

    /// How many bytes there are.
    var count: Int64 { state.withLock { $0.count } }

    func append(_ bytes: [UInt8]) throws(FileError) {
        try state.withLock { state throws(FileError) in
            state.count += Int64(bytes.count)
            if state.file == nil, state.bytes.count + bytes.count <= Self.memory {
                state.bytes += bytes
                return
            }
            if state.file == nil {
                let file = try TemporaryFile(for: "\(folder)/spool", mode: 0o600)
                try file.write(state.bytes)
                state.bytes = []
                state.file = consume file
            }
            try state.file?.write(bytes)
        }
    }

    /// Forgets it all.
    func drop() {
        state.withLock { state in
            state.bytes = []
            state.file = nil
        }
    }

    /// Hands on the bytes piece by piece.
    func read(_ take: (_ piece: [UInt8]) throws(FileError) -> Void) throws(FileError) {
        let (bytes, path) = state.withLock { ($0.bytes, $0.file?.temporaryPath) }
        if !bytes.isEmpty { try take(bytes) }
        guard let path else { return }
        let file = try FileDescriptor.openForReading(path)
        var piece: [UInt8] = []
        while try file.read(appendingTo: &piece, upTo: Self.piece) > 0 {
            try take(piece)
            piece.removeAll(keepingCapacity: true)
        }
    }
}
