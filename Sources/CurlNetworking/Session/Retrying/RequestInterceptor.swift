public import CurlURLSession
public import Foundation

/// Adapts requests, and decides whether failed attempts are retried.
///
/// The default implementations change nothing.
///
/// ```swift
/// let manager = HTTPSessionManager(baseURL: url)
/// manager.interceptor = RetryPolicy()
/// ```
///
/// All attempts belong to one task. It can be cancelled and suspended at any time, also while an
/// interceptor runs or during a delay. Its completion handler is called once, with the result of
/// the last attempt; the body of an earlier attempt isn't part of it. Progress restarts with each
/// attempt. The task's metrics contain the transactions of all attempts. Handlers for all tasks are
/// also called for earlier attempts, for example with their responses.
public protocol RequestInterceptor: RequestAdapter, RequestRetrier {}

extension RequestInterceptor {
    /// Returns the request unchanged.
    public func adapt(
        _ request: URLRequest,
        for attempt: RequestAttempt
    ) async throws -> URLRequest {
        request
    }

    /// Returns `doNotRetry`: the failure is final unless another retrier retries.
    public func retry(
        _ attempt: RequestAttempt,
        dueTo error: any Error
    ) async -> RetryResult {
        .doNotRetry
    }
}

/// Changes requests before they are sent, for example to add credentials.
public protocol RequestAdapter: Sendable {
    /// Returns the request to send.
    ///
    /// It is called before each attempt, with the task's original request: changes for the previous
    /// attempt aren't in it. It isn't called for redirects. A redirect to another origin drops all
    /// header fields that the adapter added or changed, except those that describe the body (such
    /// as `Content-Type`). A redirect within the origin keeps them.
    ///
    /// It runs on no particular queue, and the task waits for it. It runs in a Swift task that has
    /// the task-local values of the code that created the session task. Cancelling the session task
    /// cancels that Swift task.
    ///
    /// - Parameters:
    ///   - request: The request of the task.
    ///   - attempt: The attempt and its task.
    /// - Returns: The request to send.
    /// - Throws: An error with which the attempt fails. Retriers are called with it.
    func adapt(_ request: URLRequest, for attempt: RequestAttempt) async throws -> URLRequest
}

/// Decides whether failed attempts are retried.
public protocol RequestRetrier: Sendable {
    /// Decides what to do after a failed attempt.
    ///
    /// It is called for errors of the transport, of adapters and of the response serializer, which
    /// include unacceptable statuses. It is also called for requests that couldn't be created,
    /// which have no task. It isn't called for cancelled tasks, nor if the body is a stream or
    /// a sequence that can't be read a second time.
    ///
    /// It runs on no particular queue, in a Swift task that has the task-local values of the code
    /// that created the session task. Cancelling the session task cancels that Swift task.
    ///
    /// - Parameters:
    ///   - attempt: The attempt that failed.
    ///   - error: The error of the attempt.
    func retry(_ attempt: RequestAttempt, dueTo error: any Error) async -> RetryResult
}

/// The decision after a failed attempt.
public enum RetryResult: Sendable {
    /// Retry the task at once.
    case retry
    /// Retry the task after a delay in seconds, without blocking a thread.
    case retryWithDelay(TimeInterval)
    /// Don't retry.
    ///
    /// The next retrier is called; without one, the failure is final.
    case doNotRetry
    /// Don't retry, and complete the task with this error.
    case doNotRetryWithError(any Error)
}
