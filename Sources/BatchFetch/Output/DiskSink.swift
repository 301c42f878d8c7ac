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
        /// Set when there is no more: whether the body is complete, and whom to tell.
        var end: (isComplete: Bool, done: @Sendable (BodyEnd) -> Void)?
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
        do throws(BatchFailure) {
            try body.append(bytes)
        } catch {
            body.drop()
            state.withLock { $0.failure = error }
        }
    }

    private func close(isComplete: Bool) -> BodyEnd {
        if let failure = state.withLock({ $0.failure }) { return .failed(failure) }
        guard isComplete else {
            body.drop()
            return .dropped
        }
        do throws(BatchFailure) {
            return try body.commit()
        } catch {
            return .failed(error)
        }
    }
}
