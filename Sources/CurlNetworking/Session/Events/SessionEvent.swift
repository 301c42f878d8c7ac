public import CurlURLSession
public import Foundation

/// An event of a manager's session or tasks.
///
/// ``EventMonitor/receive(_:)`` receives it. The method of ``EventMonitor`` with the same meaning
/// describes each case. Later versions add cases: a `switch` over an event needs a `default`, or an
/// `@unknown default`.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum SessionEvent: Sendable {
    // MARK: The session

    /// The session became invalid.
    case didBecomeInvalid(URLSession, error: (any Error)?)

    // MARK: The manager

    /// The manager created a task.
    case didCreate(URLSessionTask)
    /// A task was resumed.
    case didResume(URLSessionTask)
    /// A task was suspended.
    case didSuspend(URLSessionTask)
    /// A request couldn't be created.
    case didFailToCreateRequest(error: any Error)
    /// An interceptor adapted a request.
    case didAdapt(URLSessionTask, request: URLRequest, adapted: URLRequest)
    /// An interceptor failed to adapt a request.
    case didFailToAdapt(URLSessionTask, request: URLRequest, error: any Error)
    /// A serializer created an object or failed.
    case didSerialize(URLSessionTask, object: (any Sendable)?, error: (any Error)?)
    /// A task starts another attempt after a delay in seconds.
    case willRetry(URLSessionTask, error: any Error, delay: TimeInterval)
    /// A task completed, and its completion handler was called.
    case didComplete(URLSessionTask, outcome: TaskOutcome)

    // MARK: All tasks

    /// A task waits for connectivity.
    case isWaitingForConnectivity(URLSession, URLSessionTask)
    /// A task needs a new stream for its body.
    case needsNewBodyStream(URLSession, URLSessionTask)
    /// Bytes of a request's body were sent. The expected total is -1 if it is unknown.
    case didSendBodyData(
        URLSession,
        URLSessionTask,
        bytesSent: Int64,
        totalBytesSent: Int64,
        expected: Int64
    )
    /// The server sent a redirect.
    case willPerformHTTPRedirection(
        URLSession,
        URLSessionTask,
        response: HTTPURLResponse,
        newRequest: URLRequest
    )
    /// A server or proxy sent an authentication challenge.
    case didReceiveChallenge(URLSession, URLSessionTask, challenge: URLAuthenticationChallenge)
    /// The metrics of a task.
    case didFinishCollectingMetrics(URLSession, URLSessionTask, metrics: URLSessionTaskMetrics)
    /// The transfer of a task completed.
    case didCompleteTransfer(URLSession, URLSessionTask, error: (any Error)?)

    // MARK: Data tasks

    /// The head of a response was received.
    case didReceiveResponse(URLSession, URLSessionDataTask, response: URLResponse)
    /// A data task became a download task.
    case didBecomeDownload(URLSession, URLSessionDataTask, download: URLSessionDownloadTask)
    /// A piece of a response's body was received; only for monitors that want data.
    case didReceiveData(URLSession, URLSessionDataTask, data: Data)
    /// A response could be stored in the cache.
    case willCacheResponse(URLSession, URLSessionDataTask, response: CachedURLResponse)

    // MARK: Download tasks

    /// Bytes were written to a download's file. The expected total is -1 if it is unknown.
    case didWriteData(
        URLSession,
        URLSessionDownloadTask,
        bytesWritten: Int64,
        totalBytesWritten: Int64,
        expected: Int64
    )
    /// A download resumed at an offset in bytes. The expected total is -1 if it is unknown.
    case didResumeDownload(URLSession, URLSessionDownloadTask, offset: Int64, expected: Int64)
    /// A download's file was moved.
    case didMoveFile(URLSessionDownloadTask, file: URL)
    /// A download's file couldn't be moved.
    case didFailToMoveFile(URLSessionDownloadTask, file: URL, error: any Error)
}
