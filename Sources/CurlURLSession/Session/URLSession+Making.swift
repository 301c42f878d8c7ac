internal import Foundation
internal import Synchronization

// How tasks are made, whoever they tell of their response.

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

    /// - Parameter body: What is sent; `nil` for the request's own body.
    func makeUploadTask(
        _ request: URLRequest,
        _ body: TaskBody?,
        _ consumer: TaskConsumer,
        delegate: (any URLSessionTaskDelegate)? = nil
    ) -> URLSessionUploadTask {
        let body = body ?? TaskBody(request.state.body)
        let core = makeCore(request, .upload, body, consumer, delegate)
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
        let core = makeCore(request, .download, body, consumer, delegate)
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
        let core = makeCore(resumption?.request, .download, .none, consumer, delegate)
        let task = URLSessionDownloadTask(core: core)
        core.state.withLock { state in
            state.resumption = resumption
            if resumption == nil { state.obstacle = .invalidResumeData }
        }
        register(core, as: task)
        return task
    }

    func makeCore(
        _ request: URLRequest?,
        _ kind: TaskKind,
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

    /// A session that was invalidated has its tasks fail when they begin.
    func register(_ task: TaskCore, as object: URLSessionTask) {
        let isTaken = core.add(task)
        let isCancelled = task.state.withLock { state in
            // Swift tasks begin theirs at once, and don't hold it.
            if isTaken || state.consumer.isSwiftTask { state.task = object }
            if !isTaken { state.obstacle = .sessionIsInvalid { [weak object] in object } }
            return state.life.isCancelled
        }
        // Whoever invalidates the session may have been faster, and there was no task to tell of.
        if isCancelled { task.advance() }
    }
}
