import Posix
import Synchronization

/// A body whose length must be known before it is written.
///
/// Up to 128 KiB are kept in memory; a larger body goes to a temporary file.
final class SpooledBody: Sendable {
    private static let memory = 128 * 1024
    private static let piece = 256 * 1024

    /// The folder of anonymous files: `TMPDIR`, or `/tmp`.
    static var temporaryFolder: String { ProcessEnvironment.value(of: "TMPDIR") ?? "/tmp" }

    private struct State: ~Copyable {
        var bytes: [UInt8] = []
        var file: TemporaryFile?
        var count: Int64 = 0
    }

    /// Used by one disk thread at a time.
    private let state = Mutex(State())
    private let folder: String

    /// - Parameter folder: The folder of the temporary file.
    init(folder: String) {
        self.folder = folder
    }

    /// The number of bytes.
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

    /// Removes all bytes.
    func drop() {
        state.withLock { state in
            state.bytes = []
            state.file = nil
        }
    }

    /// Passes the bytes to `take`, piece by piece.
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
