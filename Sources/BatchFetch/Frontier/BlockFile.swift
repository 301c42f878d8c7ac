import Curl

/// Blocks of one size in a file without a name, so that nothing of it is left however the process
/// ends. Places that have been read are written to again. For one thread at a time; every call may
/// wait for the disk.
struct BlockFile: ~Copyable, Sendable {
    static let blockSize = 8 * 1024

    private let file: FileDescriptor
    private var free: [UInt32] = []
    private var count: UInt32 = 0

    /// Makes one in a folder.
    init(folder: String) throws(FileError) {
        // Its name is gone when this is let go of.
        let name = try TemporaryFile(for: "\(folder)/frontier", mode: 0o600)
        self.init(try .openForUpdating(name.temporaryPath))
    }

    init(_ file: consuming FileDescriptor) {
        self.file = file
    }

    /// How many blocks are in it.
    var blockCount: Int { Int(count) - free.count }

    /// Writes a block, and returns its place.
    mutating func write(_ block: [UInt8]) throws(FileError) -> UInt32 {
        let place = free.last ?? count
        try file.seek(to: Int64(place) * Int64(Self.blockSize))
        try file.write(block)
        if free.popLast() == nil { count += 1 }
        return place
    }

    /// Reads a block, whose place is free from now on.
    mutating func take(_ place: UInt32) throws(FileError) -> [UInt8] {
        let offset = Int64(place) * Int64(Self.blockSize)
        let block = try file.bytes(at: offset, upTo: Self.blockSize)
        free.append(place)
        if free.count == Int(count) {
            // Gives the disk back what is not needed.
            free = []
            count = 0
            try file.truncate(to: 0)
        }
        return block
    }
}
