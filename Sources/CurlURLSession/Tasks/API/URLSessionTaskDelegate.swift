public import Foundation

/// The delegate methods for all kinds of tasks.
///
/// The order of the calls for one task: a delayed request; waiting for connectivity; challenges and
/// redirects as they arrive; progress of the request's body; the methods for the kind of the task;
/// the metrics; and the completion, always last and once. The session calls every method on its
/// delegate queue.
///
/// Tasks with a completion handler, and asynchronous methods, report their completion there
/// instead. Every completion handler may be called on any thread, and only its first call counts.
public protocol URLSessionTaskDelegate: URLSessionDelegate {
    /// Called when the server redirects.
    ///
    /// It is also called for a redirect to another scheme than `http` and `https`, such as
    /// `myapp://callback?code=1`. If it is followed, the task fails with
    /// `URLError.unsupportedURL`, unless a ``URLProtocol`` handles the scheme. It isn't called for a
    /// redirect from `https` to `http`, which is always the response.
    ///
    /// - Parameters:
    ///   - response: The redirect response, with all its header fields.
    ///   - request: The next request: method, URL and fields as RFC 9110 (15.4) defines. It has no
    ///     credentials if it goes to another origin.
    ///   - completionHandler: Call it with this request, with another one, or with `nil`. With
    ///     `nil`, the redirect itself is the response. The default follows redirects to `http` and
    ///     `https`.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    )

    /// Called once for a task that waits for connectivity.
    ///
    /// Tasks wait only if ``URLSessionConfiguration/waitsForConnectivity`` is set.
    func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask)

    /// Called when a server or proxy requests authentication.
    ///
    /// By default the task uses the challenge's proposed credential, unless it failed before.
    /// Without one, the response with the challenge is the task's response.
    ///
    /// A task answers at most 20 challenges with a credential, those of servers and proxies
    /// together. The response with the next challenge is the task's response, and the method isn't
    /// called for it.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler:
            @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    )

    /// Called when a request body from a stream has to be sent.
    ///
    /// It is called again if the body has to be sent again, since a stream can be read only once.
    /// By default there is no stream, and the task fails.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    )

    /// Called for each informational response (1xx, RFC 9110, 15.2).
    ///
    /// Examples are 103 (Early Hints) and 104 (Upload Resumption Supported). The final response
    /// follows.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceiveInformationalResponse response: HTTPURLResponse
    )

    /// Called when bytes of the request's body were sent.
    ///
    /// - Parameters:
    ///   - bytesSent: The number since the last call.
    ///   - totalBytesSent: The number in all, including those of a resumed upload.
    ///   - totalBytesExpectedToSend: The expected total; -1 if unknown.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    )

    /// Called exactly once, as the last call, when the task has completed.
    ///
    /// The error is `nil` on success. It isn't called for a stream task after
    /// ``URLSessionStreamTask/captureStreams()``.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    )

    /// Called when a task's ``URLSessionTask/earliestBeginDate`` is reached.
    ///
    /// By default the task loads its request unchanged.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willBeginDelayedRequest request: URLRequest,
        completionHandler:
            @escaping @Sendable (URLSession.DelayedRequestDisposition, URLRequest?) -> Void
    )

    /// Called with the metrics of a task, also of a failed one. Completion follows.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didFinishCollecting metrics: URLSessionTaskMetrics
    )
}
