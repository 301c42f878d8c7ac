import Curl
import Synchronization

/// Writes a body on the disk threads, and pauses the flow when they fall behind.
///
/// Up to a piece is gathered before the disk is troubled, so a small body is one job: made,
/// written, named.
final class DiskSink: BodySink {
    private static let piece = 64 * 1024
    private static let window = 256 * 1024

    private struct State: ~Copyable {
        var pending: [UInt8] = []
        var isWriting = false
        var pausedFlow: (any FlowControl)?
        var failure: BatchFailure?
        /// Set when there is no more: what becomes of the body, and whom to tell.
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

    /// Whether some of the body was there before: then ``finish(checking:_:)`` is to be told what checks
    /// it.
    var isParted: Bool { (body as? any ResumableBody)?.isParted ?? false }

    /// The pieces of the body, where it is one of them.
    var group: SegmentGroup? { (body as? any ResumableBody)?.group }

    /// How many bytes are wanted, where more come.
    var limit: Int64? { (body as? any ResumableBody)?.limit }

    /// As ``finish(isComplete:_:)`` where it is complete; the verifier is shown all of it first.
    func finish(checking verifier: BodyVerifier?, _ done: @escaping @Sendable (BodyEnd) -> Void) {
        finish(.whole(verifier), done)
    }

    /// As ``finish(isComplete:_:)`` where it isn't complete; what is there is kept if it can be gone on
    /// with.
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
        return group.map { .segment($0, end) } ?? end
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
