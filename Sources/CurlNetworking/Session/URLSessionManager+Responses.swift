public import CurlURLSession
public import Foundation

// The same for Swift tasks that want to know all of an exchange, however it comes out: these methods don't
// throw. Cancelling the Swift task cancels the request, which is told as `URLError.cancelled`.

extension URLSessionManager {
    /// Loads a request and returns its response, what the serializer made of it, and what that took.
    ///
    /// ```swift
    /// let response = await manager.dataResponse(for: request, serializer: DecodableResponseSerializer<User>())
    /// print(response.response?.statusCode ?? 0, response.metrics?.taskInterval.duration ?? 0)
    /// let user = try response.result.get()
    /// ```
    ///
    /// - Parameters:
    ///   - serializer: Is asked in the place of ``responseSerializer``.
    ///   - interceptor: Of this request, after the manager's.
    ///   - uploadProgress: Called on ``operationQueue`` as the request's body is sent.
    ///   - downloadProgress: Called on ``operationQueue`` as the response's body comes.
    public func dataResponse<Serializer: ResponseValueSerialization>(
        for request: URLRequest,
        serializer: Serializer,
        interceptor: (any RequestInterceptor)? = nil,
        uploadProgress: ProgressHandler? = nil,
        downloadProgress: ProgressHandler? = nil
    ) async -> DataResponse<Serializer.Value, NetworkingError> {
        let wishes = TaskWishes(
            uploadProgress: uploadProgress,
            downloadProgress: downloadProgress,
            interceptor: interceptor
        )
        let outcome = await run(wishes) { delegate in
            delegate.setSerializer(serializer)
            let task: URLSessionTask =
                request.httpBodyStream == nil
                ? session.dataTask(with: request, delegate: delegate)
                : session.uploadTask(askingForStreamOf: request, delegate: delegate)
            return task
        }
        return DataResponse(outcome)
    }

    /// Sends a file and returns the response, what the serializer made of it, and what that took; see
    /// ``dataResponse(for:serializer:interceptor:uploadProgress:downloadProgress:)``.
    ///
    /// - Parameters:
    ///   - serializer: Is asked in the place of ``responseSerializer``.
    ///   - interceptor: Of this request, after the manager's.
    ///   - progress: Called on ``operationQueue`` as the file is sent.
    public func dataResponse<Serializer: ResponseValueSerialization>(
        for request: URLRequest,
        fromFile fileURL: URL,
        serializer: Serializer,
        interceptor: (any RequestInterceptor)? = nil,
        progress: ProgressHandler? = nil
    ) async -> DataResponse<Serializer.Value, NetworkingError> {
        let wishes = TaskWishes(uploadProgress: progress, interceptor: interceptor)
        let outcome = await run(wishes) { delegate in
            delegate.setSerializer(serializer)
            return session.uploadTask(with: request, fromFile: fileURL, delegate: delegate)
        }
        return DataResponse(outcome)
    }

    // MARK: Downloads

    /// Writes a response's body to a file and returns all that is known of that; see
    /// ``download(for:options:interceptor:progress:to:)``.
    ///
    /// - Parameters:
    ///   - options: What may be done for the file to get there.
    ///   - interceptor: Of this request, after the manager's.
    ///   - progress: Called on ``operationQueue`` as the file grows.
    ///   - destination: Called on ``operationQueue``; says where the file is moved.
    public func downloadResponse(
        for request: URLRequest,
        options: DownloadOptions = [],
        interceptor: (any RequestInterceptor)? = nil,
        progress: ProgressHandler? = nil,
        to destination: @escaping Destination
    ) async -> DownloadResponse<URL, NetworkingError> {
        let wishes = TaskWishes(
            downloadProgress: progress,
            destination: destination,
            downloadOptions: options,
            interceptor: interceptor
        )
        return DownloadResponse(
            await run(wishes) { session.downloadTask(with: request, delegate: $0) }
        )
    }

    /// Goes on with a download and returns all that is known of that; see
    /// ``download(resumeFrom:options:interceptor:progress:to:)``.
    ///
    /// - Parameters:
    ///   - resumeData: Such as ``DownloadResponse/resumeData``.
    ///   - options: What may be done for the file to get there.
    ///   - interceptor: Of this request, after the manager's.
    ///   - progress: Called on ``operationQueue``; begins with what there was.
    ///   - destination: Called on ``operationQueue``; says where the file is moved.
    public func downloadResponse(
        resumeFrom resumeData: Data,
        options: DownloadOptions = [],
        interceptor: (any RequestInterceptor)? = nil,
        progress: ProgressHandler? = nil,
        to destination: @escaping Destination
    ) async -> DownloadResponse<URL, NetworkingError> {
        let wishes = TaskWishes(
            downloadProgress: progress,
            destination: destination,
            downloadOptions: options,
            interceptor: interceptor
        )
        return DownloadResponse(
            await run(wishes) { session.downloadTask(withResumeData: resumeData, delegate: $0) }
        )
    }

    /// Writes a response's body to a file, reads that, and returns what the serializer made of it.
    ///
    /// The file stays. It is read into memory as a whole; a response with a status that isn't acceptable to the
    /// serializer fails without that.
    ///
    /// - Parameters:
    ///   - serializer: Is asked in the place of ``responseSerializer``.
    ///   - options: What may be done for the file to get there.
    ///   - interceptor: Of this request, after the manager's. It isn't asked about what the file is made into.
    ///   - progress: Called on ``operationQueue`` as the file grows.
    ///   - destination: Called on ``operationQueue``; says where the file is moved.
    public func downloadResponse<Serializer: ResponseValueSerialization>(
        for request: URLRequest,
        serializer: Serializer,
        options: DownloadOptions = [],
        interceptor: (any RequestInterceptor)? = nil,
        progress: ProgressHandler? = nil,
        to destination: @escaping Destination
    ) async -> DownloadResponse<Serializer.Value, NetworkingError> {
        let wishes = TaskWishes(
            downloadProgress: progress,
            destination: destination,
            downloadOptions: options,
            interceptor: interceptor
        )
        let outcome = await run(wishes) { delegate in
            delegate.setSerializer(ResponseHeadSerializer(other: serializer))
            return session.downloadTask(with: request, delegate: delegate)
        }
        return await withCheckedContinuation { continuation in
            ProcessingQueue.shared.async {
                continuation.resume(returning: DownloadResponse(outcome, serializer))
            }
        }
    }
}
