package import Foundation
internal import Synchronization

// What layers above the URL loading system know of a session, beside what everybody may.

extension URLSession {
    /// The tasks that aren't over, by their kinds, each kind in the order of its tasks' creation. Uploads
    /// aren't among the data tasks. Answered at once, on any thread.
    package var currentTasks:
        (
            data: [URLSessionDataTask], upload: [URLSessionUploadTask],
            download: [URLSessionDownloadTask]
        )
    { core.tasksByKind }

    /// Has requests from now on use new connections, with all that is asked of a server anew.
    package func forgetConnections() {
        core.forgetConnections()
    }

    // MARK: Tasks that have their delegates from the beginning

    // A task may be cancelled, with its session, before whoever has created it sets anything.

    /// Creates a task for a request.
    package func dataTask(
        with request: URLRequest,
        delegate: any URLSessionTaskDelegate
    ) -> URLSessionDataTask {
        makeDataTask(request, .delegate, delegate: delegate)
    }

    /// Creates a task that sends a file.
    package func uploadTask(
        with request: URLRequest,
        fromFile fileURL: URL,
        delegate: any URLSessionTaskDelegate
    ) -> URLSessionUploadTask {
        makeUploadTask(request, .file(fileURL), .delegate, delegate: delegate)
    }

    /// Creates a task that sends `bodyData`.
    package func uploadTask(
        with request: URLRequest,
        from bodyData: Data,
        delegate: any URLSessionTaskDelegate
    ) -> URLSessionUploadTask {
        makeUploadTask(request, .data(bodyData), .delegate, delegate: delegate)
    }

    /// Creates a task that asks its delegate for the stream to send, the first time too.
    package func uploadTask(
        askingForStreamOf request: URLRequest,
        delegate: any URLSessionTaskDelegate
    ) -> URLSessionUploadTask {
        makeUploadTask(request, .asked, .delegate, delegate: delegate)
    }

    /// Creates a task that writes the response's content to a file.
    package func downloadTask(
        with request: URLRequest,
        delegate: any URLSessionTaskDelegate
    ) -> URLSessionDownloadTask {
        makeDownloadTask(request, .delegate, delegate: delegate)
    }

    /// Creates a task that goes on with a download.
    package func downloadTask(
        withResumeData resumeData: Data,
        delegate: any URLSessionTaskDelegate
    ) -> URLSessionDownloadTask {
        makeDownloadTask(resumeData: resumeData, .delegate, delegate: delegate)
    }
}

// What layers above the URL loading system know of a task.

extension URLSessionTask {
    /// Has another one have a say in the task's attempts; `nil` for nobody. To be called before the task is
    /// resumed.
    package func setInterceptor(_ interceptor: (any URLSessionTaskInterceptor)?) {
        core.setInterceptor(interceptor)
    }

    /// Whether the request's body can be sent once more without anybody's help: it isn't a stream, or one
    /// that begins again.
    package var hasRepeatableBody: Bool { core.state.withLock { $0.hasRepeatableBody } }
}
