internal import CurlURLSession
internal import Foundation

// How asynchronous methods create and run their tasks.

/// The task of an asynchronous method.
enum AwaitedTask {
    case data(URLRequest)
    case upload(URLRequest, file: URL)
    case uploadData(URLRequest, Data)
    case uploadStream(URLRequest)
    case uploadSequence(URLRequest, UploadSequence)
    case download(URLRequest)
    case resumedDownload(Data)

    /// The request; `nil` for resume data.
    var request: URLRequest? {
        switch self {
        case .data(let request), .upload(let request, _), .uploadData(let request, _),
            .uploadStream(let request), .uploadSequence(let request, _), .download(let request):
            request
        case .resumedDownload:
            nil
        }
    }
}

extension URLSessionManager {
    /// Creates and runs a task. Cancelling the Swift task cancels it.
    ///
    /// - Parameter serializer: Used instead of ``responseSerializer``, unless it is `nil`.
    func run(
        _ awaited: AwaitedTask,
        _ taskOptions: TaskOptions,
        serializer: (any URLResponseSerialization)? = nil
    ) async -> TaskOutcome {
        let waiter = OutcomeWaiter()
        let keepsResumeData = taskOptions.keepsResumeData
        let (task, pending) = created(awaited, taskOptions, serializer, waiter)
        return await withTaskCancellationHandler {
            task.resume()
            return await waiter.outcome()
        } onCancel: {
            if let pending {
                pending.cancel(task)
            } else {
                task.cancel(keepingResumeData: keepsResumeData)
            }
        }
    }

    /// Creates a task: with the methods of a subclass, if there may be any, otherwise directly.
    private func created(
        _ awaited: AwaitedTask,
        _ taskOptions: TaskOptions,
        _ serializer: (any URLResponseSerialization)?,
        _ waiter: OutcomeWaiter
    ) -> (task: URLSessionTask, pending: PendingTask?) {
        guard isOfSubclass else {
            var taskOptions = taskOptions
            taskOptions.consumer = .swiftTask { waiter.take($0) }
            let delegate = delegate(taskOptions, for: awaited.request)
            if let serializer { delegate.setSerializer(serializer) }
            return (core.created(task(awaited, delegate)), nil)
        }
        let pending = PendingTask(core, taskOptions, serializer, waiter)
        defer { pending.close() }
        let made = PendingTask.$current.withValue(pending) {
            task(awaited, taskOptions, pending)
        }
        return (made, pending)
    }

    /// Whether the manager's class may override the methods that create tasks.
    var isOfSubclass: Bool {
        let kind = type(of: self)
        return kind != URLSessionManager.self && kind != HTTPSessionManager.self
    }

    private func task(
        _ awaited: AwaitedTask,
        _ delegate: URLSessionManagerTaskDelegate
    ) -> URLSessionTask {
        switch awaited {
        case .data(let request):
            return session.dataTask(with: request, delegate: delegate)
        case .upload(let request, let file):
            return session.uploadTask(with: request, fromFile: file, delegate: delegate)
        case .uploadData(let request, let data):
            return session.uploadTask(with: request, from: data, delegate: delegate)
        case .uploadStream(let request):
            return session.uploadTask(askingForStreamOf: request, delegate: delegate)
        case .uploadSequence(let request, let sequence):
            return session.uploadTask(with: request, from: sequence, delegate: delegate)
        case .download(let request):
            return session.downloadTask(with: request, delegate: delegate)
        case .resumedDownload(let resumeData):
            return session.downloadTask(withResumeData: resumeData, delegate: delegate)
        }
    }

    /// Creates a task with the methods that subclasses may override.
    private func task(
        _ awaited: AwaitedTask,
        _ taskOptions: TaskOptions,
        _ pending: PendingTask
    ) -> URLSessionTask {
        let (upload, download) = (taskOptions.uploadProgress, taskOptions.downloadProgress)
        let (destination, options) = (taskOptions.destination, taskOptions.downloadOptions)
        switch awaited {
        case .data(let request):
            return dataTask(
                with: request,
                uploadProgress: upload,
                downloadProgress: download,
                completionHandler: pending.handler
            )
        case .upload(let request, let file):
            return uploadTask(
                with: request,
                fromFile: file,
                progress: upload,
                completionHandler: pending.handler
            )
        case .uploadData(let request, let data):
            return uploadTask(
                with: request,
                from: data,
                progress: upload,
                completionHandler: pending.handler
            )
        case .uploadStream(let request):
            return uploadTask(
                withStreamedRequest: request,
                progress: upload,
                completionHandler: pending.handler
            )
        case .uploadSequence(let request, let sequence):
            return uploadTask(
                with: request,
                from: sequence,
                progress: upload,
                completionHandler: pending.handler
            )
        case .download(let request):
            return downloadTask(
                with: request,
                options: options,
                progress: download,
                destination: destination,
                completionHandler: pending.downloadHandler
            )
        case .resumedDownload(let resumeData):
            return downloadTask(
                withResumeData: resumeData,
                options: options,
                progress: download,
                destination: destination,
                completionHandler: pending.downloadHandler
            )
        }
    }
}

extension URLSessionTask {
    /// Cancels the task.
    ///
    /// - Parameter keepsResumeData: Whether the error of a download has resume data.
    func cancel(keepingResumeData keepsResumeData: Bool) {
        if keepsResumeData, let download = self as? URLSessionDownloadTask {
            download.cancel(byProducingResumeData: { _ in })
        } else {
            cancel()
        }
    }
}
