public import Foundation

/// What a session tells of its tasks, whatever their kind.
///
/// The order for one task: a delayed request; that it waits for connectivity; challenges and redirects as they come; progress of the
/// request's body; what the kind of the task adds; the metrics; and last, once and always, the
/// completion. Every method is called on the session's delegate queue.
///
/// For tasks with a completion handler, and for those of the asynchronous methods, the completion is
/// told there instead. Every completion handler may be called on any thread, and only its first call
/// counts.
public protocol URLSessionTaskDelegate: URLSessionDelegate {
    /// The server redirects.
    ///
    /// - Parameters:
    ///   - response: The response that redirects, with all its header fields.
    ///   - request: What would be sent next: method, URL and fields as RFC 9110 (15.4) says, without
    ///     credentials where it goes to another origin.
    ///   - completionHandler: To be called with this request, with another one, or with `nil`: then
    ///     the redirect itself is the response. By default the request is followed.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    )

    /// There is no way to the server, and the task waits for one, because its session's configuration
    /// says so: ``URLSessionConfiguration/waitsForConnectivity``. Told once for a task.
    func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask)

    /// A server or proxy asks who the client is. By default the credential that the challenge proposes
    /// is used, unless it failed before; without one, the response that asks is the response.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler:
            @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    )

    /// The request's body has to be sent, or sent once more, and comes from a stream, which can be
    /// read only once. By default there is none, and the task fails.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    )

    /// A server has sent an informational response (1xx, RFC 9110, 15.2), such as 103 (Early Hints) or 104
    /// (Upload Resumption Supported), and the task's own is yet to come. Told of each of them.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceiveInformationalResponse response: HTTPURLResponse
    )

    /// Bytes of the request's body were sent.
    ///
    /// - Parameters:
    ///   - bytesSent: How many, since this was told last.
    ///   - totalBytesSent: How many in all, those of an upload that is gone on with included.
    ///   - totalBytesExpectedToSend: How many there are; -1 where that isn't known.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    )

    /// The task is over: `nil` for success. Told exactly once, as the last word, but of a stream task that
    /// was given away: see ``URLSessionStreamTask/captureStreams()``.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    )

    /// The time has come for a task with an ``URLSessionTask/earliestBeginDate``. By default it is
    /// loaded as it is.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willBeginDelayedRequest request: URLRequest,
        completionHandler:
            @escaping @Sendable (URLSession.DelayedRequestDisposition, URLRequest?) -> Void
    )

    /// What was measured of the task, failed ones included. The completion follows.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didFinishCollecting metrics: URLSessionTaskMetrics
    )
}
