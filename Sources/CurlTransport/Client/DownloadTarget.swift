internal import Posix
internal import Synchronization

/// The file of one download.
///
/// A file on a disk is written by jobs on the file thread, one at a time. A file in memory is
/// written by the loop: that waits for no device, just as buffering the bytes wouldn't, and saves a
/// copy and a transfer to another core's cache.
final class DownloadTarget: Sendable {
    private let file = Mutex<TemporaryFile?>(nil)
    private let count = Atomic<Int64>(0)

    /// The number of bytes written so far.
    var written: Int64 { count.load(ordering: .relaxed) }

    /// Creates the file. Returns whether it is in memory.
    func open(_ path: String) throws(FileError) -> Bool {
        try file.withLock { file throws(FileError) in
            let new = try TemporaryFile(for: path)
            let isInMemory = new.isInMemory
            file = consume new
            return isInMemory
        }
    }

    func write(_ bytes: Span<UInt8>) throws(FileError) {
        try file.withLock { file throws(FileError) in try file?.write(bytes) }
        count.add(Int64(bytes.count), ordering: .relaxed)
    }

    /// The maximum number of chunks that one job writes; other downloads share the thread.
    private static let share = 16

    /// Writes the bytes that have arrived, and those that arrive meanwhile.
    ///
    /// So only this thread waits for a disk that is slower than the server.
    func writeReceived(to exchange: ClientExchange) throws {
        for _ in 0..<Self.share {
            guard let chunk = try exchange.bufferedChunk() else { return }
            try write(chunk.span)
        }
    }

    func commit() throws(FileError) {
        try file.withLock { file throws(FileError) in try file.take()?.commit() }
    }

    func discard() {
        // Freeing a file in memory takes time. This happens outside the lock, because the loop may
        // be waiting for it.
        _ = file.withLock { $0.take() }
    }
}

extension TransportError {
    static func fileWriteFailed(_ error: any Error) -> TransportError {
        .fileWriteFailed("\(error)", systemErrno: (error as? FileError)?.errno)
    }
}
