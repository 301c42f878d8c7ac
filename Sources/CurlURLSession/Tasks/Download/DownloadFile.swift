internal import Foundation
internal import Synchronization

/// The file that receives a download's body.
///
/// An event loop appends bytes to a window. A queue writes the window to the file, because a write
/// may block on the disk. The owner schedules a write when ``takeWork()`` says so, and is notified
/// of the progress.
final class DownloadFile: Sendable {
    private struct State {
        var url: URL
        var window = Data()
        var isQueued = false
        var handle: FileHandle?
        var written: Int64
        var hasFailed = false

        /// Whether there is something to write. If not, no write is queued any more.
        mutating func hasWork() -> Bool {
            let hasWork = !window.isEmpty && !hasFailed
            if !hasWork { isQueued = false }
            return hasWork
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
    /// It is also `nil` for any other file: that must not be overwritten, whatever resume data
    /// says.
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

    /// Takes bytes. Returns whether the window is full.
    func append(_ bytes: Span<UInt8>) -> Bool {
        state.withLock { state in
            state.window.append(copying: bytes)
            return state.window.count >= Self.capacity
        }
    }

    /// Whether the owner has to call ``write(for:)``.
    func takeWork() -> Bool {
        state.withLock { state in
            guard !state.window.isEmpty, !state.isQueued, !state.hasFailed else { return false }
            state.isQueued = true
            return true
        }
    }

    /// Schedules a write of the bytes in the window, repeated while more arrive. Writes of other
    /// files alternate with it.
    func write(for owner: TaskCore) {
        queue.addOperation { [self] in
            do {
                guard let bytes = takeWindow() else { return }
                try append(bytes)
                owner.fileHasWritten(self)
                if hasMore() { write(for: owner) }
            } catch {
                fail(error, for: owner)
            }
        }
    }

    /// Schedules writing the remaining bytes and closing the file.
    func seal(for owner: TaskCore) {
        queue.addOperation { [self] in
            do {
                while let bytes = takeWindow() { try append(bytes) }
                try openHandle().close()
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
            closeHandle()
            try? FileManager.default.removeItem(at: url)
        }
    }

    /// Closes the file, after the operations scheduled before, and leaves it to others.
    func abandon() {
        queue.addOperation { [self] in closeHandle() }
    }

    /// Schedules writing the remaining bytes and closing the file. Another download may resume it.
    func keep(for owner: TaskCore) {
        queue.addOperation { [self] in
            do {
                while let bytes = takeWindow() { try append(bytes) }
                guard !state.withLock({ $0.hasFailed }) else {
                    return owner.file(self, isKeptWith: nil)
                }
                try openHandle().close()
                owner.file(self, isKeptWith: written)
            } catch {
                closeHandle()
                owner.file(self, isKeptWith: nil)
            }
        }
    }

    // MARK: On the queue

    private func takeWindow() -> Data? {
        state.withLock { state in
            guard state.hasWork() else { return nil }
            defer { state.window = Data() }
            return state.window
        }
    }

    private func hasMore() -> Bool { state.withLock { $0.hasWork() } }

    private func append(_ bytes: Data) throws {
        try openHandle().write(contentsOf: bytes)
        state.withLock { $0.written += Int64(bytes.count) }
    }

    private func openHandle() throws -> FileHandle {
        if let handle = state.withLock({ $0.handle }) { return handle }
        if offset == 0 {
            // Only the user may read it.
            _ = FileManager.default.createFile(
                atPath: url.path,
                contents: nil,
                attributes: [.posixPermissions: 0o600]
            )
        }
        let handle = try FileHandle(forWritingTo: url)
        try handle.truncate(atOffset: UInt64(clamping: offset))
        try handle.seekToEnd()
        state.withLock { $0.handle = handle }
        return handle
    }

    /// Gives a resumed file a new name that isn't in any resume data. Resume data used a second
    /// time must not overwrite a file that was delivered.
    private func rename() throws {
        guard offset > 0 else { return }
        let whole = Self.newURL(in: url.deletingLastPathComponent())
        try FileManager.default.moveItem(at: url, to: whole)
        state.withLock { $0.url = whole }
    }

    private func closeHandle() {
        let handle = state.withLock { state in
            state.hasFailed = true
            return state.handle.take()
        }
        try? handle?.close()
    }

    private func fail(_ error: any Error, for owner: TaskCore) {
        closeHandle()
        owner.file(self, didFail: error)
    }
}
