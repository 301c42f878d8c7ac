public import CurlURLSession
public import Foundation

// Asynchronous methods, which use no queue: neither the completion queue nor the group. Cancelling
// the Swift task cancels the request, which then throws `URLError.cancelled`. In a subclass they
// create their tasks with the methods that may be overridden.

extension URLSessionManager {
    /// Loads a request, and returns the serialized response.
    ///
    /// - Parameters:
    ///   - interceptor: Intercepts this request, after the manager's interceptor.
    ///   - uploadProgress: Called on ``operationQueue`` as the request's body is sent.
    ///   - downloadProgress: Called on ``operationQueue`` as the response's body arrives.
    /// - Throws: The error of the transport or the serializer.
    public func object(
        for request: URLRequest,
        interceptor: (any RequestInterceptor)? = nil,
        uploadProgress: ProgressHandler? = nil,
        downloadProgress: ProgressHandler? = nil
    ) async throws -> (object: (any Sendable)?, response: URLResponse) {
        let taskOptions = TaskOptions(
            uploadProgress: uploadProgress,
            downloadProgress: downloadProgress,
            interceptor: interceptor
        )
        return try await run(.data(request), taskOptions).result()
    }

    /// Uploads a file, and returns the serialized response.
    ///
    /// - Parameters:
    ///   - interceptor: Intercepts this request, after the manager's interceptor.
    ///   - progress: Called on ``operationQueue`` as the file is sent.
    /// - Throws: The error of the transport or the serializer.
    public func upload(
        for request: URLRequest,
        fromFile fileURL: URL,
        interceptor: (any RequestInterceptor)? = nil,
        progress: ProgressHandler? = nil
    ) async throws -> (object: (any Sendable)?, response: URLResponse) {
        let taskOptions = TaskOptions(uploadProgress: progress, interceptor: interceptor)
        return try await run(.upload(request, file: fileURL), taskOptions).result()
    }

    /// Uploads `bodyData`, and returns the serialized response.
    ///
    /// - Parameters:
    ///   - interceptor: Intercepts this request, after the manager's interceptor.
    ///   - progress: Called on ``operationQueue`` as the body is sent.
    /// - Throws: The error of the transport or the serializer.
    public func upload(
        for request: URLRequest,
        from bodyData: Data,
        interceptor: (any RequestInterceptor)? = nil,
        progress: ProgressHandler? = nil
    ) async throws -> (object: (any Sendable)?, response: URLResponse) {
        let taskOptions = TaskOptions(uploadProgress: progress, interceptor: interceptor)
        return try await run(.uploadData(request, bodyData), taskOptions).result()
    }

    /// Uploads a request's stream, and returns the serialized response.
    ///
    /// See ``uploadTask(withStreamedRequest:progress:completionHandler:)``.
    ///
    /// - Parameters:
    ///   - interceptor: Intercepts this request, after the manager's interceptor.
    ///   - progress: Called on ``operationQueue`` as the stream is sent.
    /// - Throws: The error of the transport or the serializer.
    public func upload(
        withStreamedRequest request: URLRequest,
        interceptor: (any RequestInterceptor)? = nil,
        progress: ProgressHandler? = nil
    ) async throws -> (object: (any Sendable)?, response: URLResponse) {
        let taskOptions = TaskOptions(uploadProgress: progress, interceptor: interceptor)
        return try await run(.uploadStream(request), taskOptions).result()
    }

    /// Downloads a file, and returns when it is at its destination.
    ///
    /// The file is also there if the serializer throws because of the status.
    ///
    /// - Parameters:
    ///   - options: How the file may get to its destination.
    ///   - interceptor: Intercepts this request, after the manager's interceptor.
    ///   - progress: Called on ``operationQueue`` as the file grows.
    ///   - destination: Called on ``operationQueue``; returns where to move the file.
    /// - Throws: The error of the transport or the serializer, or why the file couldn't be moved.
    public func download(
        for request: URLRequest,
        options: DownloadOptions = [],
        interceptor: (any RequestInterceptor)? = nil,
        progress: ProgressHandler? = nil,
        to destination: @escaping Destination
    ) async throws -> (file: URL, response: URLResponse) {
        let taskOptions = TaskOptions(
            downloadProgress: progress,
            destination: destination,
            downloadOptions: options,
            interceptor: interceptor
        )
        return try await run(.download(request), taskOptions).moved()
    }

    /// Resumes a download, and returns when the file is at its destination.
    ///
    /// See ``download(for:options:interceptor:progress:to:)``.
    ///
    /// - Parameters:
    ///   - resumeData: From `URLSessionDownloadTask.cancel(byProducingResumeData:)`, or from an
    ///     error's `downloadTaskResumeData`.
    ///   - options: How the file may get to its destination.
    ///   - interceptor: Intercepts this request, after the manager's interceptor.
    ///   - progress: Called on ``operationQueue``; starts with the existing bytes.
    ///   - destination: Called on ``operationQueue``; returns where to move the file.
    /// - Throws: The error of the transport or the serializer, or why the file couldn't be moved.
    public func download(
        resumeFrom resumeData: Data,
        options: DownloadOptions = [],
        interceptor: (any RequestInterceptor)? = nil,
        progress: ProgressHandler? = nil,
        to destination: @escaping Destination
    ) async throws -> (file: URL, response: URLResponse) {
        let taskOptions = TaskOptions(
            downloadProgress: progress,
            destination: destination,
            downloadOptions: options,
            interceptor: interceptor
        )
        return try await run(.resumedDownload(resumeData), taskOptions).moved()
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
