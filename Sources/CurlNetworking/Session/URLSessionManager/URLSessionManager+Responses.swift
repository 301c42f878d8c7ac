public import CurlURLSession
public import Foundation

// Asynchronous methods that return a response value with the result, metrics and errors. They don't
// throw. Cancelling the Swift task cancels the request, whose error is `URLError.cancelled`.

extension URLSessionManager {
    /// Loads a request, and returns its response value.
    ///
    /// The value has the response, the serialized object and the metrics.
    ///
    /// ```swift
    /// let response = await manager.dataResponse(
    ///     for: request,
    ///     serializer: DecodableResponseSerializer<[User]>()
    /// )
    /// print(response.response?.statusCode ?? 0, response.metrics?.taskInterval.duration ?? 0)
    /// let users = try response.result.get()
    /// ```
    ///
    /// - Parameters:
    ///   - serializer: Used instead of ``responseSerializer``.
    ///   - interceptor: Intercepts this request, after the manager's interceptor.
    ///   - uploadProgress: Called on ``operationQueue`` as the request's body is sent.
    ///   - downloadProgress: Called on ``operationQueue`` as the response's body arrives.
    public func dataResponse<Serializer: ResponseValueSerialization>(
        for request: URLRequest,
        serializer: Serializer,
        interceptor: (any RequestInterceptor)? = nil,
        uploadProgress: ProgressHandler? = nil,
        downloadProgress: ProgressHandler? = nil
    ) async -> DataResponse<Serializer.Value, NetworkingError> {
        let taskOptions = TaskOptions(
            uploadProgress: uploadProgress,
            downloadProgress: downloadProgress,
            interceptor: interceptor
        )
        let awaited =
            request.httpBodyStream == nil
            ? AwaitedTask.data(request) : .uploadStream(request)
        return DataResponse(await run(awaited, taskOptions, serializer: serializer))
    }

    /// Uploads a file, and returns the response value.
    ///
    /// See ``dataResponse(for:serializer:interceptor:uploadProgress:downloadProgress:)``.
    ///
    /// - Parameters:
    ///   - serializer: Used instead of ``responseSerializer``.
    ///   - interceptor: Intercepts this request, after the manager's interceptor.
    ///   - progress: Called on ``operationQueue`` as the file is sent.
    public func dataResponse<Serializer: ResponseValueSerialization>(
        for request: URLRequest,
        fromFile fileURL: URL,
        serializer: Serializer,
        interceptor: (any RequestInterceptor)? = nil,
        progress: ProgressHandler? = nil
    ) async -> DataResponse<Serializer.Value, NetworkingError> {
        let taskOptions = TaskOptions(uploadProgress: progress, interceptor: interceptor)
        let upload = AwaitedTask.upload(request, file: fileURL)
        return DataResponse(await run(upload, taskOptions, serializer: serializer))
    }

    // MARK: Downloads

    /// Downloads a file, and returns the response value.
    ///
    /// See ``download(for:options:interceptor:progress:to:)``.
    ///
    /// - Parameters:
    ///   - options: How the file may get to its destination.
    ///   - interceptor: Intercepts this request, after the manager's interceptor.
    ///   - progress: Called on ``operationQueue`` as the file grows.
    ///   - destination: Called on ``operationQueue``; returns where to move the file.
    public func downloadResponse(
        for request: URLRequest,
        options: DownloadOptions = [],
        interceptor: (any RequestInterceptor)? = nil,
        progress: ProgressHandler? = nil,
        to destination: @escaping Destination
    ) async -> DownloadResponse<URL, NetworkingError> {
        let taskOptions = TaskOptions(
            downloadProgress: progress,
            destination: destination,
            downloadOptions: options,
            interceptor: interceptor
        )
        return DownloadResponse(await run(.download(request), taskOptions))
    }

    /// Resumes a download, and returns the response value.
    ///
    /// See ``download(resumeFrom:options:interceptor:progress:to:)``.
    ///
    /// - Parameters:
    ///   - resumeData: For instance ``DownloadResponse/resumeData``.
    ///   - options: How the file may get to its destination.
    ///   - interceptor: Intercepts this request, after the manager's interceptor.
    ///   - progress: Called on ``operationQueue``; starts with the existing bytes.
    ///   - destination: Called on ``operationQueue``; returns where to move the file.
    public func downloadResponse(
        resumeFrom resumeData: Data,
        options: DownloadOptions = [],
        interceptor: (any RequestInterceptor)? = nil,
        progress: ProgressHandler? = nil,
        to destination: @escaping Destination
    ) async -> DownloadResponse<URL, NetworkingError> {
        let taskOptions = TaskOptions(
            downloadProgress: progress,
            destination: destination,
            downloadOptions: options,
            interceptor: interceptor
        )
        return DownloadResponse(await run(.resumedDownload(resumeData), taskOptions))
    }

    /// Downloads a file, and returns its serialized content.
    ///
    /// The file stays. It is read into memory as a whole, unless the response's status isn't
    /// acceptable to the serializer: then the download fails before.
    ///
    /// - Parameters:
    ///   - serializer: Used instead of ``responseSerializer``.
    ///   - options: How the file may get to its destination.
    ///   - interceptor: Intercepts this request, after the manager's interceptor. It isn't asked
    ///     about errors of the file's serialization.
    ///   - progress: Called on ``operationQueue`` as the file grows.
    ///   - destination: Called on ``operationQueue``; returns where to move the file.
    public func downloadResponse<Serializer: ResponseValueSerialization>(
        for request: URLRequest,
        serializer: Serializer,
        options: DownloadOptions = [],
        interceptor: (any RequestInterceptor)? = nil,
        progress: ProgressHandler? = nil,
        to destination: @escaping Destination
    ) async -> DownloadResponse<Serializer.Value, NetworkingError> {
        let taskOptions = TaskOptions(
            downloadProgress: progress,
            destination: destination,
            downloadOptions: options,
            interceptor: interceptor
        )
        let head = ResponseHeadSerializer(other: serializer)
        let outcome = await run(.download(request), taskOptions, serializer: head)
        return await withCheckedContinuation { continuation in
            ProcessingQueue.shared.async {
                continuation.resume(returning: DownloadResponse(outcome, serializer))
            }
        }
    }
}
