public import CurlURLSession
public import Foundation
internal import Synchronization

// Asynchronous methods, which use no queue: neither the completion queue nor the group. Cancelling
// the Swift task cancels the request, which then throws `URLError.cancelled`.

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
        return try await run(taskOptions) { session.dataTask(with: request, delegate: $0) }.result()
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
        try await run(TaskOptions(uploadProgress: progress, interceptor: interceptor)) {
            session.uploadTask(with: request, fromFile: fileURL, delegate: $0)
        }.result()
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
        try await run(TaskOptions(uploadProgress: progress, interceptor: interceptor)) {
            session.uploadTask(with: request, from: bodyData, delegate: $0)
        }.result()
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
        try await run(TaskOptions(uploadProgress: progress, interceptor: interceptor)) {
            session.uploadTask(askingForStreamOf: request, delegate: $0)
        }.result()
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
        return try await run(taskOptions) { session.downloadTask(with: request, delegate: $0) }
            .moved()
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
        return try await run(taskOptions) {
            session.downloadTask(withResumeData: resumeData, delegate: $0)
        }.moved()
    }

    /// Creates and runs a task. Cancelling the Swift task cancels it.
    func run(
        _ taskOptions: TaskOptions,
        _ make: (URLSessionManagerTaskDelegate) -> URLSessionTask
    ) async -> TaskOutcome {
        let waiter = OutcomeWaiter()
        var taskOptions = taskOptions
        taskOptions.consumer = .swiftTask { waiter.take($0) }
        let keepsResumeData = taskOptions.downloadOptions.contains(.keepResumeDataWhenCancelled)
        let task = core.created(make(delegate(taskOptions)))
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

/// Passes a task's outcome to the Swift task that waits for it. Either may come first.
private final class OutcomeWaiter: Sendable {
    private enum State: Sendable {
        case open
        case waiting(CheckedContinuation<TaskOutcome, Never>)
        case done(TaskOutcome)
    }

    private let state = Mutex(State.open)

    /// Stores the outcome, or resumes the Swift task that waits for it.
    func take(_ outcome: TaskOutcome) {
        let continuation = state.withLock { state -> CheckedContinuation<TaskOutcome, Never>? in
            guard case .waiting(let continuation) = state else {
                state = .done(outcome)
                return nil
            }
            state = .done(outcome)
            return continuation
        }
        continuation?.resume(returning: outcome)
    }

    /// Waits for the outcome. Call it once.
    func outcome() async -> TaskOutcome {
        await withCheckedContinuation { continuation in
            let outcome = state.withLock { state -> TaskOutcome? in
                if case .done(let outcome) = state { return outcome }
                state = .waiting(continuation)
                return nil
            }
            if let outcome { continuation.resume(returning: outcome) }
        }
    }
}
