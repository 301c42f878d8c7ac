internal import Curl
internal import Foundation

/// The file of a download that isn't whole yet, open to be added to. Every call may wait for the disk.
struct PartFile: ~Copyable, Sendable {
    private let file: FileDescriptor
    private let synchronizationFailure: TransferJournalConfiguration.SynchronizationFailure?
    private(set) var size: Int64
    /// So many bytes outlive a crash of the system.
    private(set) var durableSize: Int64
    /// What was wrong when the file couldn't be made durable. It isn't tried again: the kernel tells of bytes
    /// that it has lost once, and finds nothing wrong the next time.
    private(set) var failure: FileError?

    /// Opens the file, or makes it, for its owner alone to read.
    ///
    /// - Parameters:
    ///   - durableSize: So many bytes were made durable before.
    ///   - synchronizationFailure: See ``TransferJournalConfiguration/synchronizationFailure``.
    init(
        _ url: URL,
        durableSize: Int64 = 0,
        synchronizationFailure: TransferJournalConfiguration.SynchronizationFailure? = nil
    ) throws(FileError) {
        let file = try FileDescriptor.openForWriting(url.path, creation: .appending, mode: 0o600)
        let size = try file.size()
        self.size = size
        self.durableSize = min(durableSize, size)
        self.synchronizationFailure = synchronizationFailure
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
        if let failure { throw failure }
        if self.size != size { try file.truncate(to: size) }
        self.size = size
        durableSize = min(durableSize, size)
        try synchronize()
    }

    /// Makes durable what there is. Where that fails, what was durable before is all that stays.
    mutating func synchronize() throws(FileError) {
        if let failure { throw failure }
        do throws(FileError) {
            let reason = synchronizationFailure?() ?? 0
            guard reason == 0 else {
                throw FileError(operation: "synchronize", path: file.path, errno: reason)
            }
            try file.synchronize()
            durableSize = size
        } catch {
            failure = error
            try? file.truncate(to: durableSize)
            size = durableSize
            throw error
        }
    }

    func identity() throws(FileError) -> FileIdentity {
        try file.identity()
    }
}
