import Posix
import Synchronization

/// Writes a body on the disk threads, with flow control.
///
/// Collects up to 64 KiB before it writes, so a small body is one disk job: create, write, rename.
/// Pauses the transfer at 256 KiB of pending bytes.
final class DiskSink: BodySink {
    private static let piece = 64 * 1024
    private static let window = 256 * 1024

    private struct State: ~Copyable {
        var pending: [UInt8] = []
        var isWriting = false
        var pausedFlow: (any FlowControl)?
        var failure: BatchFailure?
        /// Set at the end: how to end the body, and the callback.
        var end: (ending: Ending, done: @Sendable (BodyEnd) -> Void)?
    }

    private enum Ending {
        case whole(BodyVerifier?)
        case abandoned
        case suspended
    }

    private let state = Mutex(State())
    private let body: any DiskBody
    private let disk: DiskThreads

    init(_ body: any DiskBody, disk: DiskThreads) {
        self.body = body
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
        finish(isComplete ? .whole(nil) : .abandoned, done)
    }

    /// Whether a part of the body existed before.
    ///
    /// Then ``finish(checking:_:)`` must get the verifier.
    var isPartial: Bool { (body as? any ResumableBody)?.isPartial ?? false }

    /// The file that the body shares with concurrent segments, if any.
    var segmentedFile: SegmentedFile? { (body as? any ResumableBody)?.segmentedFile }

    /// The number of bytes to take, if fewer than the server sends.
    var limit: Int64? { (body as? any ResumableBody)?.limit }

    /// Ends a complete body; the verifier checks all of it first.
    func finish(checking verifier: BodyVerifier?, _ done: @escaping @Sendable (BodyEnd) -> Void) {
        finish(.whole(verifier), done)
    }

    /// Ends an incomplete body. Keeps the part that has arrived if it can be resumed.
    func suspend(_ done: @escaping @Sendable (BodyEnd) -> Void) {
        finish(body is any ResumableBody ? .suspended : .abandoned, done)
    }

    private func finish(_ ending: Ending, _ done: @escaping @Sendable (BodyEnd) -> Void) {
        let isDue = state.withLock { state in
            state.end = (ending, done)
            defer { state.isWriting = true }
            return !state.isWriting
        }
        if isDue { disk.submit { self.write() } }
    }

    /// Runs on a disk thread; never concurrently for one body.
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
                if let end { end.done(closed(end.ending)) }
                return
            }
            if case .abandoned? = end?.ending { continue }
            append(bytes)
        }
    }

    private func append(_ bytes: [UInt8]) {
        guard state.withLock({ $0.failure == nil }) else { return }
        do throws(BatchFailure) {
            try body.append(bytes)
        } catch {
            body.drop()
            state.withLock { $0.failure = error }
        }
    }

    private func closed(_ ending: Ending) -> BodyEnd {
        let end = close(ending)
        return segmentedFile.map { .segment($0, end) } ?? end
    }

    private func close(_ ending: Ending) -> BodyEnd {
        if let failure = state.withLock({ $0.failure }) { return .failed(failure) }
        do throws(BatchFailure) {
            switch (ending, body as? any ResumableBody) {
            case (.whole(let verifier), let body?): return try body.commit(checking: verifier)
            case (.whole, nil): return try body.commit()
            case (.suspended, let body?): return try body.suspend()
            case (.abandoned, _), (.suspended, nil):
                body.drop()
                return .dropped
            }
        } catch {
            return .failed(error)
        }
    }
}
