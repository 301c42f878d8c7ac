internal import Curl
internal import Synchronization

/// The file of one download.
///
/// A file on a disk is written by one job of the file thread at a time. To one in memory the loop
/// writes what comes itself: that waits for no device, as little as keeping the bytes would, and
/// spares them a copy and the way to another core's cache.
final class DownloadTarget: Sendable {
    private let file = Mutex<TemporaryFile?>(nil)

    /// Makes the file; answers whether it is in memory.
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
    }

    /// As many chunks are written in one job; other downloads want the thread as well.
    private static let share = 16

    /// Writes what has come, and what comes meanwhile, so that a disk that is slower than the server
    /// is waited for on this thread alone.
    func writeWhatCame(to exchange: ClientExchange) throws {
        for _ in 0..<Self.share {
            guard let chunk = try exchange.chunkAtHand() else { return }
            try write(chunk.span)
        }
    }

    func commit() throws(FileError) {
        try file.withLock { file throws(FileError) in try file.take()?.commit() }
    }

    func discard() {
        // What lies in memory is given back with the file, which takes time: not under the lock, at
        // which the loop may be.
        _ = file.withLock { $0.take() }
    }
}

extension TransportError {
    static func fileWriteFailed(_ error: any Error) -> TransportError {
        .fileWriteFailed("\(error)", systemErrno: (error as? FileError)?.errno)
    }
}
