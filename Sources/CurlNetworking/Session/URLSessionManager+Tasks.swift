public import CurlURLSession
public import Foundation

// Which tasks there are, how far they have come, and the end of all of them.

extension URLSessionManager {
    /// The session's tasks that aren't over: data tasks, upload tasks and download tasks, in this order.
    /// Those that weren't resumed yet, and those that are suspended, are among them.
    ///
    /// Answered at once on any thread, be it that of a handler.
    public var tasks: [URLSessionTask] {
        let tasks = session.currentTasks
        return tasks.data + tasks.upload + tasks.download
    }

    /// The data tasks that aren't over; see ``tasks``.
    public var dataTasks: [URLSessionDataTask] { session.currentTasks.data }

    /// The upload tasks that aren't over; see ``tasks``.
    public var uploadTasks: [URLSessionUploadTask] { session.currentTasks.upload }

    /// The download tasks that aren't over; see ``tasks``.
    public var downloadTasks: [URLSessionDownloadTask] { session.currentTasks.download }

    /// How far a task has come with its request's body, in bytes; the same object each time. Cancelling,
    /// pausing and resuming it does so to the task, a moment later.
    ///
    /// It changes on the manager's ``operationQueue``, and `Progress` has no lock on Linux: what is read
    /// elsewhere may be a moment old. It may be added to another one. Its total is -1 where it isn't
    /// known.
    ///
    /// - Returns: `nil` for a task that is over, or isn't of this manager.
    public func uploadProgress(for task: URLSessionTask) -> Progress? {
        URLSessionManagerTaskDelegate.of(task, core)?.uploadProgress(of: task)
    }

    /// How far a task has come with its response's body, in bytes; see ``uploadProgress(for:)``.
    ///
    /// Of a compressed body the total isn't known.
    public func downloadProgress(for task: URLSessionTask) -> Progress? {
        URLSessionManagerTaskDelegate.of(task, core)?.downloadProgress(of: task)
    }

    /// Has one task's response serialized by another serializer than the manager's. To be set before the
    /// task is over; `nil` for the manager's.
    public func setResponseSerializer(
        _ serializer: (any URLResponseSerialization)?,
        for task: URLSessionTask
    ) {
        URLSessionManagerTaskDelegate.of(task, core)?.setSerializer(serializer)
    }

    /// Invalidates the session.
    ///
    /// - Parameters:
    ///   - cancelPendingTasks: Whether tasks that aren't over are cancelled: each completes with
    ///     `URLError.cancelled`. Otherwise they go on.
    ///   - resetSession: Whether the manager has a new session with the same configuration from now on.
    ///     Otherwise tasks that are created afterwards fail with `URLError.cancelled` when they begin.
    public func invalidateSessionCancelingTasks(_ cancelPendingTasks: Bool, resetSession: Bool) {
        core.invalidateSession(cancelingTasks: cancelPendingTasks, reset: resetSession)
    }
}
