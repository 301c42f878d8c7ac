internal import CurlURLSession
internal import Foundation
internal import Synchronization

/// The delegate of one task of a manager: has the task collect its body, tracks its progress, and
/// delivers its serialized response.
///
/// It is the task's own delegate, so no lookup is needed. After its own part of an event, it calls
/// the manager's handler. Events that it doesn't implement go to the session's delegate.
final class URLSessionManagerTaskDelegate: NSObject {
    let core: ManagerCore
    let taskOptions: TaskOptions
    private let state: Mutex<TaskDelegateState>

    init(manager: URLSessionManager, core: ManagerCore, taskOptions: TaskOptions) {
        self.core = core
        self.taskOptions = taskOptions
        state = Mutex(TaskDelegateState(manager: manager, taskOptions: taskOptions))
    }

    /// The delegate of a task; `nil` if the task has completed or isn't of this manager.
    static func of(_ task: URLSessionTask, _ core: ManagerCore) -> URLSessionManagerTaskDelegate? {
        guard let delegate = task.delegate as? URLSessionManagerTaskDelegate else { return nil }
        return delegate.core === core ? delegate : nil
    }

    // MARK: Attempts

    /// The interception; `nil` for a task without an interceptor, and for a completed one.
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

    /// The task's own serializer; `nil` for the manager's.
    var serializer: (any URLResponseSerialization)? { state.withLock { $0.serializer } }

    func prepareNextAttempt() {
        state.withLock { $0.prepareNextAttempt() }
    }

    /// Resets the progress to zero. Call it on the operation queue.
    func restartProgress() {
        let audiences = state.withLock { [$0.uploadProgress.begun, $0.downloadProgress.begun] }
        for audience in audiences { audience?.report(.none) }
    }

    // MARK: Challenges and completion

    /// Notes that a challenge was refused, for which the task is cancelled.
    func noteRefusal(because error: any Error) {
        state.withLock { $0.challengeError = error }
    }

    /// Why a challenge was refused and the task therefore cancelled; `nil` otherwise.
    var refusal: (any Error)? { state.withLock { $0.challengeError } }

    /// Counts the task, once, among those whose completions callers can wait for.
    func enter() {
        state.withLock { count(&$0) }
    }

    private func count(_ state: inout TaskDelegateState) {
        guard state.age == nil, !state.isOver else { return }
        state.age = core.ledger.withLock { $0.enter() }
    }

    /// Ends the task, and finishes its progress sequences.
    func end() -> TaskDelegateState.Remains {
        let remains = state.withLock { state in
            count(&state)
            return state.end()
        }
        for update in remains.updates { update.finish() }
        return remains
    }

    /// - Parameter serializer: The task's serializer; `nil` for the manager's.
    func setSerializer(_ serializer: (any URLResponseSerialization)?) {
        let former = state.withLock { state in
            defer { state.serializer = serializer }
            return state.serializer
        }
        extendLifetime(former)
    }

    // MARK: Progress

    func uploadProgress(of task: URLSessionTask) -> Progress {
        let amount = ByteProgress(
            completed: task.countOfBytesSent,
            expected: task.countOfBytesExpectedToSend
        )
        return state.withLock { $0.uploadProgress.progress(of: task, amount) }
    }

    func downloadProgress(of task: URLSessionTask) -> Progress {
        let amount = received(by: task)
        return state.withLock { $0.downloadProgress.progress(of: task, amount) }
    }

    /// The progress of the response's body.
    func received(by task: URLSessionTask) -> ByteProgress {
        if core.read(\.countsEncodedBytes) {
            ByteProgress(
                completed: task.countOfEncodedBytesReceived,
                expected: task.countOfEncodedBytesExpectedToReceive
            )
        } else {
            ByteProgress(
                completed: task.countOfBytesReceived,
                expected: task.countOfBytesExpectedToReceive
            )
        }
    }

    /// Returns who gets the progress of the response's body; `nil` if there is no consumer.
    func downloadAudience(of task: URLSessionTask) -> TransferProgress.Audience? {
        state.withLock { $0.downloadProgress.audience(of: task) }
    }

    /// Adds a sequence of upload progress.
    func addUploadUpdates(_ update: AsyncStream<ByteProgress>.Continuation) {
        if !state.withLock({ $0.add(update, to: \.uploadProgress) }) { update.finish() }
    }

    /// Adds a sequence of download progress.
    func addDownloadUpdates(_ update: AsyncStream<ByteProgress>.Continuation) {
        if !state.withLock({ $0.add(update, to: \.downloadProgress) }) { update.finish() }
    }
}

// MARK: - All kinds of tasks

extension URLSessionManagerTaskDelegate: URLSessionTaskObserver {
    var interceptor: (any URLSessionTaskInterceptor)? { interception == nil ? nil : self }

    func taskDidResume(_ task: URLSessionTask) {
        state.withLock { state in
            count(&state)
            state.noteResumption()
        }
        core.post(.didResume(task))
    }

    func taskDidSuspend(_ task: URLSessionTask) {
        core.post(.didSuspend(task))
    }
}

