public import CurlURLSession
internal import Foundation

/// An attempt to get a response, for adapters and retriers.
public struct RequestAttempt: Sendable {
    /// The manager of the task.
    ///
    /// Requests that an interceptor sends with it are intercepted, too.
    public let manager: URLSessionManager?

    /// The task, which may have several attempts.
    ///
    /// `nil` if the request couldn't be created.
    public let task: URLSessionTask?

    /// The request that the task was created with.
    ///
    /// `nil` if it couldn't be created.
    public let originalRequest: URLRequest?

    /// The last request that was sent, adapted and redirected.
    ///
    /// Before an attempt it is that of the previous one.
    public let currentRequest: URLRequest?

    /// The attempt's response; `nil` if there is none yet.
    public let response: URLResponse?

    /// The number of previous attempts: 0 for the first attempt.
    public let retryCount: Int

    init(manager: URLSessionManager?, task: URLSessionTask?, retryCount: Int) {
        self.manager = manager
        self.task = task
        originalRequest = task?.originalRequest
        currentRequest = task?.currentRequest
        response = task?.response
        self.retryCount = retryCount
    }

    /// The response's status; `nil` if there is no response.
    public var statusCode: Int? { (response as? HTTPURLResponse)?.statusCode }
}
