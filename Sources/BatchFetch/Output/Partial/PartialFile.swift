import Posix
import Synchronization

/// The file of an incomplete body while it is written.
///
/// Used on disk threads only, because every method may block on the disk. Several threads may write
/// at the same time.
final class PartialFile: Sendable {
    private struct State {
        var record: PartialRecord
        /// Bytes written since the record was last saved.
        var unsaved: Int64 = 0
    }

    /// The record is saved each time this many bytes have been written: at most this much of a file
    /// is lost if the process is killed.
    private static let portion: Int64 = 4 << 20

    let claim: PartialClaim
    private let file: FileDescriptor
    private let state: Mutex<State>
    /// Serialises writes of the record.
    private let saving = Mutex(())

    /// Opens the file to receive the missing ranges of `record`.
    init?(_ claim: PartialClaim, _ record: PartialRecord) throws(FileError) {
        let file = try Self.open(claim)
        // The previous holder of the lock may have completed the file and renamed it.
        guard try file.tryLock(), try file.isAt(claim.path) else { return nil }
        let end = record.ranges.ranges.last?.upperBound ?? 0
        guard try file.size() >= end else { return nil }
        try file.truncate(to: end)
        self.claim = claim
        self.file = file
        state = Mutex(State(record: record))
        try save(record)
    }

    /// Unlocks explicitly, because a child process started meanwhile has inherited the lock.
    deinit { file.unlock() }

    /// Opens the file; retries, because another run may delete the folder when it is empty.
    private static func open(_ claim: PartialClaim) throws(FileError) -> FileDescriptor {
        for _ in 0..<10 {
            try FileSystem.makeDirectory(claim.folder.path)
            do throws(FileError) {
                // Following a link would let another user redirect the writes to a different file.
                return try .openForUpdating(claim.path, followsLinks: false)
            } catch {
                guard error.isMissingFile else { throw error }
            }
        }
        throw FileError.isMissing(claim.path)
    }

    func write(_ bytes: [UInt8], at offset: Int64) throws(FileError) {
        try file.write(bytes, at: offset)
        let due: PartialRecord? = state.withLock { state in
            state.record.ranges.insert(offset..<(offset + Int64(bytes.count)))
            state.unsaved += Int64(bytes.count)
            guard state.unsaved >= Self.portion else { return nil }
            state.unsaved = 0
            return state.record
        }
        if let due { try save(due) }
    }

    /// Whether the path still refers to this file: it hasn't been removed or replaced.
    var isAtPath: Bool { (try? file.isAt(claim.path)) ?? false }

    var isWhole: Bool { state.withLock { $0.record.isWhole } }

    /// Passes the complete body to `body`, 1 MiB at a time.
    func read(_ body: (Span<UInt8>) -> Void) throws(FileError) {
        var offset: Int64 = 0
        let length = state.withLock { $0.record.length }
        while offset < length {
            let bytes = try file.bytes(at: offset, upTo: 1 << 20)
            guard !bytes.isEmpty else { return }
            body(bytes.span)
            offset += Int64(bytes.count)
        }
    }

    /// Flushes the file and saves the record for another attempt.
    func suspend() throws(FileError) {
        try file.synchronize()
        let record = state.withLock { state in
            state.record.durable = state.record.ranges
            return state.record
        }
        try save(record)
        claim.note(record)
    }

    /// Saves the record, readable by its owner only.
    ///
    /// URLs may contain secrets. The record is replaced by a rename: a reader sees either the old
    /// or the complete new one. A kill during the write leaves a file whose name is reused.
    private func save(_ record: PartialRecord) throws(FileError) {
        try saving.withLock { _ throws(FileError) in
            let copy = try FileDescriptor.openForWriting(
                claim.newRecordPath,
                creation: .truncating,
                mode: 0o600,
                followsLinks: false
            )
            try copy.write(record.text())
            try copy.close()
            try FileSystem.rename(claim.newRecordPath, to: claim.recordPath)
        }
    }
}

extension FileDescriptor {
    /// Whether the path refers to this file.
    fileprivate func isAt(_ path: String) throws(FileError) -> Bool {
        guard try FileSystem.kind(of: path) == .regular else { return false }
        return try FileDescriptor.openForReading(path).identity() == identity()
    }
}
