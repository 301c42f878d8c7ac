internal import Foundation
internal import Posix
internal import Synchronization

/// The file that receives a download's body.
///
/// An event loop appends bytes to a window. A queue writes the window to the file, because a write
/// may block on the disk. The owner schedules a write when ``takeWork()`` says so, and is notified
/// of the progress.
///
/// Once the queue has opened a file that is in memory, the loop writes it. That waits for no device,
/// and saves a copy, and a hop to the queue for each window.
final class DownloadFile: Sendable {
    private struct State {
        var url: URL
        var window = Data()
        /// The memory of the last window, without bytes.
        var spare = Data()
        var isQueued = false
        var written: Int64
        /// Whether the file is open, and in memory.
        var isInMemory = false
        /// Why the loop couldn't write. The queue reports it.
        var failure: FileError?
        var hasFailed = false
        /// Whether the file was closed after its last byte. Opening it again would truncate it.
        var isClosed = false

        /// Whether the queue has something to write or to report.
        var hasRest: Bool { (!window.isEmpty || failure != nil) && !hasFailed }

        /// Whether the loop writes the next bytes. The queue writes nothing then.
        var isWrittenByLoop: Bool {
            isInMemory && window.isEmpty && !isQueued && failure == nil && !hasFailed && !isClosed
        }

        /// Whether there is something to write. If not, no write is queued any more.
        mutating func hasWork() -> Bool {
            if !hasRest { isQueued = false }
            return hasRest
        }

        /// Takes the window, unless it is empty.
        mutating func takeWindow() throws(FileError) -> Data? {
            guard hasWork() else { return nil }
            if let failure { throw failure }
            var taken = Data()
            swap(&taken, &window)
            swap(&window, &spare)
            return taken
        }
    }

    /// The location of the file. A resumed file is renamed when it is complete.
    var url: URL { state.withLock { $0.url } }
    /// The number of bytes from an earlier download.
    let offset: Int64
    /// Where the server's partial response ends; `nil` if the server sends everything.
    let end: Int64?
    private let queue: OperationQueue
    private let state: Mutex<State>
    /// The open file. Its lock is rarely waited for: the loop uses it only while the queue writes
    /// nothing.
    private let file = Mutex<PartFile?>(nil)

    /// The server has to wait while at least this many bytes are unwritten.
    private static let capacity = 512 * 1024

    /// - Parameters:
    ///   - url: A file to resume; `nil` for a new one in the directory for temporary files.
    ///   - offset: How many of its bytes are kept.
    ///   - end: Where in the file the following partial response ends.
    ///   - queue: The serial queue that writes the file.
    init(
        resuming url: URL? = nil,
        at offset: Int64 = 0,
        upTo end: Int64? = nil,
        queue: OperationQueue
    ) {
        self.offset = offset
        self.end = end
        self.queue = queue
        let folder = FileManager.default.temporaryDirectory
        state = Mutex(State(url: url ?? Self.newURL(in: folder), written: offset))
    }

    private static let (prefix, suffix) = ("CurlURLSessionDownload_", ".tmp")

    private static func newURL(in folder: URL) -> URL {
        folder.appendingPathComponent("\(prefix)\(UUID().uuidString)\(suffix)")
    }

    /// The size of a file that a download left; `nil` if there is none.
    ///
    /// It is also `nil` for any other file: that must not be overwritten, even if resume data names
    /// it.
    static func size(ofLeft url: URL) -> Int64? {
        let name = url.lastPathComponent
        guard url.isFileURL, name.hasPrefix(prefix), name.hasSuffix(suffix),
            UUID(uuidString: String(name.dropFirst(prefix.count).dropLast(suffix.count))) != nil,
            let attributes = try? FileManager.default.attributesOfItem(atPath: url.path),
            attributes[.type] as? FileAttributeType == .typeRegular,
            let size = attributes[.size] as? UInt64
        else { return nil }
        return Int64(clamping: size)
    }

    /// The number of bytes in the file.
    var written: Int64 { state.withLock { $0.written } }

    // MARK: Called by the owner

    /// Takes bytes. Returns whether the window is full. Calls come one after the other.
    func append(_ bytes: Span<UInt8>) -> Bool {
        if isWrittenByLoop, write(bytes) { return false }
        return state.withLock { state in
            state.window.append(copying: bytes)
            return state.window.count >= Self.capacity
        }
    }

