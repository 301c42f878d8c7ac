internal import HTTPSemantics
internal import Posix
internal import Synchronization

/// The incomplete file of a download, and the record of what it contains.
///
/// Used on a file thread only: every method may wait for a disk.
final class PartialDownload: Sendable {
    /// Identifies the content of which the file has the first bytes.
    struct Record: Sendable, Hashable {
        /// Without query and fragment.
        let url: String
        let validator: StrongValidator
        /// The length of the whole content in bytes; nil if it is unknown.
        let length: Int64?
    }

    private struct State {
        var record: Record?
        var size: Int64 = 0
        var isOpen = true
    }

    private let target: String
    private let partPath: String
    private let recordPath: String
    private let file: FileDescriptor
    /// Whether another download can continue the file. False if another one owns it already.
    private let isKept: Bool
    private let state: Mutex<State>

    /// Opens the incomplete file for `target`, or creates it.
    ///
    /// - Parameter mayResume: whether earlier bytes may be kept now, and these ones later.
    init(for target: String, mayResume: Bool) throws(FileError) {
        self.target = target
        recordPath = target + ".partial-state"
        let known = target + ".partial"
        if mayResume, let owned = try Self.owned(known) {
            let size = try owned.size()
            state = Mutex(State(record: Self.record(at: recordPath), size: size))
            file = owned
            partPath = known
            isKept = true
        } else {
            let opened = try Self.unique(beside: target)
            state = Mutex(State())
            partPath = opened.path
            file = opened.file
            isKept = false
        }
    }

    deinit {
        discard()
    }

    /// The file at a path, locked; nil if another download has it.
    private static func owned(_ path: String) throws(FileError) -> FileDescriptor? {
        let file = try FileDescriptor.openForUpdating(path, followsLinks: false)
        // The previous owner may have renamed the file meanwhile.
        guard try file.kind() == .regular, try file.tryLock(),
            try FileSystem.identity(of: path) == file.identity()
        else { return nil }
        return file
    }

    private struct Opened: ~Copyable {
        let path: String
        let file: FileDescriptor
    }

    /// A new file that no other download continues.
    private static func unique(beside target: String) throws(FileError) -> Opened {
        while true {
            let number = String(UInt64.random(in: .min ... .max), radix: 36)
            let path = "\(target).\(number).partial"
            do throws(FileError) {
                let file = try FileDescriptor.openForWriting(path, creation: .exclusive)
                return Opened(path: path, file: file)
            } catch {
                guard error.isExistingFile else { throw error }
            }
        }
    }

    // MARK: Content

    /// What the file contains; nil if it is empty or nothing is known about it.
    var record: Record? {
        state.withLock { state in
            guard let record = state.record, state.size > 0, state.size <= record.length ?? .max
            else { return nil }
            return record
        }
    }

    /// The number of bytes in the file.
    var size: Int64 { state.withLock { $0.size } }

    /// Begins the content again.
    ///
    /// - Parameter record: nil if the content can't be continued later.
    func restart(_ record: Record?) throws(FileError) {
        // Without a record, bytes of another content are never continued.
        if isKept { try Self.removeIfPresent(recordPath) }
        try file.truncate(to: 0)
        state.withLock { $0 = State(record: record) }
        if isKept, let record { try Self.save(record, at: recordPath) }
    }

    /// Appends bytes.
    func append(_ bytes: [UInt8]) throws(FileError) {
        try file.write(bytes, at: size)
        state.withLock { $0.size += Int64(bytes.count) }
    }

    // MARK: End

    /// Renames the complete file to its target.
    func commit() throws(FileError) {
        guard takeOpen() else { return }
        defer { file.unlock() }
        do throws(FileError) {
            // Without its record, the next download doesn't continue a file that is complete.
            if isKept { try Self.removeIfPresent(recordPath) }
            try FileSystem.rename(partPath, to: target)
        } catch {
            try? FileSystem.remove(partPath)
            throw error
        }
    }

    /// Ends an incomplete download. The file is kept if it can be continued.
    func suspend() {
        guard isKept, record != nil else { return discard() }
        if takeOpen() { file.unlock() }
    }

    /// Removes the file, unless the download has ended.
    private func discard() {
        guard takeOpen() else { return }
        if isKept { try? FileSystem.remove(recordPath) }
        try? FileSystem.remove(partPath)
        // The object may live longer than its use.
        file.unlock()
    }

    /// Returns whether the download hadn't ended, and ends it.
    private func takeOpen() -> Bool {
        state.withLock { state in
            defer { state.isOpen = false }
            return state.isOpen
        }
    }

    private static func removeIfPresent(_ path: String) throws(FileError) {
        do throws(FileError) {
            try FileSystem.remove(path)
        } catch {
            guard error.isMissingFile else { throw error }
        }
    }
}

// MARK: - The record's file

extension PartialDownload {
    /// The first line of a record. It changes with the format.
    private static let version = "curl-transport partial download 1"

    /// The maximum size of a record in bytes. Longer ones are of another origin.
    private static let maximumSize = 64 * 1024

    private static func save(_ record: Record, at path: String) throws(FileError) {
        let length = record.length.map { "\($0)" } ?? "*"
        let lines = [version, record.url, record.validator.fieldValue, length, ""]
        let file = try TemporaryFile(for: path)
        try file.write(Array(lines.joined(separator: "\n").utf8))
        try file.commit()
    }

    /// The record at a path; nil if there is none, or none of this format.
    private static func record(at path: String) -> Record? {
        guard (try? FileSystem.plainKind(of: path)) == .regular,
            let file = try? FileDescriptor.openForReading(path),
            let bytes = try? file.bytes(at: 0, upTo: maximumSize)
        else { return nil }
        let lines = String(decoding: bytes, as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count == 5, lines[0] == version, !lines[2].isEmpty, lines[4].isEmpty,
            lines[3] == "*" || Int64(lines[3]) != nil
        else { return nil }
        return Record(
            url: String(lines[1]),
            validator: StrongValidator(fieldValue: String(lines[2])),
            length: Int64(lines[3])
        )
    }
}
