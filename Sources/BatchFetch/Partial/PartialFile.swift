import Curl
import Synchronization

/// A file with parts of a body, while they are written. For disk threads: all may wait for the disk.
/// Several may write at once.
final class PartialFile: Sendable {
    private struct State {
        var record: PartialRecord
        /// Bytes that the record on the disk doesn't know of.
        var unsaved: Int64 = 0
    }

    /// After so many bytes the record is written anew: a kill costs no more of a file.
    private static let portion: Int64 = 4 << 20

    let claim: PartialClaim
    private let file: FileDescriptor
    private let state: Mutex<State>
    /// The record is written by one at a time.
    private let saving = Mutex(())

    /// Opens the file for what is missing of `record`, which is all of it where nothing is there.
    ///
    /// - Returns: `nil` if another run writes it, or has taken away what was there.
    init?(_ claim: PartialClaim, _ record: PartialRecord) throws(FileError) {
        let file = try Self.open(claim)
        // Who had the lock may have completed the file, and given it its name.
        guard try file.tryLock(), try Self.isStill(file, claim.path) else { return nil }
        let end = record.ranges.ranges.last?.upperBound ?? 0
        guard try file.size() >= end else { return nil }
        try file.truncate(to: end)
        self.claim = claim
        self.file = file
        state = Mutex(State(record: record))
        try save(record)
    }

    /// A process that was being started meanwhile has inherited the lock.
    deinit { file.unlock() }

    /// Another run may take the folder away that it has left empty.
    private static func open(_ claim: PartialClaim) throws(FileError) -> FileDescriptor {
        for _ in 0..<10 {
            try FileSystem.makeDirectory(claim.folder.path)
            do throws(FileError) {
                // Whoever may make a link there must not have another file written to.
                return try .openForUpdating(claim.path, followsLinks: false)
            } catch {
                guard error.isMissingFile else { throw error }
            }
        }
        throw FileError.isMissing(claim.path)
    }

    private static func isStill(
        _ file: borrowing FileDescriptor,
        _ path: String
    ) throws(FileError) -> Bool {
        guard try FileSystem.kind(of: path) == .regular else { return false }
        return try FileDescriptor.openForReading(path).identity() == file.identity()
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

    /// Whether it is the file of that name still: nobody has removed it.
    var isThere: Bool { (try? Self.isStill(file, claim.path)) ?? false }

    var isWhole: Bool { state.withLock { $0.record.isWhole } }

    /// Shows all of the body.
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

    /// Leaves it for another attempt, on the device.
    func suspend() throws(FileError) {
        try file.synchronize()
        let record = state.withLock { state in
            state.record.durable = state.record.ranges
            return state.record
        }
        try save(record)
        claim.note(record)
    }

    /// Its owner alone reads it: URLs may have secrets. Whoever looks sees the old one or all of the new
    /// one; what a kill leaves of one that is being written has a name that is used again.
    private func save(_ record: PartialRecord) throws(FileError) {
        try saving.withLock { _ throws(FileError) in
            let copy = try FileDescriptor.openForWriting(
                claim.newRecordPath,
                creation: .truncating,
                mode: 0o600,
                followsLinks: false
            )
            try copy.write(record.text(boot: claim.folder.boot))
            try copy.close()
            try FileSystem.rename(claim.newRecordPath, to: claim.recordPath)
        }
    }
}
