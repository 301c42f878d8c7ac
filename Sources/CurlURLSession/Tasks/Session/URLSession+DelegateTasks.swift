package import Foundation
internal import Synchronization

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
    { core.tasksByKind }

    /// Makes later requests use new connections. All handshakes with a server are repeated.
    package func forgetConnections() {
        core.forgetConnections()
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
    /// That is so unless it is a stream that can't be restarted.
    package var hasRepeatableBody: Bool { core.state.withLock { $0.exchange.hasRepeatableBody } }

    /// The body that the task has collected and reported so far; empty without a
    /// ``URLSessionBodyCollector``.
    package var collectedBody: Data { core.state.withLock { $0.exchange.buffer.reported } }

    /// Moves the collected body out of a completed task.
    package func takeCollectedBody() -> Data {
        core.state.withLock { $0.exchange.buffer.takeReported() }
    }
}
