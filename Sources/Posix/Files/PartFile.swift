import Glibc

/// The file of an incomplete content, open for appending. Every call may block on the disk.
///
/// The downloads of sessions and the jobs of a journal write it, and append to it when they are
/// resumed.
package struct PartFile: ~Copyable, Sendable {
    private let file: FileDescriptor
    private let synchronizationFailure: (@Sendable () -> Int32)?
    /// The number of bytes in the file.
    package private(set) var size: Int64
    /// How many bytes survive a crash of the system.
    package private(set) var durableSize: Int64
    /// Why the file couldn't be made durable. A failed synchronization isn't retried: the kernel
    /// reports lost bytes once, and success the next time.
    package private(set) var failure: FileError?

    /// Opens the file or creates it, for its owner only (mode 0600).
    ///
    /// - Parameters:
    ///   - durableSize: How many bytes were made durable before.
    ///   - synchronizationFailure: Returns the `errno` with which a synchronization fails; 0 if it
    ///     doesn't. For tests.
    package init(
        _ path: String,
        durableSize: Int64 = 0,
        synchronizationFailure: (@Sendable () -> Int32)? = nil
    ) throws(FileError) {
        let file = try FileDescriptor.openForWriting(path, creation: .appending, mode: 0o600)
        let size = try file.size()
        self.size = size
        self.durableSize = min(durableSize, size)
        self.synchronizationFailure = synchronizationFailure
        self.file = file
    }

    /// Opens the file and keeps its first bytes; creates it if none are to be kept.
    ///
    /// A file with fewer bytes is an error: another program has changed it.
    package init(_ path: String, keeping count: Int64) throws(FileError) {
        let file = try FileDescriptor.openForWriting(path, creation: .appending, mode: 0o600)
        let size = try file.size()
        guard size >= count else {
            throw FileError(operation: "resume", path: path, errno: ENODATA)
        }
        if size > count { try file.truncate(to: count) }
        self.size = count
        durableSize = 0
        synchronizationFailure = nil
        self.file = file
    }

    /// Whether the file's file system is in memory.
    package var isInMemory: Bool { file.isInMemory }

    /// How many bytes wouldn't survive a crash of the system.
    package var pendingSize: Int64 { size - durableSize }

    package mutating func append(_ bytes: Span<UInt8>) throws(FileError) {
        do throws(FileError) {
            try file.write(bytes)
            size += Int64(bytes.count)
        } catch {
            // Counts the bytes that were written before the disk was full.
            if let count = try? file.size() { size = count }
            throw error
        }
    }

    /// Truncates the file, and makes that durable.
    package mutating func truncateDurably(to size: Int64) throws(FileError) {
        if let failure { throw failure }
        if self.size != size { try file.truncate(to: size) }
        self.size = size
        durableSize = min(durableSize, size)
        try synchronize()
    }

    /// Makes the file durable. If that fails, truncates it to the bytes that were durable before.
    package mutating func synchronize() throws(FileError) {
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

    /// Identifies the file, also after it was moved.
    package func identity() throws(FileError) -> FileIdentity {
        try file.identity()
    }

    /// Closes the file and reports errors of the device. See ``FileDescriptor/close()``.
    package consuming func close() throws(FileError) {
        try file.close()
    }
}
