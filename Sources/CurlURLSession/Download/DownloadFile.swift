internal import Foundation
internal import Synchronization

/// The file that a download's content goes to.
///
/// An event loop appends bytes to a window, which a queue writes to the file, where a disk may be waited
/// for. The owner has that queued when ``takeWork()`` says so, and is told how far it has come.
final class DownloadFile: Sendable {
    private struct State {
        var url: URL
        var window = Data()
        var isQueued = false
        var handle: FileHandle?
        var written: Int64
        var hasFailed = false

        /// Whether there is something to write; else nothing is queued for it.
        mutating func hasWork() -> Bool {
            let hasWork = !window.isEmpty && !hasFailed
            if !hasWork { isQueued = false }
            return hasWork
        }
    }

    /// Where the file is. One that was gone on with has another name once it is whole.
    var url: URL { state.withLock { $0.url } }
    /// How many bytes were there before.
    let offset: Int64
    private let queue: OperationQueue
    private let state: Mutex<State>

    /// From so many bytes on that aren't written, the server has to wait.
    private static let capacity = 512 * 1024

    /// - Parameters:
    ///   - url: A file that is gone on with; `nil` for a new one in the folder for temporary files.
    ///   - offset: How many bytes of it are kept.
    ///   - queue: Where it is written; serial.
    init(resuming url: URL? = nil, at offset: Int64 = 0, queue: OperationQueue) {
        self.offset = offset
        self.queue = queue
        let folder = FileManager.default.temporaryDirectory
        state = Mutex(State(url: url ?? Self.newURL(in: folder), written: offset))
    }

    private static let (prefix, suffix) = ("CurlURLSessionDownload_", ".tmp")

    private static func newURL(in folder: URL) -> URL {
        folder.appendingPathComponent("\(prefix)\(UUID().uuidString)\(suffix)")
    }

    /// How many bytes a file has that was left by a download; `nil` where there is none, and for any
    /// other file, which isn't to be written to whatever resume data says.
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

    /// How many bytes the file has.
    var written: Int64 { state.withLock { $0.written } }

    // MARK: The owner's side

    /// Takes bytes. True if that is enough for now.
    func append(_ bytes: Span<UInt8>) -> Bool {
        state.withLock { state in
            state.window.append(copying: bytes)
            return state.window.count >= Self.capacity
        }
    }

    /// Whether ``write(for:)`` is to be called.
    func takeWork() -> Bool {
        state.withLock { state in
            guard !state.window.isEmpty, !state.isQueued, !state.hasFailed else { return false }
            state.isQueued = true
            return true
        }
    }

    /// Has written what has come, and what comes meanwhile; other files have their turns in between.
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

    /// Has the rest written and the file closed.
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

    /// Removes the file, after what was asked for before.
    func discard() {
        queue.addOperation { [self] in
            closeHandle()
            try? FileManager.default.removeItem(at: url)
        }
    }

    /// Writes nothing more, after what was asked for before, and leaves the file to others.
    func abandon() {
        queue.addOperation { [self] in closeHandle() }
    }

    /// Has the rest written and the file closed, for another download to go on with.
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
            // For nobody else to read.
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

    /// Makes the file one that no resume data leads to: whoever uses them a second time mustn't write to
    /// what has been handed out.
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