    /// Whether ``append(_:)`` writes the next bytes itself.
    var isWrittenByLoop: Bool { state.withLock { $0.isWrittenByLoop } }

    /// Writes bytes to a file in memory, after all those before. Returns false if the file has been
    /// closed meanwhile.
    private func write(_ bytes: Span<UInt8>) -> Bool {
        do throws(FileError) {
            let isWritten = try file.withLock { file throws(FileError) in
                try file?.append(bytes)
                return file != nil
            }
            if isWritten { state.withLock { $0.written += Int64(bytes.count) } }
            return isWritten
        } catch {
            state.withLock { $0.failure = error }
            return true
        }
    }

    /// Whether the owner has to call ``write(for:)``.
    func takeWork() -> Bool {
        state.withLock { state in
            guard state.hasRest, !state.isQueued else { return false }
            state.isQueued = true
            return true
        }
    }

    /// Schedules a write of the bytes in the window, repeated while more arrive. Writes of other
    /// files alternate with it.
    func write(for owner: TaskCore) {
        queue.addOperation { [self] in
            do {
                guard var bytes = try takeWindow() else { return }
                try append(&bytes)
                owner.fileHasWritten(self)
                if hasMore() { write(for: owner) }
            } catch {
                fail(error, for: owner)
            }
        }
    }

    /// Schedules writing the remaining bytes and closing the file.
    func complete(for owner: TaskCore) {
        queue.addOperation { [self] in
            do {
                while var bytes = try takeWindow() { try append(&bytes) }
                // The owner knows already.
                guard !state.withLock({ $0.hasFailed }) else { return }
                try close()
                try rename()
                owner.fileIsComplete(self)
            } catch {
                fail(error, for: owner)
            }
        }
    }

    /// Removes the file, after the operations scheduled before.
    func discard() {
        queue.addOperation { [self] in
            stopWriting()
            try? FileManager.default.removeItem(at: url)
        }
    }

    /// Closes the file, after the operations scheduled before. The file stays, for another attempt.
    func closeKeepingFile() {
        queue.addOperation { [self] in stopWriting() }
    }

    /// Schedules writing the remaining bytes and closing the file. Another download may resume it.
    func keep(for owner: TaskCore) {
        queue.addOperation { [self] in
            do {
                while var bytes = try takeWindow() { try append(&bytes) }
                guard !state.withLock({ $0.hasFailed }) else {
                    return owner.file(self, isKeptWith: nil)
                }
                try close()
                owner.file(self, isKeptWith: written)
            } catch {
                stopWriting()
                owner.file(self, isKeptWith: nil)
            }
        }
    }

    // MARK: On the queue

    private func takeWindow() throws(FileError) -> Data? {
        try state.withLock { state throws(FileError) in try state.takeWindow() }
    }

    private func hasMore() -> Bool { state.withLock { $0.hasWork() } }

    /// Writes bytes. Their memory becomes that of a later window.
    private func append(_ bytes: inout Data) throws(FileError) {
        let isInMemory = try file.withLock { file throws(FileError) in
            try open(&file)
            try file?.append(bytes.span)
            return file?.isInMemory ?? false
        }
        let count = bytes.count
        bytes.removeAll(keepingCapacity: true)
        state.withLock { state in
            state.written += Int64(count)
            state.isInMemory = isInMemory
            swap(&state.spare, &bytes)
        }
    }

    /// Closes the file, which is created if no byte was written.
    private func close() throws(FileError) {
        guard !state.withLock({ $0.isClosed }) else { return }
        try file.withLock { file throws(FileError) in
            try open(&file)
            try file.take()?.close()
        }
        state.withLock { $0.isClosed = true }
    }

    private func open(_ file: inout PartFile?) throws(FileError) {
        guard file == nil else { return }
        file = try PartFile(url.path, keeping: offset)
    }

    /// Gives a resumed file a new name that isn't in any resume data. Resume data used a second
    /// time must not overwrite a file that was delivered.
    private func rename() throws {
        guard offset > 0 else { return }
        let whole = Self.newURL(in: url.deletingLastPathComponent())
        try FileManager.default.moveItem(at: url, to: whole)
        state.withLock { $0.url = whole }
    }

    /// Closes the file, and writes nothing any more.
    private func stopWriting() {
        state.withLock { $0.hasFailed = true }
        file.withLock { $0 = nil }
    }

    private func fail(_ error: any Error, for owner: TaskCore) {
        stopWriting()
        owner.file(self, didFail: error)
    }
}
