internal import Curl
internal import Foundation

/// The file of a download that isn't whole yet, open to be added to. Every call may wait for the disk.
struct PartFile: ~Copyable, Sendable {
    private let file: FileDescriptor
    private(set) var size: Int64
    /// So many bytes outlive a crash of the system.
    private(set) var durableSize: Int64 = 0

    /// Opens the file, or makes it, for its owner alone to read.
    init(_ url: URL) throws(FileError) {
        let file = try FileDescriptor.openForWriting(url.path, creation: .appending, mode: 0o600)
        size = try file.size()
        self.file = file
    }

    /// So many bytes don't yet.
    var pendingSize: Int64 { size - durableSize }

    mutating func append(_ data: Data) throws(FileError) {
        do throws(FileError) {
            try file.write(data.span)
            size += Int64(data.count)
        } catch {
            // What there was room for is there.
            if let count = try? file.size() { size = count }
            throw error
        }
    }

    /// Cuts the file off, and makes that durable.
    mutating func cut(to size: Int64) throws(FileError) {
        if self.size != size { try file.truncate(to: size) }
        self.size = size
        try synchronize()
    }

    mutating func synchronize() throws(FileError) {
        try file.synchronize()
        durableSize = size
    }

    func identity() throws(FileError) -> FileIdentity {
        try file.identity()
    }
}
