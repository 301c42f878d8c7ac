internal import DequeModule
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

/// Threads for disk operations that would block event loops and tasks.
final class DiskThreads: Sendable {
    /// One more than one disk needs. So a slow call blocks only half of the threads.
    private static let count = 2

    private struct State {
        var jobs = Deque<@Sendable () -> Void>()
        /// The indices of the threads that wait, or are about to.
        var idle: [Int] = []
    }

    private let state = Mutex(State())
    private let workers: [Worker]

    /// Starts the threads; they run until ``stop()``.
    init() throws(SystemFailure) {
        var workers: [Worker] = []
        for index in 0..<Self.count { workers.append(try Worker(name: "batch-disk-\(index)")) }
        self.workers = workers
        do throws(SystemFailure) {
            for (index, worker) in workers.enumerated() {
                try worker.startRepeating { [self] in
                    runJobs(on: index)
                    return nil
                }
            }
        } catch {
            stop()
            throw error
        }
    }

    /// Runs `job` on one of the threads.
    func submit(_ job: @escaping @Sendable () -> Void) {
        let idle = state.withLock { state in
            state.jobs.append(job)
            return state.idle.popLast()
        }
        if let idle { workers[idle].wake() }
    }

    /// Finishes all jobs and ends the threads. Blocks; must not be called by a job.
    func stop() {
        for worker in workers { worker.end() }
    }

    /// Runs jobs until there are none.
    private func runJobs(on index: Int) {
        while let job = nextJob(for: index) { job() }
    }

    private func nextJob(for index: Int) -> (@Sendable () -> Void)? {
        state.withLock { state in
            let job = state.jobs.popFirst()
            // In the same step, so that a later submit wakes this thread.
            if job == nil { state.idle.append(index) }
            return job
        }
    }
}