extension URLSessionManagerTaskDelegate: ManagerDelegate {
    func note(_ event: SessionEvent) {
        switch event {
        case .didSendBodyData(_, let task, _, let total, let expected):
            let audience = state.withLock { $0.uploadProgress.audience(of: task) }
            audience?.report(ByteProgress(completed: total, total: expected))
        case .didFinishCollectingMetrics(_, _, let metrics):
            state.withLock { $0.metrics = metrics }
        case .didBecomeDownload(_, let former, _):
            state.withLock { $0.former = former }
        case .didWriteData(_, let task, _, let total, let expected):
            let written = ByteProgress(completed: total, total: expected)
            // The encoded count may be ahead of the written bytes: more may have been received
            // since.
            downloadAudience(of: task)?.report(
                core.read(\.countsEncodedBytes) ? received(by: task) : written
            )
        case .didResumeDownload(_, let task, let offset, let expected):
            downloadAudience(of: task)?.report(ByteProgress(completed: offset, total: expected))
        default:
            break
        }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        core.notify(.needsNewBodyStream(session, task))
        if let handler = core.handler({ $0.taskNeedsBodyStream }) {
            return completionHandler(handler(session, task))
        }
        // A data task has already sent the request's own stream.
        let isUnread = task is URLSessionUploadTask && state.withLock { $0.takeStream() }
        let stream = task.originalRequest?.httpBodyStream
        completionHandler(isUnread ? stream : stream?.anotherOne)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    ) {
        let remains = end()
        core.report(.didCompleteTransfer(session, task, error: error))
        core.finish(task, remains, error: error, taskOptions.consumer)
    }

    /// Called only for a task whose own handler receives the body.
    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        if let onData = taskOptions.onData {
            guard attempt(dataTask, { try onData(data) }) != nil else { return }
        }
        reportDownloadProgress(of: dataTask)
        core.reportData(session, dataTask) { data }
    }
}

extension URLSessionManagerTaskDelegate: URLSessionBodyCollector {
    var collectsBody: Bool { !taskOptions.handsOutBody }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didCollect piece: () -> Data
    ) {
        reportDownloadProgress(of: dataTask)
        core.reportData(session, dataTask, piece)
    }

    private func reportDownloadProgress(of task: URLSessionTask) {
        if let audience = downloadAudience(of: task) { audience.report(received(by: task)) }
    }
}

// MARK: - Downloads

extension URLSessionManagerTaskDelegate {
    /// Calls the manager's handler first. The task's own destination is used only if that returns
    /// `nil`.
    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didFinishDownloadingTo location: URL
    ) {
        var file = core.handler { $0.downloadDidFinish }?(session, downloadTask, location)
        if file == nil, let destination = taskOptions.destination,
            let response = downloadTask.response
        {
            file = destination(location, response)
        }
        guard let file else { return }
        let serializer = serializer ?? core.read(\.responseSerializer)
        let error = core.move(
            location,
            to: file,
            taskOptions.downloadOptions,
            refusal: serializer.refusal(of: downloadTask.response),
            of: downloadTask
        )
        state.withLock { ($0.file, $0.fileError) = (file, error) }
    }
}

/// The delegate of a manager's session, or of one of its tasks.
///
/// Both report the same events to the manager's monitors and handlers.
protocol ManagerDelegate: URLSessionDownloadDelegate, URLSessionCacheDecider {
    var core: ManagerCore { get }

    /// Updates the delegate's own state before an event is reported.
    func note(_ event: SessionEvent)
}

extension ManagerDelegate {
    /// Does nothing by default.
    func note(_ event: SessionEvent) {}

    var decidesAboutCaching: Bool { core.read { $0.handlers.dataTaskWillCache != nil } }

    private func report(_ event: SessionEvent) {
        note(event)
        core.report(event)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        report(
            .didSendBodyData(
                session,
                task,
                bytesSent: bytesSent,
                totalBytesSent: totalBytesSent,
                expected: totalBytesExpectedToSend
            )
        )
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didFinishCollecting metrics: URLSessionTaskMetrics
    ) {
        report(.didFinishCollectingMetrics(session, task, metrics: metrics))
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    ) {
        report(.didCompleteTransfer(session, task, error: error))
    }

    // MARK: Data tasks

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        core.notify(.didReceiveResponse(session, dataTask, response: response))
        if let own = URLSessionManagerTaskDelegate.of(dataTask, core),
            own.taskOptions.onResponse != nil
        {
            return completionHandler(own.decide(on: response, of: dataTask))
        }
        guard let handler = core.handler({ $0.dataTaskDidReceiveResponse }) else {
            return completionHandler(.allow)
        }
        completionHandler(handler(session, dataTask, response))
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didBecome downloadTask: URLSessionDownloadTask
    ) {
        report(.didBecomeDownload(session, dataTask, download: downloadTask))
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        core.reportData(session, dataTask) { data }
    }

    // MARK: Downloads

    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64,
        totalBytesExpectedToWrite: Int64
    ) {
        report(
            .didWriteData(
                session,
                downloadTask,
                bytesWritten: bytesWritten,
                totalBytesWritten: totalBytesWritten,
                expected: totalBytesExpectedToWrite
            )
        )
    }

    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didResumeAtOffset fileOffset: Int64,
        expectedTotalBytes: Int64
    ) {
        report(
            .didResumeDownload(
                session,
                downloadTask,
                offset: fileOffset,
                expected: expectedTotalBytes
            )
        )
    }
}
