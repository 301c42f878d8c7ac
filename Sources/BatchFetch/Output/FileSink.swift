import Curl
import Synchronization

/// Writes a body to a file, on the disk threads, and pauses the flow when they fall behind.
///
/// Up to a piece is gathered before the disk is troubled, so a small body is one job: made,
/// written, named.
final class FileSink: BodySink {
    private static let piece = 64 * 1024
    private static let window = 256 * 1024

    private struct State: ~Copyable {
        var pending: [UInt8] = []
        var isWriting = false
        var pausedFlow: (any FlowControl)?
        var failure: BatchFailure?
        /// Set when there is no more: whether the body is complete, and whom to tell.
        var end: (isComplete: Bool, done: @Sendable (BodyEnd) -> Void)?
    }

    private let state = Mutex(State())
    /// For the disk threads alone, one at a time: nobody waits for this lock.
    private let file = Mutex<TemporaryFile?>(nil)
    private let path: String
    private let fallback: String
    private let disk: DiskThreads

    init(folder: String, name: SafeName, disk: DiskThreads) {
        path = "\(folder)/\(name.path)"
        fallback = "\(folder)/\(name.fallback)"
        self.disk = disk
    }

    func receive(_ bytes: Span<UInt8>, flow: any FlowControl) -> BodyDemand {
        let (demand, isDue) = state.withLock { state in
            guard state.failure == nil else { return (BodyDemand.stop, false) }
            state.pending.append(copying: bytes)
            let isDue = !state.isWriting && state.pending.count >= Self.piece
            if isDue { state.isWriting = true }
            guard state.pending.count >= Self.window else { return (.more, isDue) }
            state.pausedFlow = flow
            return (.pause, isDue)
        }
        if isDue { disk.submit { self.write() } }
        return demand
    }

    func finish(isComplete: Bool, _ done: @escaping @Sendable (BodyEnd) -> Void) {
        let isDue = state.withLock { state in
            state.end = (isComplete, done)
            defer { state.isWriting = true }
            return !state.isWriting
        }
        if isDue { disk.submit { self.write() } }
    }

    /// On a disk thread; never two at once for one body.
    private func write() {
        while true {
            let (bytes, flow, end) = state.withLock { state in
                let bytes = state.pending
                let flow = state.pausedFlow
                state.pending = []
                state.pausedFlow = nil
                if bytes.isEmpty, state.end == nil { state.isWriting = false }
                return (bytes, flow, state.end)
            }
            flow?.resumeReceiving()
            if bytes.isEmpty {
                if let end { end.done(close(isComplete: end.isComplete)) }
                return
            }
            if end?.isComplete != false { append(bytes) }
        }
    }

    private func append(_ bytes: [UInt8]) {
        guard state.withLock({ $0.failure == nil }) else { return }
        do throws(FileError) {
            try file.withLock { file throws(FileError) in
                if file == nil { file = try open() }
                try file?.write(bytes)
            }
        } catch {
            file.withLock { $0 = nil }
            state.withLock { $0.failure = BatchFailure(.output, "\(error)") }
        }
    }

    private func close(isComplete: Bool) -> BodyEnd {
        if let failure = state.withLock({ $0.failure }) { return .failed(failure) }
        do throws(FileError) {
            return try file.withLock { file throws(FileError) in
                guard isComplete else {
                    file = nil
                    return .dropped
                }
                if file == nil { file = try open() }
                guard let path = try file.take()?.commit(fallback: fallback) else {
                    return .dropped
                }
                return .file(path: path)
            }
        } catch {
            return .failed(BatchFailure(.output, "\(error)"))
        }
    }

    /// Makes the file; with the other name where another URL's file is in the place of a folder.
    private func open() throws(FileError) -> TemporaryFile {
        do {
            return try Self.make(path)
        } catch {
            guard error.isNameTaken else { throw error }
            return try Self.make(fallback)
        }
    }

    /// Makes the file, and the folders above it where they are missing.
    private static func make(_ path: String) throws(FileError) -> TemporaryFile {
        do {
            return try TemporaryFile(for: path)
        } catch {
            guard error.isMissingFile else { throw error }
            try FileSystem.makeParent(of: path)
            return try TemporaryFile(for: path)
        }
    }
}
