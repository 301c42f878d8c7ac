internal import FoundationEssentials
import Posix
import Synchronization

/// The folder of incomplete bodies: `.parts` in the output folder.
///
/// Each body has a file with its bytes and a separate record.
final class PartialFolder: Sendable {
    static let recordEnding = ".json"
    /// The shortest body that is kept in part: 1 MiB. A shorter one is fetched again.
    static let shortest: Int64 = 1 << 20
    /// The longest plausible body: 1 PiB. A larger announced length is not trusted.
    static let longest: Int64 = 1 << 50

    let path: String
    /// The maximum number of concurrent pieces of a large body.
    let segments: Int
    private let disk: DiskThreads
    /// The keys of records that earlier runs have left.
    private let known: Set<String>
    private let claimed = Mutex<Set<String>>([])

    /// Lists the existing records; creates nothing.
    init(in output: String, segments: Int, disk: DiskThreads) {
        self.segments = segments
        path = "\(output)/.parts"
        self.disk = disk
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        known = Set(
            names.filter { $0.hasSuffix(Self.recordEnding) }
                .map { String($0.dropLast(Self.recordEnding.utf8.count)) }
        )
    }

    /// Claims a URL's partial file; `nil` if another line with the same URL holds the claim.
    func claim(_ url: String) -> PartialClaim? {
        claim(key: StableHash.digits(url.utf8), record: nil)
    }

    private func claim(key: String, record: PartialRecord?) -> PartialClaim? {
        guard claimed.withLock({ $0.insert(key).inserted }) else { return nil }
        return PartialClaim(key, in: self, record: record)
    }

    /// Claims what an earlier run has left of a URL; `nil` if there is nothing usable. May block on
    /// the disk.
    func existingClaim(_ url: String) -> PartialClaim? {
        guard !known.isEmpty else { return nil }
        let key = StableHash.digits(url.utf8)
        guard known.contains(key),
            let text = try? Self.content(of: "\(path)/\(key)\(Self.recordEnding)"),
            let record = PartialRecord(text), record.url == url, !record.isWhole,
            let size = try? FileDescriptor.openForReading("\(path)/\(key)").size(),
            size >= record.ranges.ranges.last?.upperBound ?? 0, size <= record.length,
            !isInUse(key)
        else { return nil }
        return claim(key: key, record: record)
    }

    private static func content(of path: String) throws(FileError) -> [UInt8] {
        let file = try FileDescriptor.openForReading(path)
        return try file.bytes(at: 0, upTo: Int(clamping: min(file.size(), 1 << 20)))
    }

    /// Releases a claim. Called by ``PartialClaim`` only.
    func release(_ key: String) {
        _ = claimed.withLock { $0.remove(key) }
    }

    /// Deletes an unusable partial file while its claim is still held.
    func discard(_ claim: PartialClaim) {
        claim.note(nil)
        disk.submit { self.removeUnused(claim) }
    }

    /// Deletes the files, unless another run is writing them.
    ///
    /// Disk thread only. The lock keeps other runs from starting to write meanwhile.
    private func removeUnused(_ claim: PartialClaim) {
        do throws(FileError) {
            let file = try FileDescriptor.openForReading(claim.path)
            guard try file.tryLock() else { return }
            removeRecord(claim)
            try FileSystem.remove(claim.path)
            file.unlock()
        } catch {
            if error.isMissingFile { removeRecord(claim) }
        }
    }

    private func isInUse(_ key: String) -> Bool {
        do throws(FileError) {
            let file = try FileDescriptor.openForReading("\(path)/\(key)")
            guard try file.tryLock() else { return true }
            file.unlock()
        } catch {}
        return false
    }

    /// Deletes the record. Disk thread only; the caller holds the file's lock.
    func removeRecord(_ claim: PartialClaim) {
        try? FileSystem.remove(claim.newRecordPath)
        try? FileSystem.remove(claim.recordPath)
    }

    /// Removes the folder if it is empty.
    func end() {
        try? FileSystem.removeDirectory(path)
    }
}

/// The exclusive claim of one URL to its partial file.
///
/// It lasts while the run processes the URL. Of two lines with the same URL only one gets it.
final class PartialClaim: Sendable {
    let folder: PartialFolder
    let key: String
    /// The record of the incomplete body; `nil` before one exists.
    private let record: Mutex<PartialRecord?>

    init(_ key: String, in folder: PartialFolder, record: PartialRecord? = nil) {
        self.key = key
        self.folder = folder
        self.record = Mutex(record)
    }

    deinit { folder.release(key) }

    /// The path of the file with the bytes.
    var path: String { "\(folder.path)/\(key)" }

    /// The path of the record.
    var recordPath: String { path + PartialFolder.recordEnding }

    /// The path of the next record until it is renamed.
    var newRecordPath: String { recordPath + ".new" }

    var content: PartialRecord? { record.withLock { $0 } }

    func note(_ content: PartialRecord?) { record.withLock { $0 = content } }
}
