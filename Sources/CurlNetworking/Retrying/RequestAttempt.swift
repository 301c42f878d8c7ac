public import CurlURLSession
internal import Foundation

/// One attempt of a manager to get a response, as adapters and retriers see it.
public struct RequestAttempt: Sendable {
    /// Whose task it is. Requests that are sent with it are intercepted, too.
    public let manager: URLSessionManager?

    /// The task, of which this may be one of several attempts; `nil` where the request couldn't be made.
    public let task: URLSessionTask?

    /// The request that the task was created with; `nil` where it couldn't be made.
    public let originalRequest: URLRequest?

    /// What was sent last, adapted and redirected; before an attempt, what the one before has sent.
    public let currentRequest: URLRequest?

    /// The attempt's response; `nil` before there is one.
    public let response: URLResponse?

    /// How many attempts there were before this one: 0 for the first.
    public let retryCount: Int

    init(manager: URLSessionManager?, task: URLSessionTask?, retryCount: Int) {
        self.manager = manager
        self.task = task
        originalRequest = task?.originalRequest
        currentRequest = task?.currentRequest
        response = task?.response
        self.retryCount = retryCount
    }

    /// The response's status; `nil` where there is none.
    public var statusCode: Int? { (response as? HTTPURLResponse)?.statusCode }
}
