public import CurlURLSession
public import Foundation

// The same for Swift tasks, which go on without any queue: neither the completion queue nor the group is
// used. Cancelling the Swift task cancels the request, and is thrown as `URLError.cancelled`.

extension URLSessionManager {
    /// Loads a request and returns what the serializer made of its response.
    ///
    /// - Parameters:
    ///   - interceptor: Of this request, after the manager's.
    ///   - uploadProgress: Called on ``operationQueue`` as the request's body is sent.
    ///   - downloadProgress: Called on ``operationQueue`` as the response's body comes.
    /// - Throws: The transport's error, or the serializer's.
    public func object(
        for request: URLRequest,
        interceptor: (any RequestInterceptor)? = nil,
        uploadProgress: ProgressHandler? = nil,
        downloadProgress: ProgressHandler? = nil
    ) async throws -> (object: (any Sendable)?, response: URLResponse) {
        let wishes = TaskWishes(
            uploadProgress: uploadProgress,
            downloadProgress: downloadProgress,
            interceptor: interceptor
        )
        return try await run(wishes) { session.dataTask(with: request, delegate: $0) }.result()
    }

    /// Sends a file and returns what the serializer made of the response.
    ///
    /// - Parameters:
    ///   - interceptor: Of this request, after the manager's.
    ///   - progress: Called on ``operationQueue`` as the file is sent.
    /// - Throws: The transport's error, or the serializer's.
    public func upload(
        for request: URLRequest,
        fromFile fileURL: URL,
        interceptor: (any RequestInterceptor)? = nil,
        progress: ProgressHandler? = nil
    ) async throws -> (object: (any Sendable)?, response: URLResponse) {
        try await run(TaskWishes(uploadProgress: progress, interceptor: interceptor)) {
            session.uploadTask(with: request, fromFile: fileURL, delegate: $0)
        }.result()
    }

    /// Sends `bodyData` and returns what the serializer made of the response.
    ///
    /// - Parameters:
    ///   - interceptor: Of this request, after the manager's.
    ///   - progress: Called on ``operationQueue`` as the body is sent.
    /// - Throws: The transport's error, or the serializer's.
    public func upload(
        for request: URLRequest,
        from bodyData: Data,
        interceptor: (any RequestInterceptor)? = nil,
        progress: ProgressHandler? = nil
    ) async throws -> (object: (any Sendable)?, response: URLResponse) {
        try await run(TaskWishes(uploadProgress: progress, interceptor: interceptor)) {
            session.uploadTask(with: request, from: bodyData, delegate: $0)
        }.result()
    }

    /// Sends a request's stream and returns what the serializer made of the response; see
    /// ``uploadTask(withStreamedRequest:progress:completionHandler:)``.
    ///
    /// - Parameters:
    ///   - interceptor: Of this request, after the manager's.
    ///   - progress: Called on ``operationQueue`` as the stream is sent.
    /// - Throws: The transport's error, or the serializer's.
    public func upload(
        withStreamedRequest request: URLRequest,
        interceptor: (any RequestInterceptor)? = nil,
        progress: ProgressHandler? = nil
    ) async throws -> (object: (any Sendable)?, response: URLResponse) {
        try await run(TaskWishes(uploadProgress: progress, interceptor: interceptor)) {
            session.uploadTask(askingForStreamOf: request, delegate: $0)
        }.result()
    }

    /// Writes a response's body to a file and returns when it is where it was wanted.
    ///
    /// The file is there, too, if the serializer has thrown because of the status.
    ///
    /// - Parameters:
    ///   - options: What may be done for the file to get there.
    ///   - interceptor: Of this request, after the manager's.
    ///   - progress: Called on ``operationQueue`` as the file grows.
    ///   - destination: Called on ``operationQueue``; says where the file is moved.
    /// - Throws: The transport's error, the serializer's, or why the file couldn't be moved.
    public func download(
        for request: URLRequest,
        options: DownloadOptions = [],
        interceptor: (any RequestInterceptor)? = nil,
        progress: ProgressHandler? = nil,
        to destination: @escaping Destination
    ) async throws -> (file: URL, response: URLResponse) {
        let wishes = TaskWishes(
            downloadProgress: progress,
            destination: destination,
            downloadOptions: options,
            interceptor: interceptor
        )
        return try await run(wishes) { session.downloadTask(with: request, delegate: $0) }.moved()
    }

    /// Goes on with a download and returns when the file is where it was wanted; see
    /// ``download(for:options:interceptor:progress:to:)``.
    ///
    /// - Parameters:
    ///   - resumeData: From `URLSessionDownloadTask.cancel(byProducingResumeData:)`, or from an error's
    ///     `downloadTaskResumeData`.
    ///   - options: What may be done for the file to get there.
    ///   - interceptor: Of this request, after the manager's.
    ///   - progress: Called on ``operationQueue``; begins with what there was.
    ///   - destination: Called on ``operationQueue``; says where the file is moved.
    /// - Throws: The transport's error, the serializer's, or why the file couldn't be moved.
    public func download(
        resumeFrom resumeData: Data,
        options: DownloadOptions = [],
        interceptor: (any RequestInterceptor)? = nil,
        progress: ProgressHandler? = nil,
        to destination: @escaping Destination
    ) async throws -> (file: URL, response: URLResponse) {
        let wishes = TaskWishes(
            downloadProgress: progress,
            destination: destination,
            downloadOptions: options,
            interceptor: interceptor
        )
        return try await run(wishes) {
            session.downloadTask(withResumeData: resumeData, delegate: $0)
        }.moved()
    }

    /// Creates a task, runs it, and cancels it with the Swift task.
    func run(
        _ wishes: TaskWishes,
        _ make: (URLSessionManagerTaskDelegate) -> URLSessionTask
    ) async -> TaskOutcome {
        let waiter = OutcomeWaiter()
        var wishes = wishes
        wishes.consumer = .swiftTask { waiter.take($0) }
        let keepsResumeData = wishes.downloadOptions.contains(.keepResumeDataWhenCancelled)
        let task = core.created(make(delegate(wishes)))
        return await withTaskCancellationHandler {
            task.resume()
            return await waiter.outcome()
        } onCancel: {
            if keepsResumeData, let download = task as? URLSessionDownloadTask {
                download.cancel(byProducingResumeData: { _ in })
            } else {
                task.cancel()
            }
        }
    }
}

extension TaskOutcome {
    fileprivate func result() throws -> (object: (any Sendable)?, response: URLResponse) {
        if let error { throw error }
        guard let response else { throw URLError(.badServerResponse) }
        return (object, response)
    }

    fileprivate func moved() throws -> (file: URL, response: URLResponse) {
        if let error { throw error }
        guard let response, let file else { throw URLError(.badServerResponse) }
        return (file, response)
    }
}
