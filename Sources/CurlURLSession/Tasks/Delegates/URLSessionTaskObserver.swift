package import Foundation

/// A task delegate that also observes `resume()` and `suspend()`.
///
/// It is called on the thread that calls `resume()` or `suspend()`. On the first `resume()`, it is
/// called before the task starts.
package protocol URLSessionTaskObserver: Sendable {
    /// The owner has resumed a task that wasn't running.
    func taskDidResume(_ task: URLSessionTask)

    /// The owner has suspended a task that wasn't suspended.
    func taskDidSuspend(_ task: URLSessionTask)

    /// The interceptor of the task's attempts; `nil` for none. Read when the delegate is set.
    var interceptor: (any URLSessionTaskInterceptor)? { get }

    /// The task has completed. Called for tasks whose body is read as it arrives.
    ///
    /// Some bytes may still be unread. Called on the delegate queue, after the metrics.
    func task(_ task: URLSessionTask, of session: URLSession, wasLoadedWith error: (any Error)?)
}

extension URLSessionTaskObserver {
    /// `nil` by default.
    package var interceptor: (any URLSessionTaskInterceptor)? { nil }

    /// Does nothing by default.
    package func task(
        _ task: URLSessionTask,
        of session: URLSession,
        wasLoadedWith error: (any Error)?
    ) {}
}

/// A data delegate whose tasks collect the body of the response themselves.
///
/// The body is copied only once, from the transport's buffer to where it stays. After the end, or
/// after an attempt, it is available as ``URLSessionTask/collectedBody``.
package protocol URLSessionBodyCollector: URLSessionDataDelegate {
    /// Whether the task collects the body. Read when the task starts.
    ///
    /// If it is `false`, the delegate receives the pieces like any other.
    var collectsBody: Bool { get }

    /// The task has collected a piece of the body.
    ///
    /// Called on the delegate queue instead of `urlSession(_:dataTask:didReceive:)`. While pieces
    /// of 768 KiB or more in all haven't been reported, no more of the body is received.
    ///
    /// - Parameter piece: Copies the piece.
    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didCollect piece: () -> Data
    )
}

/// A data delegate that doesn't always decide about the storage of responses.
package protocol URLSessionCacheDecider: URLSessionDataDelegate {
    /// Whether `urlSession(_:dataTask:willCacheResponse:completionHandler:)` may store a response
    /// that could answer no later request. Read when a load starts.
    ///
    /// If it is `false`, the session doesn't collect the bodies of such responses.
    var decidesAboutCaching: Bool { get }
}

/// Adapts a task's requests, and decides after each attempt whether to retry.
///
/// A task with an interceptor consists of attempts. Each is a complete load, including redirects
/// and authentication. **All attempts are one task**: its owner can cancel and suspend it at any
/// time, it has one identifier, and it measures all of its loads together. A session starts several
/// loads for one task anyway, for redirects and challenges. Separate tasks for the attempts would
/// need another object in front of them.
///
/// Both methods are called on the delegate queue. Their completion handlers may be called on any
/// thread, now or later. The first call counts; after a cancellation none does. No thread blocks in
/// the meantime. The time until the answer counts for the timeout of the whole task.
package protocol URLSessionTaskInterceptor: AnyObject, Sendable {
    /// Asks for the request of an attempt that is about to start.
    ///
    /// - Parameters:
    ///   - request: The request to send: the task's own request, for each attempt.
    ///   - completionHandler: Call it with the request to send instead, or with the error of the
    ///     attempt.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willAttempt request: URLRequest,
        completionHandler: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    )

    /// Asks whether to retry after an attempt has ended.
    ///
    /// The complete body has been delivered; the file of a download hasn't. Not called for a
    /// cancelled task.
    ///
    /// - Parameters:
    ///   - error: The error that the task fails with, unless it is retried.
    ///   - completionHandler: Call it with the decision.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didEndAttemptWithError error: (any Error)?,
        completionHandler: @escaping @Sendable (AttemptDisposition) -> Void
    )
}

/// The interceptor's decision after an attempt has ended.
package enum AttemptDisposition: Sendable {
    /// Ends the task with the attempt's result.
    case complete
    /// Starts another attempt after a delay in seconds. Only the metrics of the former attempt are
    /// kept, not its response.
    ///
    /// `whenAccepted` is called before any event of the new attempt. It isn't called if the
    /// decision comes too late; then the task ends with the former attempt's result.
    case retry(after: TimeInterval, whenAccepted: (@Sendable () -> Void)? = nil)
}
