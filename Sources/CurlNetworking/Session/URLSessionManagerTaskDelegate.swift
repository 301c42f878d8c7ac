internal import CurlURLSession
internal import Foundation
internal import Synchronization

/// The delegate of one task of a manager: collects its body, keeps its progress, and has its response
/// serialized and told.
///
/// It is the task's own delegate, so nobody has to look for it. Having done its part of an event it tells
/// the manager's handler; what it has no part in, the session's delegate is asked.
final class URLSessionManagerTaskDelegate: NSObject {
    let core: ManagerCore
    let wishes: TaskWishes
    private let state: Mutex<TaskDelegateState>

    init(manager: URLSessionManager, core: ManagerCore, wishes: TaskWishes) {
        self.core = core
        self.wishes = wishes
        state = Mutex(TaskDelegateState(manager: manager, wishes: wishes))
    }

    /// The delegate of a task, if it is one of this manager's and isn't over.
    static func of(_ task: URLSessionTask, _ core: ManagerCore) -> URLSessionManagerTaskDelegate? {
        guard let delegate = task.delegate as? URLSessionManagerTaskDelegate else { return nil }
        return delegate.core === core ? delegate : nil
    }

    // MARK: Attempts

    /// `nil` for a task without an interceptor, and for one that is over.
    var interception: TaskInterception? { state.withLock { $0.interception } }

    var manager: URLSessionManager? { state.withLock { $0.manager } }

    func setInterceptor(_ interceptor: (any RequestInterceptor)?) {
        let interception = interceptor.map { TaskInterception($0) }
        let former = state.withLock { state in
            defer { state.interception = interception }
            return state.interception
        }
        extendLifetime(former)
    }

    /// What there is of the response that an attempt has ended with.
    var endOfAttempt:
        (
            data: Data, challengeError: (any Error)?, serializer: (any URLResponseSerialization)?
        )
    { state.withLock { ($0.data, $0.challengeError, $0.serializer) } }

    func beginAnew() {
        state.withLock { $0.beginAnew() }
    }

    /// On the operation queue.
    func restartProgress() {
        let audiences = state.withLock { [$0.uploadProgress.begun, $0.downloadProgress.begun] }
        for audience in audiences { audience?.tell(.none) }
    }

    // MARK: Whatever happens

    /// A challenge was refused, and the task is cancelled for it.
    func noteRefusal(because error: any Error) {
        state.withLock { $0.challengeError = error }
    }

    /// Why the task was cancelled, where that is for a reason of this side's.
    var refusal: (any Error)? { state.withLock { $0.challengeError } }

    /// Counts the task among those whose completions are waited for, once.
    func enter() {
        state.withLock { count(&$0) }
    }

    private func count(_ state: inout TaskDelegateState) {
        guard state.age == nil, !state.isOver else { return }
        state.age = core.ledger.withLock { $0.enter() }
    }

    /// The task is over. Sequences of its progress end.
    func end() -> TaskDelegateState.Remains {
        let remains = state.withLock { state in
            count(&state)
            return state.end()
        }
        for update in remains.updates { update.finish() }
        return remains
    }

    /// - Parameter serializer: `nil` for the manager's.
    func setSerializer(_ serializer: (any URLResponseSerialization)?) {
        let former = state.withLock { state in
            defer { state.serializer = serializer }
            return state.serializer
        }
        extendLifetime(former)
    }

    // MARK: Progress

    func uploadProgress(of task: URLSessionTask) -> Progress {
        let amount = TransferAmount(
            completed: task.countOfBytesSent,
            expected: task.countOfBytesExpectedToSend
        )
        return state.withLock { $0.uploadProgress.progress(of: task, amount) }
    }

    func downloadProgress(of task: URLSessionTask) -> Progress {
        let amount = received(by: task)
        return state.withLock { $0.downloadProgress.progress(of: task, amount) }
    }

    /// How far a task has come with its response's body.
    func received(by task: URLSessionTask) -> TransferAmount {
        if core.read(\.countsEncodedBytes) {
            TransferAmount(
                completed: task.countOfEncodedBytesReceived,
                expected: task.countOfEncodedBytesExpectedToReceive
            )
        } else {
            TransferAmount(
                completed: task.countOfBytesReceived,
                expected: task.countOfBytesExpectedToReceive
            )
        }
    }

    /// Who is told of news of the response's body; `nil` if nobody wants to know.
    func downloadAudience(of task: URLSessionTask) -> TransferProgress.Audience? {
        state.withLock { $0.downloadProgress.audience(of: task) }
    }

    /// Has a sequence told how far the task comes with its request's body.
    func addUploadUpdates(_ update: AsyncStream<TransferAmount>.Continuation) {
        if !state.withLock({ $0.add(update, to: \.uploadProgress) }) { update.finish() }
    }

    /// Has a sequence told how far the task comes with its response's body.
    func addDownloadUpdates(_ update: AsyncStream<TransferAmount>.Continuation) {
        if !state.withLock({ $0.add(update, to: \.downloadProgress) }) { update.finish() }
    }
}

// MARK: - Whatever the task is

