public import Foundation

// Each method runs a task to its end. Cancelling the Swift task cancels the session task, and
// throws `URLError.cancelled`. The task's own delegate, or the session's, decides on redirects and
// challenges and gets the metrics. The task's own delegate also gets the response, the body and the
// progress, except those of `bytes`; the session's delegate doesn't.

extension URLSession {
    /// Loads a request into memory.
    ///
    /// - Parameter delegate: The task's delegate; it takes precedence over the session's. A
    ///   ``URLSessionDataDelegate`` also gets the response and the body as they arrive. Apple's
    ///   URLSession doesn't call it for them.
    /// - Returns: The body and the response, whatever its status.
    /// - Throws: `URLError`.
    public func data(
        for request: URLRequest,
        delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (Data, URLResponse) {
        try await makeDataTask(request, .awaited, delegate: delegate).core.data()
    }

    /// Loads a URL into memory.
    ///
    /// - Parameter delegate: The task's delegate; it takes precedence over the session's. A
    ///   ``URLSessionDataDelegate`` also gets the response and the body as they arrive. Apple's
    ///   URLSession doesn't call it for them.
    /// - Returns: The body and the response, whatever its status.
    /// - Throws: `URLError`.
    public func data(
        from url: URL,
        delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (Data, URLResponse) {
        try await data(for: URLRequest(url: url), delegate: delegate)
    }

    /// Uploads a file.
    ///
    /// - Parameter delegate: The task's delegate; it takes precedence over the session's. A
    ///   ``URLSessionDataDelegate`` also gets the response and the body as they arrive. Apple's
    ///   URLSession doesn't call it for them.
    /// - Returns: The response's body and the response, whatever its status.
    /// - Throws: `URLError`.
    public func upload(
        for request: URLRequest,
        fromFile fileURL: URL,
        delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (Data, URLResponse) {
        let task = makeUploadTask(request, .file(fileURL), .awaited, delegate: delegate)
        return try await task.core.data()
    }

    /// Uploads data.
    ///
    /// - Parameter delegate: The task's delegate; it takes precedence over the session's. A
    ///   ``URLSessionDataDelegate`` also gets the response and the body as they arrive. Apple's
    ///   URLSession doesn't call it for them.
    /// - Returns: The response's body and the response, whatever its status.
    /// - Throws: `URLError`.
    public func upload(
        for request: URLRequest,
        from bodyData: Data,
        delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (Data, URLResponse) {
        let task = makeUploadTask(request, .data(bodyData), .awaited, delegate: delegate)
        return try await task.core.data()
    }

    /// Downloads a response's body to a file.
    ///
    /// - Parameter delegate: The task's delegate; it takes precedence over the session's. A
    ///   ``URLSessionDownloadDelegate`` also gets the progress. Apple's URLSession doesn't call it
    ///   for that.
    /// - Returns: The file, which the caller must move or remove, and the response, whatever its
    ///   status.
    /// - Throws: `URLError`.
    public func download(
        for request: URLRequest,
        delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (URL, URLResponse) {
        try await makeDownloadTask(request, .awaited, delegate: delegate).core.file()
    }

    /// Downloads a response's body to a file.
    ///
    /// - Parameter delegate: The task's delegate; it takes precedence over the session's. A
    ///   ``URLSessionDownloadDelegate`` also gets the progress. Apple's URLSession doesn't call it
    ///   for that.
    /// - Returns: The file, which the caller must move or remove, and the response, whatever its
    ///   status.
    /// - Throws: `URLError`.
    public func download(
        from url: URL,
        delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (URL, URLResponse) {
        try await download(for: URLRequest(url: url), delegate: delegate)
    }

    /// Resumes a cancelled or failed download.
    ///
    /// - Parameters:
    ///   - resumeData: From ``URLSessionDownloadTask/cancel(byProducingResumeData:)``, or from the
    ///     error of a failed download.
    ///   - delegate: The task's delegate; it takes precedence over the session's. A
    ///     ``URLSessionDownloadDelegate`` also gets the offset and the progress. Apple's URLSession
    ///     doesn't call it for them.
    /// - Returns: The file, which the caller must move or remove, and the response.
    /// - Throws: `URLError`.
    public func download(
        resumeFrom resumeData: Data,
        delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (URL, URLResponse) {
        let task = makeDownloadTask(resumeData: resumeData, .awaited, delegate: delegate)
        return try await task.core.file()
    }

    /// Loads a request and returns its body as a sequence of bytes.
    ///
    /// While the consumer doesn't read, a window of about 768 KiB limits how much is received from
    /// the server. Releasing the sequence before its end cancels the task.
    ///
    /// - Parameter delegate: The task's delegate; it takes precedence over the session's.
    /// - Returns: The body, and the response as soon as its head has arrived, whatever its status.
    /// - Throws: `URLError`.
    public func bytes(
        for request: URLRequest,
        delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (AsyncBytes, URLResponse) {
        let task = makeDataTask(request, .stream, delegate: delegate)
        let response = try await task.core.head()
        return (AsyncBytes(task: task), response)
    }

    /// Loads a URL and returns its body as a sequence of bytes. See ``bytes(for:delegate:)``.
    public func bytes(
        from url: URL,
        delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (AsyncBytes, URLResponse) {
        try await bytes(for: URLRequest(url: url), delegate: delegate)
    }

    /// The data, upload and download tasks in progress. See ``getAllTasks(completionHandler:)``.
    public var tasks: ([URLSessionDataTask], [URLSessionUploadTask], [URLSessionDownloadTask]) {
        get async {
            let sorted = SortedTasks(core.tasksInProgress)
            return (sorted.data, sorted.upload, sorted.download)
        }
    }

    /// All tasks in progress. See ``getAllTasks(completionHandler:)``.
    public var allTasks: [URLSessionTask] {
        get async { core.tasksInProgress }
    }
}
