import Curl
internal import FoundationEssentials
import Synchronization

/// Where parts of bodies wait for the rest: `.parts` in the output folder. Each part has a file of its
/// own with its bytes, and a record beside it.
final class PartialFolder: Sendable {
    static let recordEnding = ".json"
    /// A shorter body is fetched again instead.
    static let shortest: Int64 = 1 << 20
    /// No file is as long as that: who announces more is not to be believed.
    static let longest: Int64 = 1 << 50

    let path: String
    /// In how many pieces at once a big body is fetched.
    let segments: Int
    /// A name for the time since the system was started.
    let boot: String
    private let disk: DiskThreads
    /// What earlier runs have left.
    private let known: Set<String>
    private let claimed = Mutex<Set<String>>([])

    /// Looks at what is there, and makes nothing.
    init(in output: String, segments: Int, disk: DiskThreads) {
        self.segments = segments
        path = "\(output)/.parts"
        self.disk = disk
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        known = Set(
            names.filter { $0.hasSuffix(Self.recordEnding) }
                .map { String($0.dropLast(Self.recordEnding.utf8.count)) }
        )
        let boot = (try? TextFile.text(of: "/proc/sys/kernel/random/boot_id")) ?? ""
        self.boot = boot.filter { !$0.isNewline }
    }

    /// The claim to a URL's part; nil where another line of the same URL has it.
    func claim(_ url: String) -> PartialClaim? {
        claim(key: StableHash.digits(url.utf8), record: nil)
    }

    private func claim(key: String, record: PartialRecord?) -> PartialClaim? {
        guard claimed.withLock({ $0.insert(key).inserted }) else { return nil }
        return PartialClaim(key, in: self, record: record)
    }

    /// What an earlier run has left of a URL. It may wait for the disk.
    func recall(_ url: String) -> PartialClaim? {
        guard !known.isEmpty else { return nil }
        let key = StableHash.digits(url.utf8)
        guard known.contains(key),
            let text = try? Self.content(of: "\(path)/\(key)\(Self.recordEnding)"),
            let record = PartialRecord(text, boot: boot), record.url == url, !record.isWhole,
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

    /// Only for ``PartialClaim``.
    func release(_ key: String) {
        _ = claimed.withLock { $0.remove(key) }
    }

    /// Removes what can't be used, while nobody else can claim it.
    func discard(_ claim: PartialClaim) {
        claim.note(nil)
        disk.submit { self.removeUnused(claim) }
    }

    /// On a disk thread. What another run is writing stays; nobody else begins to write it meanwhile.
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

    /// On a disk thread, by whoever has the lock.
    func removeRecord(_ claim: PartialClaim) {
        try? FileSystem.remove(claim.newRecordPath)
        try? FileSystem.remove(claim.recordPath)
    }

    /// Leaves no empty folder behind.
    func end() {
        try? FileSystem.removeDirectory(path)
    }
}