extension URLSessionManagerTaskDelegate: URLSessionTaskObserver {
    var interceptor: (any URLSessionTaskInterceptor)? { interception == nil ? nil : self }

    func taskDidResume(_ task: URLSessionTask) {
        state.withLock { state in
            count(&state)
            state.noteResumption()
        }
        core.tellDidResume(task)
    }

    func taskDidSuspend(_ task: URLSessionTask) {
        core.tellDidSuspend(task)
    }
}

extension URLSessionManagerTaskDelegate: URLSessionDataDelegate {
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        core.monitors?.tell { $0.urlSession(session, taskNeedsNewBodyStream: task) }
        if let handler = core.handler({ $0.taskNeedsBodyStream }) {
            return completionHandler(handler(session, task))
        }
        // A data task has sent its own without asking.
        let isUnread = task is URLSessionUploadTask && state.withLock { $0.takeStream() }
        let stream = task.originalRequest?.httpBodyStream
        completionHandler(isUnread ? stream : stream?.anotherOne)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        let audience = state.withLock { $0.uploadProgress.audience(of: task) }
        audience?.tell(
            TransferAmount(completed: totalBytesSent, total: totalBytesExpectedToSend)
        )
        core.task(task, of: session, hasSent: bytesSent, totalBytesSent, totalBytesExpectedToSend)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didFinishCollecting metrics: URLSessionTaskMetrics
    ) {
        state.withLock { $0.metrics = metrics }
        core.monitors?.tell { $0.urlSession(session, task: task, didFinishCollecting: metrics) }
        core.handler { $0.taskDidCollectMetrics }?(session, task, metrics)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    ) {
        let remains = end()
        core.monitors?.tell { $0.urlSession(session, task: task, didCompleteWithError: error) }
        core.handler { $0.taskDidComplete }?(session, task, error)
        core.finish(task, remains, error: error, wishes.consumer)
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didBecome downloadTask: URLSessionDownloadTask
    ) {
        state.withLock { $0.former = dataTask }
        core.monitors?.tell {
            $0.urlSession(session, dataTask: dataTask, didBecome: downloadTask)
        }
        core.handler { $0.dataTaskDidBecomeDownload }?(session, dataTask, downloadTask)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        if let onData = wishes.onData {
            guard attempt(dataTask, { try onData(data) }) != nil else { return }
        }
        let isKept = wishes.onData == nil
        let audience = state.withLock { state in
            if isKept { state.append(data) }
            return state.downloadProgress.audience(of: dataTask)
        }
        if let audience { audience.tell(received(by: dataTask)) }
        core.monitors?.tellData { $0.urlSession(session, dataTask: dataTask, didReceive: data) }
        core.handler { $0.dataTaskDidReceiveData }?(session, dataTask, data)
    }
}

// MARK: - Downloads

extension URLSessionManagerTaskDelegate: URLSessionDownloadDelegate {
    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64,
        totalBytesExpectedToWrite: Int64
    ) {
        let audience = state.withLock { $0.downloadProgress.audience(of: downloadTask) }
        let written = TransferAmount(
            completed: totalBytesWritten,
            total: totalBytesExpectedToWrite
        )
        // Behind what is written, perhaps more has come by now.
        audience?.tell(core.read(\.countsEncodedBytes) ? received(by: downloadTask) : written)
        core.monitors?.tell {
            $0.urlSession(
                session,
                downloadTask: downloadTask,
                didWriteData: bytesWritten,
                totalBytesWritten: totalBytesWritten,
                totalBytesExpectedToWrite: totalBytesExpectedToWrite
            )
        }
        core.handler { $0.downloadDidWriteData }?(
            session,
            downloadTask,
            bytesWritten,
            totalBytesWritten,
            totalBytesExpectedToWrite
        )
    }

    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didResumeAtOffset fileOffset: Int64,
        expectedTotalBytes: Int64
    ) {
        let audience = state.withLock { $0.downloadProgress.audience(of: downloadTask) }
        audience?.tell(TransferAmount(completed: fileOffset, total: expectedTotalBytes))
        core.monitors?.tell {
            $0.urlSession(
                session,
                downloadTask: downloadTask,
                didResumeAtOffset: fileOffset,
                expectedTotalBytes: expectedTotalBytes
            )
        }
        core.handler { $0.downloadDidResume }?(
            session,
            downloadTask,
            fileOffset,
            expectedTotalBytes
        )
    }

    /// The handler for all tasks comes first; if it names a place, the task's own isn't asked.
    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didFinishDownloadingTo location: URL
    ) {
        var file = core.handler { $0.downloadDidFinish }?(session, downloadTask, location)
        if file == nil, let destination = wishes.destination, let response = downloadTask.response {
            file = destination(location, response)
        }
        guard let file else { return }
        let serializer = state.withLock { $0.serializer } ?? core.read(\.responseSerializer)
        let error = core.move(
            location,
            to: file,
            wishes.downloadOptions,
            refusal: serializer.refusal(of: downloadTask.response),
            of: downloadTask
        )
        state.withLock { ($0.file, $0.fileError) = (file, error) }
    }
}
