public import Foundation

// Each of these runs a task to its end. Cancelling the Swift task cancels that one, and is told as
// `URLError.cancelled`. A task's own delegate, or the session's, is asked about redirects and
// challenges and told of metrics; the response is answered here alone.

extension URLSession {
    /// Loads a request into memory.
    ///
    /// - Parameter delegate: Is asked and told before the session's delegate.
    /// - Returns: The content, and the response, whatever its status.
    /// - Throws: `URLError`.
    public func data(
        for request: URLRequest,
        delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (Data, URLResponse) {
        try await makeDataTask(request, .awaited, delegate: delegate).core.data()
    }

    /// Loads a URL into memory.
    ///
    /// - Parameter delegate: Is asked and told before the session's delegate.
    /// - Returns: The content, and the response, whatever its status.
    /// - Throws: `URLError`.
    public func data(
        from url: URL,
        delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (Data, URLResponse) {
        try await data(for: URLRequest(url: url), delegate: delegate)
    }

    /// Sends a file.
    ///
    /// - Parameter delegate: Is asked and told before the session's delegate.
    /// - Returns: The response's content, and the response, whatever its status.
    /// - Throws: `URLError`.
    public func upload(
        for request: URLRequest,
        fromFile fileURL: URL,
        delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (Data, URLResponse) {
        let task = makeUploadTask(request, .file(fileURL), .awaited, delegate: delegate)
        return try await task.core.data()
    }

    /// Sends bytes.
    ///
    /// - Parameter delegate: Is asked and told before the session's delegate.
    /// - Returns: The response's content, and the response, whatever its status.
    /// - Throws: `URLError`.
    public func upload(
        for request: URLRequest,
        from bodyData: Data,
        delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (Data, URLResponse) {
        let task = makeUploadTask(request, .data(bodyData), .awaited, delegate: delegate)
        return try await task.core.data()
    }

    /// Writes a response's content to a file.
    ///
    /// - Parameter delegate: Is asked and told before the session's delegate.
    /// - Returns: The file, which is the caller's to move or remove, and the response, whatever its
    ///   status.
    /// - Throws: `URLError`.
    public func download(
        for request: URLRequest,
        delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (URL, URLResponse) {
        try await makeDownloadTask(request, .awaited, delegate: delegate).core.file()
    }

    /// Writes a response's content to a file.
    ///
    /// - Parameter delegate: Is asked and told before the session's delegate.
    /// - Returns: The file, which is the caller's to move or remove, and the response, whatever its
    ///   status.
    /// - Throws: `URLError`.
    public func download(
        from url: URL,
        delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (URL, URLResponse) {
        try await download(for: URLRequest(url: url), delegate: delegate)
    }

    /// Goes on with a download where it was cancelled.
    ///
    /// - Parameters:
    ///   - resumeData: From ``URLSessionDownloadTask/cancel(byProducingResumeData:)``, or from the
    ///     error of a download that failed.
    ///   - delegate: Is asked and told before the session's delegate.
    /// - Returns: The file, which is the caller's to move or remove, and the response.
    /// - Throws: `URLError`.
    public func download(
        resumeFrom resumeData: Data,
        delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (URL, URLResponse) {
        let task = makeDownloadTask(resumeData: resumeData, .awaited, delegate: delegate)
        return try await task.core.file()
    }

    /// Loads a request and hands its content out byte by byte, as it comes.
    ///
    /// As long as nobody reads, no more than a window of some 256 KiB is taken from the server. Who
    /// lets go of the bytes before their end cancels the task.
    ///
    /// - Parameter delegate: Is asked and told before the session's delegate.
    /// - Returns: The content, and the response as soon as its head is there, whatever its status.
    /// - Throws: `URLError`.
    public func bytes(
        for request: URLRequest,
        delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (AsyncBytes, URLResponse) {
        let task = makeDataTask(request, .stream, delegate: delegate)
        let response = try await task.core.head()
        return (AsyncBytes(task: task), response)
    }

    /// Loads a URL and hands its content out byte by byte, as it comes; see ``bytes(for:delegate:)``.
    public func bytes(
        from url: URL,
        delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (AsyncBytes, URLResponse) {
        try await bytes(for: URLRequest(url: url), delegate: delegate)
    }

    /// The data, upload and download tasks that aren't over, those that never began included.
    public var tasks: ([URLSessionDataTask], [URLSessionUploadTask], [URLSessionDownloadTask]) {
        get async {
            let sorted = core.tasksByKind
            return (sorted.data, sorted.upload, sorted.download)
        }
    }

    /// The tasks that aren't over, those that never began included.
    public var allTasks: [URLSessionTask] {
        get async { core.tasks }
    }
}
