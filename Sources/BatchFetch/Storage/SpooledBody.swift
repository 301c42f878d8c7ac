import HTTPSemantics
import Posix
import Synchronization

/// A body, or an archive, that is kept until it is complete and stored.
///
/// Up to 128 KiB are kept in memory; more are in an anonymous file, which disappears however the
/// process ends. May be used on any thread, and may block on the disk.
final class SpooledBody: Sendable {
    private static let memory = 128 * 1024
    private static let piece = 256 * 1024

    /// The folder of anonymous files: `TMPDIR`, or `/tmp`.
    static var temporaryFolder: String { ProcessEnvironment.value(of: "TMPDIR") ?? "/tmp" }

    private struct State: ~Copyable {
        var bytes: [UInt8] = []
        var file: FileDescriptor?
        var count: Int64 = 0
    }

    private let state = Mutex(State())
    private let folder: String

    /// - Parameter folder: The folder of the anonymous file.
    init(folder: String) {
        self.folder = folder
    }

    /// The number of bytes.
    var count: Int64 { state.withLock { $0.count } }

    func append(_ bytes: [UInt8]) throws(FileError) {
        try state.withLock { state throws(FileError) in
            state.count += Int64(bytes.count)
            if state.file == nil {
                guard state.bytes.count + bytes.count > Self.memory else {
                    state.bytes += bytes
                    return
                }
                let file = try Self.anonymousFile(in: folder)
                try file.write(state.bytes)
                state.bytes = []
                state.file = consume file
            }
            try state.file?.write(bytes)
        }
    }

    private static func anonymousFile(in folder: String) throws(FileError) -> FileDescriptor {
        do throws(FileError) {
            // The name is removed when this value is destroyed.
            let name = try TemporaryFile(for: "\(folder)/spool", mode: 0o600)
            return try .openForUpdating(name.temporaryPath)
        } catch {
            // Users don't know the name, so the error has the folder's path.
            throw FileError(operation: "create a file in", path: folder, errno: error.errno)
        }
    }

    /// Reads up to `count` bytes from `offset` on, fewer only at the end.
    func bytes(at offset: Int64, upTo count: Int) throws(FileError) -> [UInt8] {
        try state.withLock { state throws(FileError) in
            switch state.file {
            case .some(let file): return try file.bytes(at: offset, upTo: count)
            case .none where offset == 0 && count >= state.bytes.count: return state.bytes
            case .none: return Array(state.bytes.dropFirst(Int(offset)).prefix(count))
            }
        }
    }

    /// Passes the bytes to `take`, piece by piece.
    func read(_ take: (_ piece: [UInt8]) throws(FileError) -> Void) throws(FileError) {
        var offset: Int64 = 0
        while true {
            let bytes = try bytes(at: offset, upTo: Self.piece)
            guard !bytes.isEmpty else { return }
            try take(bytes)
            offset += Int64(bytes.count)
        }
    }

    /// The SHA-256 of a range of the bytes; empty if the system can't compute it.
    func digest(of range: Range<Int64>) throws(FileError) -> [UInt8] {
        guard var digest = MessageDigest(.sha256) else { return [] }
        var offset = range.lowerBound
        while offset < range.upperBound {
            let count = min(Int64(Self.piece), range.upperBound - offset)
            let bytes = try bytes(at: offset, upTo: Int(count))
            guard !bytes.isEmpty else {
                throw FileError.isMissing("an anonymous file in \(folder)")
            }
            digest.update(bytes.span)
            offset += Int64(bytes.count)
        }
        return digest.finish()
    }

    /// Removes all bytes.
    func drop() {
        state.withLock { state in
            state.bytes = []
            state.file = nil
        }
    }
}

/// The bytes of one part, in pieces for a request.
struct PartChunks: AsyncSequence, Sendable {
    typealias Element = [UInt8]

    private static let piece: Int64 = 256 * 1024

    let content: SpooledBody
    let range: Range<Int64>

    func makeAsyncIterator() -> Iterator { Iterator(content: content, range: range) }

    struct Iterator: AsyncIteratorProtocol {
        let content: SpooledBody
        var range: Range<Int64>

        mutating func next() async throws -> [UInt8]? {
            guard !range.isEmpty else { return nil }
            let count = Int(Swift.min(PartChunks.piece, Int64(range.count)))
            let bytes = try content.bytes(at: range.lowerBound, upTo: count)
            // The request fails, because its length doesn't match.
            guard !bytes.isEmpty else { return nil }
            range = (range.lowerBound + Int64(bytes.count))..<range.upperBound
            return bytes
        }
    }
}
