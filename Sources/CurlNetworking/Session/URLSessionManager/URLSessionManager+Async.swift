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

    /// Uploads an asynchronous sequence, and returns the serialized response.
    ///
    /// The sequence is iterated as fast as the connection accepts its bytes. A retry needs a
    /// sequence that can be restarted, unless its iteration hasn't begun.
    ///
    /// - Parameters:
    ///   - sequence: The body. The request's own body is ignored.
    ///   - interceptor: Intercepts this request, after the manager's interceptor.
    ///   - progress: Called on ``operationQueue`` as the sequence is sent.
    /// - Throws: The error of the transport or the serializer. If the sequence throws, its error is
    ///   the underlying error.
    public func upload(
        for request: URLRequest,
        from sequence: UploadSequence,
        interceptor: (any RequestInterceptor)? = nil,
        progress: ProgressHandler? = nil
    ) async throws -> (object: (any Sendable)?, response: URLResponse) {
        let taskOptions = TaskOptions(uploadProgress: progress, interceptor: interceptor)
        return try await run(.uploadSequence(request, sequence), taskOptions).result()
    }

    /// Uploads an asynchronous sequence of chunks, such as `[UInt8]` or `Data`.
    ///
    /// The chunks can be sent once. To send them again, for instance in a retry, upload an
    /// `UploadSequence` that can be restarted.
    ///
    /// - Parameters:
    ///   - chunks: Iterated as fast as the connection accepts bytes, in a Swift task of its own.
    ///   - length: The number of bytes in all chunks, which isn't negative; `nil`, the default, if
    ///     unknown.
    ///   - interceptor: Intercepts this request, after the manager's interceptor.
    ///   - progress: Called on ``operationQueue`` as the chunks are sent.
    /// - Returns: The serialized response.
    /// - Throws: The error of the transport or the serializer. If the sequence throws, its error is
    ///   the underlying error.
    public func upload<Chunks: AsyncSequence & Sendable>(
        for request: URLRequest,
        from chunks: Chunks,
        length: Int64? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        progress: ProgressHandler? = nil
    ) async throws -> (object: (any Sendable)?, response: URLResponse)
    where Chunks.Element: Collection<UInt8> & Sendable {
        try await upload(
            for: request,
            from: UploadSequence(chunks, length: length),
            interceptor: interceptor,
            progress: progress
        )
    }

    /// Uploads an asynchronous sequence of bytes, such as `URLSession.AsyncBytes`.
    ///
    /// The bytes are collected: they are sent when there are 16 KiB of them, and at the end. They
    /// can be sent once.
    ///
    /// - Parameters:
    ///   - bytes: Iterated as fast as the connection accepts them, in a Swift task of its own.
    ///   - length: The number of bytes, which isn't negative; `nil`, the default, if unknown.
    ///   - interceptor: Intercepts this request, after the manager's interceptor.
    ///   - progress: Called on ``operationQueue`` as the bytes are sent.
    /// - Returns: The serialized response.
    /// - Throws: The error of the transport or the serializer. If the sequence throws, its error is
    ///   the underlying error.
    public func upload<Bytes: AsyncSequence & Sendable>(
        for request: URLRequest,
        from bytes: Bytes,
        length: Int64? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        progress: ProgressHandler? = nil
    ) async throws -> (object: (any Sendable)?, response: URLResponse)
    where Bytes.Element == UInt8 {
        try await upload(
            for: request,
            from: UploadSequence(bytes, length: length),
            interceptor: interceptor,
            progress: progress
        )
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
