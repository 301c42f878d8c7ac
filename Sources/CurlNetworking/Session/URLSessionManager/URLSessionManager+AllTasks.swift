public import CurlURLSession

// Operations on all tasks at once.

extension URLSessionManager {
    /// Calls a closure with all tasks that haven't completed; see ``tasks``.
    ///
    /// Other tasks may start and complete meanwhile.
    public func withAllTasks<Result, Failure: Error>(
        _ body: ([URLSessionTask]) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(tasks)
    }

    /// Cancels all current tasks, also those that were never resumed.
    ///
    /// Each of them completes with `URLError.cancelled`, unless it has completed before.
    ///
    /// - Parameter completion: Called on ``completionQueue`` when the completions of all the
    ///   manager's current tasks have run.
    public func cancelAllRequests(completion: (@Sendable () -> Void)? = nil) {
        cancelAll()
        guard let completion else { return }
        core.whenSettled { [core] in core.call(completion) }
    }

    /// Cancels all current tasks, and returns when their completions have run.
    ///
    /// See ``cancelAllRequests(completion:)``.
    ///
    /// - Throws: `CancellationError`, if the Swift task is cancelled before that; the tasks are
    ///   cancelled in any case.
    public func cancelAllRequests() async throws {
        cancelAll()
        try await core.settle()
    }

    /// Returns when the completions of all tasks in flight have run.
    ///
    /// It doesn't wait for tasks that weren't resumed yet, or that start meanwhile. Waiting for a
    /// `completionGroup` isn't equivalent: a task enters it when it completes.
    ///
    /// - Throws: `CancellationError`, if the Swift task is cancelled before that.
    public func waitUntilAllTasksFinished() async throws {
        try await core.settle()
    }

    private func cancelAll() {
        for task in tasks {
            URLSessionManagerTaskDelegate.of(task, core)?.enter()
            task.cancel()
        }
    }
}
