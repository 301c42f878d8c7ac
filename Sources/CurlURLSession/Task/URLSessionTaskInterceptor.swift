/// Changes what a task sends, and decides, when it has come to an end, whether that is the end.
///
/// A task with an interceptor consists of attempts, each of which is what a task without one is from
/// beginning to end, redirects and rounds of authentication included. **The attempts are one task**: the
/// session begins another load in any case, for a redirect as for a challenge, so what its owner holds can
/// be cancelled and suspended at any time, has one identifier, and measures all of its loads together.
/// Tasks that follow each other would need another object in front of them for all that.
///
/// Both methods are called on the delegate queue. What they are given to answer with may be called on any
/// thread, now or later; the first call counts, and none once the task was cancelled. No thread waits
/// meanwhile. The time that an answer takes counts for the limit of the whole task.
package protocol URLSessionTaskInterceptor: AnyObject, Sendable {
    /// An attempt is about to begin.
    ///
    /// - Parameters:
    ///   - request: What would be sent; the task's own request, each time.
    ///   - completionHandler: Is given what is sent instead, or why the attempt fails.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willAttempt request: URLRequest,
        completionHandler: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    )

    /// An attempt has come to its end. All of its content was told of; of a download, the file wasn't. Not
    /// called for a task that was cancelled.
    ///
    /// - Parameters:
    ///   - error: What the task fails with, unless there is another attempt.
    ///   - completionHandler: Is given what becomes of the task.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didEndAttemptWithError error: (any Error)?,
        completionHandler: @escaping @Sendable (TaskVerdict) -> Void
    )
}
