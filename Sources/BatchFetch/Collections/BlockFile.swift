import Posix

/// Stores blocks of one size in an anonymous file.
///
/// The file disappears however the process ends. Space that was read is reused. For one thread at a
/// time; every call may block on the disk.
struct BlockFile: ~Copyable, Sendable {
    static let blockSize = 8 * 1024

    private let file: FileDescriptor
    private var free: [UInt32] = []
    private var count: UInt32 = 0

    /// Creates the file in a folder.
    init(folder: String) throws(FileError) {
        do throws(FileError) {
            // The name is removed when this value is destroyed.
            let name = try TemporaryFile(for: "\(folder)/frontier", mode: 0o600)
            self.init(try .openForUpdating(name.temporaryPath))
        } catch {
            // Users don't know the name, so the error has the folder's path.
            throw FileError(operation: "create a file in", path: folder, errno: error.errno)
        }
    }

    init(_ file: consuming FileDescriptor) {
        self.file = file
    }

    /// The number of stored blocks.
    var blockCount: Int { Int(count) - free.count }

    /// Writes a block and returns its position.
    mutating func write(_ block: [UInt8]) throws(FileError) -> UInt32 {
        let place = free.last ?? count
        try file.seek(to: Int64(place) * Int64(Self.blockSize))
        try file.write(block)
        if free.popLast() == nil { count += 1 }
        return place
    }

    /// Reads a block and frees its position.
    mutating func take(_ place: UInt32) throws(FileError) -> [UInt8] {
        let offset = Int64(place) * Int64(Self.blockSize)
        let block = try file.bytes(at: offset, upTo: Self.blockSize)
        free.append(place)
        if resetIfUnused() { try file.truncate(to: 0) }
        return block
    }

    /// Frees a position without reading it.
    mutating func release(_ place: UInt32) {
        free.append(place)
        // If this fails, the space is used again or freed with the file.
        if resetIfUnused() { try? file.truncate(to: 0) }
    }

    /// Forgets all positions if none is used. Returns whether it did, so that the disk space can be
    /// returned.
    private mutating func resetIfUnused() -> Bool {
        guard free.count == Int(count) else { return false }
        free = []
        count = 0
        return true
    }
}
