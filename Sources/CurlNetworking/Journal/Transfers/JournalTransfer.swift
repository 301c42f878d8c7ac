internal import CurlURLSession
internal import Foundation
internal import Synchronization

/// A job that is under way: the delegate of its task, which hands all that comes to the journal's queue.
final class JournalTransfer: NSObject {
    /// How a transfer ends, where its task doesn't say so.
    enum Verdict: Sendable {
        /// The body is whole.
        case isWhole
        /// All is asked for.
        case askForAll
        case failed(TransferJobFailure, retryAfter: TimeInterval?)
        /// The job was removed, or the journal closed.
        case dropped
    }

    struct State: ~Copyable, Sendable {
        var job: TransferJob
        var part: PartFile?
        /// What was asked for; `nil` for all.
        var rest: DownloadDecision.Rest?
        /// How long the file is once the response has ended; `nil` where that isn't known.
        var end: Int64?
        var task: URLSessionTask?
        /// What is sent in the place of the task's own request, with what no other origin may see; `nil` where
        /// that is the same.
        var request: URLRequest?
        var verdict: Verdict?
        /// So many bytes wait to be written.
        var pending = 0
        /// The task waits for that.
        var isSuspended = false
    }

    let sequence: Int
    private let core: JournalCore
    private let state: Mutex<State>

    /// From so many bytes on that aren't written, the server has to wait, and up to so many.
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

    /// Has the task end; `verdict` is what counts then, unless there is one already.
    func stop(_ verdict: Verdict) {
        let task = state.withLock { state in
            if state.verdict == nil { state.verdict = verdict }
            return state.task
        }
        task?.cancel()
    }

    /// Notes that bytes were written; the server may go on.
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

// What an interceptor adds stays with the origin that it is added for.
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
        completionHandler: @escaping @Sendable (TaskVerdict) -> Void
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
        let isMuch = state.withLock { !$0.isSuspended && $0.pending + data.count > Self.most }
        // Before anybody could have it go on.
        if isMuch { dataTask.suspend() }
        state.withLock { state in
            state.pending += data.count
            if isMuch { state.isSuspended = true }
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

    /// What goes into files isn't cached.
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
