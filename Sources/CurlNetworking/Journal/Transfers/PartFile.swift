internal import Foundation
internal import Posix

/// The file of an incomplete download, open for appending. Every call may block on the disk.
struct PartFile: ~Copyable, Sendable {
    private let file: FileDescriptor
    private let synchronizationFailure: TransferJournalConfiguration.SynchronizationFailure?
    private(set) var size: Int64
    /// How many bytes survive a crash of the system.
    private(set) var durableSize: Int64
    /// Why the file couldn't be made durable. A failed synchronization isn't retried: the kernel
    /// reports lost bytes once, and success the next time.
    private(set) var failure: FileError?

    /// Opens the file or creates it, for its owner only (mode 0600).
    ///
    /// - Parameters:
    ///   - durableSize: How many bytes were made durable before.
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

    /// How many bytes wouldn't survive a crash of the system.
    var pendingSize: Int64 { size - durableSize }

    mutating func append(_ data: Data) throws(FileError) {
        do throws(FileError) {
            try file.write(data.span)
            size += Int64(data.count)
        } catch {
            // Counts the bytes that were written before the disk was full.
            if let count = try? file.size() { size = count }
            throw error
        }
    }

    /// Truncates the file, and makes that durable.
    mutating func cut(to size: Int64) throws(FileError) {
        if let failure { throw failure }
        if self.size != size { try file.truncate(to: size) }
        self.size = size
        durableSize = min(durableSize, size)
        try synchronize()
    }

    /// Makes the file durable. If that fails, truncates it to the bytes that were durable before.
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

extension TransferJob {
    /// How many bytes of a part file count when a job resumes.
    ///
    /// After the end of the program, all written bytes count: the kernel has them. After a crash of
    /// the system, only durable bytes count. Without a validator no bytes count, unless the body is
    /// complete.
    func usableBytes(of size: Int64) -> Int64 {
        let certain = SystemBoot.isCurrent(boot) ? size : min(size, bytes)
        if let expectedBytes {
            if certain == expectedBytes { return certain }
            if certain > expectedBytes { return 0 }
        }
        return validator == nil ? 0 : certain
    }
}
