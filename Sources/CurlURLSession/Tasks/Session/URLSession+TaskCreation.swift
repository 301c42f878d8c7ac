package import Foundation
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

// Package API of sessions for the layers above the URL loading system.

extension URLSession {
    /// The unfinished tasks by kind, each in order of creation.
    ///
    /// Upload tasks aren't included in the data tasks. Returns at once, on any thread.
    package var currentTasks:
        (
            data: [URLSessionDataTask], upload: [URLSessionUploadTask],
            download: [URLSessionDownloadTask]
        )
    {
        let sorted = SortedTasks(core.tasks)
        return (sorted.data, sorted.upload, sorted.download)
    }

    /// Makes later requests use new connections. All handshakes with a server are repeated.
    package func resetConnectionPool() {
        core.resetConnectionPool()
    }

    // MARK: Tasks created with a delegate

    // The delegate is set at creation: a task may be cancelled with its session before the caller
    // could set it.

    /// Creates a data task for a request.
    package func dataTask(
        with request: URLRequest,
        delegate: any URLSessionTaskDelegate
    ) -> URLSessionDataTask {
        makeDataTask(request, .delegate, delegate: delegate)
    }

    /// Creates a task that uploads a file.
    package func uploadTask(
        with request: URLRequest,
        fromFile fileURL: URL,
        delegate: any URLSessionTaskDelegate
    ) -> URLSessionUploadTask {
        makeUploadTask(request, .file(fileURL), .delegate, delegate: delegate)
    }

    /// Creates a task that uploads `bodyData`.
    package func uploadTask(
        with request: URLRequest,
        from bodyData: Data,
        delegate: any URLSessionTaskDelegate
    ) -> URLSessionUploadTask {
        makeUploadTask(request, .data(bodyData), .delegate, delegate: delegate)
    }

    /// Creates a task that uploads a sequence.
    package func uploadTask(
        with request: URLRequest,
        from sequence: UploadSequence,
        delegate: any URLSessionTaskDelegate
    ) -> URLSessionUploadTask {
        makeUploadTask(request, .sequence(sequence), .delegate, delegate: delegate)
    }

    /// Creates an upload task that always gets its stream from the delegate.
    ///
    /// The delegate also provides the stream of the first attempt.
    package func uploadTask(
        askingForStreamOf request: URLRequest,
        delegate: any URLSessionTaskDelegate
    ) -> URLSessionUploadTask {
        makeUploadTask(request, .asked, .delegate, delegate: delegate)
    }

    /// Creates a task that downloads the response's body to a file.
    package func downloadTask(
        with request: URLRequest,
        delegate: any URLSessionTaskDelegate
    ) -> URLSessionDownloadTask {
        makeDownloadTask(request, .delegate, delegate: delegate)
    }

    /// Creates a task that resumes a download.
    package func downloadTask(
        withResumeData resumeData: Data,
        delegate: any URLSessionTaskDelegate
    ) -> URLSessionDownloadTask {
        makeDownloadTask(resumeData: resumeData, .delegate, delegate: delegate)
    }
}

// Package API of tasks for the layers above the URL loading system.

extension URLSessionTask {
    /// Sets the interceptor of the task's attempts; `nil` removes it. Call it before the task is
    /// resumed.
    package func setInterceptor(_ interceptor: (any URLSessionTaskInterceptor)?) {
        core.setInterceptor(interceptor)
    }

    /// Whether the body can be sent again.
    ///
    /// That is so unless it is a stream that can't be restarted, or a sequence that was begun and
    /// can't be.
    package var hasRepeatableBody: Bool { core.state.withLock { $0.exchange.hasRepeatableBody } }

    /// Whether the delegate may provide another stream as the body. It can't replace a sequence.
    package var mayGetBodyStream: Bool { core.state.withLock { !$0.exchange.body.isSequence } }

    /// The body that the task has collected and reported so far; empty without a
    /// ``URLSessionBodyCollector``.
    package var collectedBody: Data { core.state.withLock { $0.exchange.buffer.reported } }

    /// Moves the collected body out of a completed task.
    package func takeCollectedBody() -> Data {
        core.state.withLock { $0.exchange.buffer.takeReported() }
    }
}
