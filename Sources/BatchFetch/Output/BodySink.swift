internal import DequeModule
import Posix
import Synchronization

/// The destination of one attempt's body.
///
/// `receive` is called on an event loop, serially, and must not block. `finish` is called once
/// after the last piece; it calls `done` once, on any thread.
protocol BodySink: AnyObject, Sendable {
    /// Takes the next bytes, and returns whether to continue, pause or stop.
    func receive(_ bytes: Span<UInt8>, flow: any FlowControl) -> BodyDemand

    /// Ends the body; `isComplete` is whether all of it has arrived.
    func finish(isComplete: Bool, _ done: @escaping @Sendable (BodyEnd) -> Void)
}

/// A sink's answer to the bytes that it has received.
enum BodyDemand: Sendable {
    /// The sink accepts more bytes.
    case more
    /// The transfer must pause until the sink resumes it.
    case pause
    /// The sink can't store the body; the attempt must end.
    case stop
}

/// Resumes a transfer that a sink has paused. May be used on any thread.
protocol FlowControl: Sendable {
    func resumeReceiving()
}

/// The final state of a body.
indirect enum BodyEnd: Sendable {
    case dropped
    case file(path: String)
    /// A file with this name existed and was kept.
    case existing(path: String)
    /// The body is in an archive, at this offset in bytes.
    case shard(name: String, offset: Int64)
    /// The body is incomplete, and the rest can be requested.
    case partial(PartialClaim)
    /// The body is one of several segments. The result is known when all of them have ended.
    case segment(SegmentedFile, BodyEnd)
    case memory([UInt8])
    /// The body is part of the result, and on disk until then.
    case stored(StoredBody)
    /// The body is complete, but doesn't have the expected checksum.
    case mismatched(BatchFailure)
    case failed(BatchFailure)
}

extension BodyEnd {
    /// The end of this attempt's segment, or of the whole body.
    var own: BodyEnd {
        if case .segment(_, let end) = self { end } else { self }
    }
}

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
    private let body: any WrittenBody
    private let disk: DiskThreads

    init(_ body: any WrittenBody, disk: DiskThreads) {
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

    /// Notes the peer that sent the body, which an archive stores.
    func note(peer: String) {
        body.note(peer: peer)
    }

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
                if let end { close(end.ending, end.done) }
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

    private func close(_ ending: Ending, _ done: @escaping @Sendable (BodyEnd) -> Void) {
        let end: BodyEnd
        do throws(BatchFailure) {
            if let failure = state.withLock({ $0.failure }) { throw failure }
            switch (ending, body as? any ResumableBody) {
            case (.whole(let verifier), let body?): end = try body.commit(checking: verifier)
            case (.whole, nil): return body.commit(done)
            case (.suspended, let body?): end = try body.suspend()
            case (.abandoned, _), (.suspended, nil):
                body.drop()
                end = .dropped
            }
        } catch {
            end = .failed(error)
        }
        done(segmentedFile.map { .segment($0, end) } ?? end)
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

/// Collects a body in memory, up to a limit.
final class MemorySink: BodySink {
    private let limit: Int
    private let body = Mutex<[UInt8]>([])
    private let isTooLarge = Atomic(false)

    init(limit: Int) {
        self.limit = max(0, limit)
    }

    func receive(_ bytes: Span<UInt8>, flow: any FlowControl) -> BodyDemand {
        body.withLock { body in
            guard bytes.count <= limit - body.count else {
                isTooLarge.store(true, ordering: .relaxed)
                body = []
                return .stop
            }
            body.append(copying: bytes)
            return .more
        }
    }

    func finish(isComplete: Bool, _ done: @escaping @Sendable (BodyEnd) -> Void) {
        if isTooLarge.load(ordering: .relaxed) {
            let message = "the body exceeds \(limit) bytes: raise the limit, or write files"
            return done(.failed(BatchFailure(.bodyTooLarge, message)))
        }
        done(isComplete ? .memory(body.withLock { $0.take() }) : .dropped)
    }
}

extension [UInt8] {
    /// Returns the bytes and leaves an empty array.
    fileprivate mutating func take() -> [UInt8] {
        defer { self = [] }
        return self
    }
}

/// Passes a body to an inspector, and drops it.
final class InspectorSink: BodySink {
    private let inspector: any BodyInspector

    init(_ inspector: any BodyInspector) {
        self.inspector = inspector
    }

    func receive(_ bytes: Span<UInt8>, flow: any FlowControl) -> BodyDemand {
        inspector.inspect(bytes)
        return .more
    }

    func finish(isComplete: Bool, _ done: @escaping @Sendable (BodyEnd) -> Void) {
        guard isComplete, let complaint = inspector.finish() else { return done(.dropped) }
        done(.failed(BatchFailure(.verification, complaint)))
    }
}

/// Drops the body.
final class DiscardSink: BodySink {
    /// The sink has no state, so one instance suffices.
    static let shared = DiscardSink()

    func receive(_ bytes: Span<UInt8>, flow: any FlowControl) -> BodyDemand { .more }

    func finish(isComplete: Bool, _ done: @escaping @Sendable (BodyEnd) -> Void) { done(.dropped) }
}
