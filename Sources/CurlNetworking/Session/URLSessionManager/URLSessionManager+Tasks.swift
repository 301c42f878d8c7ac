public import CurlURLSession
public import Foundation

// The tasks of a manager, their progress, and the invalidation of the session.

extension URLSessionManager {
    /// The session's tasks that haven't completed.
    ///
    /// They are data tasks, upload tasks and download tasks, in this order. Suspended tasks, and
    /// tasks that weren't resumed yet, are included. The property doesn't block, on any thread,
    /// also within a handler.
    public var tasks: [URLSessionTask] {
        let tasks = session.currentTasks
        return tasks.data + tasks.upload + tasks.download
    }

    /// The data tasks that haven't completed; see ``tasks``.
    public var dataTasks: [URLSessionDataTask] { session.currentTasks.data }

    /// The upload tasks that haven't completed; see ``tasks``.
    public var uploadTasks: [URLSessionUploadTask] { session.currentTasks.upload }

    /// The download tasks that haven't completed; see ``tasks``.
    public var downloadTasks: [URLSessionDownloadTask] { session.currentTasks.download }

    /// A task's upload progress in bytes; the same object each time.
    ///
    /// Cancelling, pausing or resuming the `Progress` does the same to the task, a moment later.
    /// The `Progress` may be added to another one. Its total is -1 if unknown.
    ///
    /// It changes on the manager's ``operationQueue``, and `Progress` has no lock on Linux: a value
    /// that is read elsewhere may be slightly out of date.
    ///
    /// - Returns: `nil` for a task that has completed, or isn't of this manager.
    public func uploadProgress(for task: URLSessionTask) -> Progress? {
        URLSessionManagerTaskDelegate.of(task, core)?.uploadProgress(of: task)
    }

    /// A task's download progress in bytes; see ``uploadProgress(for:)``.
    ///
    /// For a compressed body, the total is unknown unless ``downloadProgressCountsEncodedBytes`` is
    /// set.
    public func downloadProgress(for task: URLSessionTask) -> Progress? {
        URLSessionManagerTaskDelegate.of(task, core)?.downloadProgress(of: task)
    }

    /// Sets a response serializer for one task, instead of the manager's.
    ///
    /// Set it before the task has completed. With `nil`, the manager's serializer is used.
    public func setResponseSerializer(
        _ serializer: (any URLResponseSerialization)?,
        for task: URLSessionTask
    ) {
        URLSessionManagerTaskDelegate.of(task, core)?.setSerializer(serializer)
    }

    /// Invalidates the session.
    ///
    /// - Parameters:
    ///   - cancelPendingTasks: Whether to cancel tasks that haven't completed: each completes with
    ///     `URLError.cancelled`. Otherwise they continue.
    ///   - resetSession: Whether to create a new session with the same configuration. Otherwise
    ///     tasks that are created afterwards fail with `URLError.cancelled` when they start.
    public func invalidateSessionCancelingTasks(_ cancelPendingTasks: Bool, resetSession: Bool) {
        core.invalidateSession(cancelingTasks: cancelPendingTasks, reset: resetSession)
    }
}
