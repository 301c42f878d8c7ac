internal import Posix
internal import Synchronization

/// A file of results that the database hasn't taken, which this process has locked.
///
/// Its calls block on the disk. Only one of them may run at a time.
final class ReportFile: Sendable {
    /// Some lines of the file.
    struct Portion: Sendable {
        let report: FleetReport
        /// The number of lines that can't be read.
        let damaged: Int
        /// The offset after the lines, in bytes.
        fileprivate let end: Int64
    }

    private struct Extent {
        var start: Int64 = 0
        var end: Int64
    }

    /// The number of bytes that are read at once, unless a line is longer.
    ///
    /// Small, so that an unreliable network delivers a part at each attempt.
    private static let portionSize = 64 * 1024

    let path: String
    private let file: FileDescriptor
    /// The bytes that aren't delivered.
    private let extent: Mutex<Extent>

    private init(_ file: consuming FileDescriptor, _ path: String, size: Int64) {
        self.path = path
        self.file = file
        extent = Mutex(Extent(end: size))
    }

    /// Unlocks explicitly, because a child process started meanwhile has inherited the lock.
    deinit { file.unlock() }

    /// Opens a file, which only the user can read; it is created if missing.
    ///
    /// - Returns: `nil` if another process has locked the file, or has just removed it.
    static func open(_ path: String) throws(FileError) -> ReportFile? {
        let file = try FileDescriptor.openForUpdating(path, mode: 0o600, followsLinks: false)
        guard try file.tryLock(), try !file.isDeleted() else { return nil }
        let size = try file.size()
        return ReportFile(file, path, size: size)
    }

    var isEmpty: Bool { extent.withLock { $0.start >= $0.end } }

    /// Appends a report. Returns when the disk has stored it.
    ///
    /// - Throws: ``FileError``, after which the file is as before.
    func append(_ report: FleetReport) throws(FileError) {
        let bytes = ReportLine.encoded(report)
        let end = extent.withLock { $0.end }
        do throws(FileError) {
            try file.write(bytes, at: end)
            try file.synchronize()
        } catch {
            try? file.truncate(to: end)
            throw error
        }
        extent.withLock { $0.end = end + Int64(bytes.count) }
    }

    /// The next lines; `nil` if no complete line is left. A process that was killed while it wrote
    /// leaves an incomplete one.
    func next() throws(FileError) -> Portion? {
        let extent = extent.withLock { $0 }
        var size = Self.portionSize
        while extent.start < extent.end {
            let count = Int(min(Int64(size), extent.end - extent.start))
            let bytes = try file.bytes(at: extent.start, upTo: count)
            // Of what was read for a long line, that line alone.
            let newline = UInt8(ascii: "\n")
            let last =
                size == Self.portionSize
                ? bytes.lastIndex(of: newline) : bytes.firstIndex(of: newline)
            if let last {
                let (report, damaged) = ReportLine.decoded(bytes[...last])
                let end = extent.start + Int64(last) + 1
                return Portion(report: report, damaged: damaged, end: end)
            }
            guard bytes.count == size else { break }
            size *= 4
        }
        return nil
    }

    /// Notes that the lines before the end of `portion` are delivered.
    func skip(_ portion: Portion) { extent.withLock { $0.start = portion.end } }

    /// Removes the file. It stays locked, so no other process uses the name meanwhile.
    func remove() throws(FileError) { try FileSystem.remove(path) }
}
