internal import Foundation
internal import Synchronization

// Creates tasks with any kind of consumer.

extension URLSession {
    func makeDataTask(
        _ request: URLRequest,
        _ consumer: TaskConsumer,
        delegate: (any URLSessionTaskDelegate)? = nil
    ) -> URLSessionDataTask {
        let core = makeCore(request, .data, TaskBody(request.state.body), consumer, delegate)
        let task = URLSessionDataTask(core: core)
        register(core, as: task)
        return task
    }

    /// - Parameter body: The body to send; `nil` for the request's own body.
    func makeUploadTask(
        _ request: URLRequest,
        _ body: TaskBody?,
        _ consumer: TaskConsumer,
        delegate: (any URLSessionTaskDelegate)? = nil
    ) -> URLSessionUploadTask {
        let body = body ?? TaskBody(request.state.body)
        let core = makeCore(request, .upload(UploadState()), body, consumer, delegate)
        let task = URLSessionUploadTask(core: core)
        register(core, as: task)
        return task
    }

    func makeDownloadTask(
        _ request: URLRequest,
        _ consumer: TaskConsumer,
        delegate: (any URLSessionTaskDelegate)? = nil
    ) -> URLSessionDownloadTask {
        let body = TaskBody(request.state.body)
        let core = makeCore(request, .download(DownloadState()), body, consumer, delegate)
        let task = URLSessionDownloadTask(core: core)
        register(core, as: task)
        return task
    }

    func makeDownloadTask(
        resumeData: Data,
        _ consumer: TaskConsumer,
        delegate: (any URLSessionTaskDelegate)? = nil
    ) -> URLSessionDownloadTask {
        let resumption = ResumeData(resumeData)
        let download = DownloadState(resuming: resumption)
        let core = makeCore(resumption?.request, .download(download), .none, consumer, delegate)
        let task = URLSessionDownloadTask(core: core)
        if resumption == nil { core.state.withLock { $0.startFailure = .invalidResumeData } }
        register(core, as: task)
        return task
    }

    func makeCore(
        _ request: URLRequest?,
        _ kind: TaskKindState,
        _ body: TaskBody,
        _ consumer: TaskConsumer,
        _ delegate: (any URLSessionTaskDelegate)?
    ) -> TaskCore {
        TaskCore(
            identifier: core.nextIdentifier(),
            state: TaskState(
                session: self,
                request: request,
                kind: kind,
                body: body,
                consumer: consumer,
                delegate: delegate
            )
        )
    }

    /// Registers a task with the session. If the session is invalid, the task fails when it starts.
    func register(_ task: TaskCore, as object: URLSessionTask) {
        let isTaken = core.add(task)
        let isCancelled = task.state.withLock { state in
            // Swift tasks start theirs at once, and don't hold the object.
            if isTaken || state.consumer.isSwiftTask { state.task = object }
            if !isTaken { state.startFailure = .sessionIsInvalid { [weak object] in object } }
            return state.life.isCancelled
        }
        // The session may have cancelled this task before it had its task object. Then its end
        // hasn't been delivered yet.
        if isCancelled { task.advance() }
    }
}
