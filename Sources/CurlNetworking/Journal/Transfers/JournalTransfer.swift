internal import CurlURLSession
internal import Foundation
internal import HTTPSemantics
internal import Posix
internal import Synchronization

/// The attempt of a job that is in flight: the delegate of its task, which forwards all events to
/// the journal's queue.
final class JournalTransfer: NSObject {
    /// Why the journal stops an attempt.
    enum StopReason: Sendable {
        /// The body is complete.
        case isComplete
        /// The whole content is requested again.
        case requestWholeContent
        case failed(TransferJobFailure, retryAfter: TimeInterval?)
        /// The job was removed, or the journal closed.
        case dropped
    }

    struct State: ~Copyable, Sendable {
        var job: TransferJob
        var part: PartFile?
        /// The requested part; `nil` if the whole content was requested.
        var rest: RangeRequest?
        /// The file's size at the end of the response; `nil` if unknown.
        var end: Int64?
        var task: URLSessionTask?
        /// The request to send instead of the task's own: with the header fields for the job's
        /// origin only. `nil` if there are no such fields.
        var request: URLRequest?
        var stopReason: StopReason?
        /// How many received bytes aren't written to the file yet.
        var pending = 0
        /// Whether the task is suspended until they are.
        var isSuspended = false
    }

    let sequence: Int
    private let core: JournalCore
    private let state: Mutex<State>

    /// Above `most` unwritten bytes (1 MiB) the task is suspended. At `few` or less (256 KiB) it is
    /// resumed.
    private static let (most, few) = (1 << 20, 1 << 18)

    init(_ job: TransferJob, _ core: JournalCore) {
        sequence = job.sequence
        self.core = core
        state = Mutex(State(job: job))
    }

    var job: TransferJob { state.withLock { $0.job } }

    @discardableResult
    func change<Value: Sendable>(_ change: (inout State) throws -> Value) rethrows -> Value {
        try state.withLock { try change(&$0) }
    }

    /// Cancels the task, and sets how the attempt ends. The first reason stays.
    func stop(_ reason: StopReason) {
        let task = state.withLock { state in
            if state.stopReason == nil { state.stopReason = reason }
            return state.task
        }
        task?.cancel()
    }

    /// Counts bytes as written, and resumes the task if few enough are pending.
    func noteWritten(_ count: Int) {
        let task = state.withLock { state -> URLSessionTask? in
            state.pending -= count
            guard state.isSuspended, state.pending <= Self.few else { return nil }
            state.isSuspended = false
            return state.task
        }
        task?.resume()
    }
}

extension JournalTransfer: ChallengeRefusalObserver {
    /// Cancels the task. The job fails with the error of the refused challenge.
    func noteRefusal(because error: any Error) {
        stop(.failed(TransferJobFailure(refusal: error), retryAfter: nil))
    }
}

// Header fields that an interceptor adds are sent to their own origin only.
extension JournalTransfer: URLSessionTaskObserver, URLSessionTaskInterceptor {
    var interceptor: (any URLSessionTaskInterceptor)? {
        state.withLock { $0.request } == nil ? nil : self
    }

    func taskDidResume(_ task: URLSessionTask) {}
    func taskDidSuspend(_ task: URLSessionTask) {}

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willAttempt request: URLRequest,
        completionHandler: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    ) {
        completionHandler(.success(state.withLock { $0.request } ?? request))
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didEndAttemptWithError error: (any Error)?,
        completionHandler: @escaping @Sendable (AttemptDisposition) -> Void
    ) {
        completionHandler(.complete)
    }
}

extension JournalTransfer: URLSessionDataDelegate {
    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        core.queue.async { [self, core] in
            completionHandler(core.transfer(self, didReceive: response) ? .allow : .cancel)
        }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let exceedsWindow = state.withLock {
            !$0.isSuspended && $0.pending + data.count > Self.most
        }
        // Suspends the task before another thread could resume it.
        if exceedsWindow { dataTask.suspend() }
        state.withLock { state in
            state.pending += data.count
            if exceedsWindow { state.isSuspended = true }
        }
        core.queue.async { [self, core] in
            core.transfer(self, didReceive: data)
            noteWritten(data.count)
        }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        state.withLock { state in
            state.job.bytes = totalBytesSent
            state.job.expectedBytes =
                totalBytesExpectedToSend >= 0 ? totalBytesExpectedToSend : nil
        }
    }

    /// Bodies that go into files aren't cached.
    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        willCacheResponse proposedResponse: CachedURLResponse,
        completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    ) {
        core.queue.async { [self, core] in core.transfer(self, didCompleteWith: error) }
    }
}
