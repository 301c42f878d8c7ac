public import CurlURLSession

// What concerns all tasks at once.

extension URLSessionManager {
    /// Does something with all tasks that aren't over; see ``tasks``. Others may begin and end meanwhile.
    public func withAllTasks<Result, Failure: Error>(
        _ body: ([URLSessionTask]) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(tasks)
    }

    /// Cancels all tasks that there are, those that were never resumed too. Each of them completes with
    /// `URLError.cancelled`, unless it was over by then.
    ///
    /// - Parameter completion: Called on ``completionQueue`` when the completions of all tasks of the
    ///   manager that there are now have run.
    public func cancelAllRequests(completion: (@Sendable () -> Void)? = nil) {
        cancelAll()
        guard let completion else { return }
        core.whenSettled { [core] in core.call(completion) }
    }

    /// Cancels all tasks that there are, and returns when their completions have run; see
    /// ``cancelAllRequests(completion:)``.
    ///
    /// - Throws: `CancellationError`, if the Swift task is cancelled before that; the tasks are cancelled in
    ///   any case.
    public func cancelAllRequests() async throws {
        cancelAll()
        try await core.settle()
    }

    /// Returns when the completions of all tasks have run that are under way now. Those that weren't
    /// resumed yet don't count, nor do those that begin meanwhile.
    ///
    /// A `completionGroup` can't be waited for like that: a task enters it at its end.
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
