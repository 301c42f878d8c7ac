public import CurlURLSession
public import Dispatch
public import Foundation

/// Receives the events of a manager's session and tasks.
///
/// Monitors are used for logs, measurements and tests. The protocol is Alamofire's `EventMonitor`;
/// AFNetworking's notifications are posted by one. Each event has a method, whose default
/// implementation does nothing. A monitor of all events implements ``receive(_:)`` instead of the
/// methods. For tasks of a ``TransferJournal`` the monitor receives only redirects,
/// challenges, metrics and waits for connectivity.
///
/// The manager calls the methods asynchronously on ``queue`` and doesn't wait for them. A monitor
/// can't change anything, and a slow one delays nothing. If the queue is serial, the events of one
/// task arrive in order. Events aren't redacted: they contain request header fields, credentials
/// and bodies.
public protocol EventMonitor: Sendable {
    /// The queue on which methods are called; read for each event.
    ///
    /// By default it is a serial queue that monitors share.
    var queue: DispatchQueue { get }

    /// Whether the monitor receives body data; `false` by default.
    ///
    /// It is read for each piece. Pieces stay in memory until ``queue`` has delivered them, and
    /// they don't slow down the server. A monitor that wants them has to be as fast as the network.
    var wantsData: Bool { get }

    /// Receives each event, as a value.
    ///
    /// By default it calls the event's own method; a monitor that implements it gets no such call.
    func receive(_ event: SessionEvent)

    // MARK: The session

    /// The session became invalid.
    ///
    /// It was invalidated, and its last task has completed.
    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?)

    // MARK: The manager

    /// The manager created a task.
    func taskDidCreate(_ task: URLSessionTask)

    /// `resume()` was called on a task that wasn't running.
    func taskDidResume(_ task: URLSessionTask)

    /// `suspend()` was called on a task that wasn't suspended.
    func taskDidSuspend(_ task: URLSessionTask)

    /// A request couldn't be created, so there is no task.
    func didFailToCreateRequest(with error: any Error)

    /// A task's interceptor adapted the request; called for each attempt.
    func task(_ task: URLSessionTask, didAdapt request: URLRequest, to adapted: URLRequest)

    /// A task's interceptor failed to adapt the request.
    func task(_ task: URLSessionTask, didFailToAdapt request: URLRequest, error: any Error)

    /// A response serializer finished, with an object or an error.
    func task(_ task: URLSessionTask, didSerialize object: (any Sendable)?, error: (any Error)?)

    /// A task is retried after a delay in seconds.
    func taskWillRetry(_ task: URLSessionTask, dueTo error: any Error, after delay: TimeInterval)

    /// A task completed, and its completion handler was called.
    func task(_ task: URLSessionTask, didCompleteWith outcome: TaskOutcome)

    // MARK: All tasks

    /// The task waits for connectivity, because the server can't be reached.
    func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask)

    /// The session needs a new stream for a request's body.
    func urlSession(_ session: URLSession, taskNeedsNewBodyStream task: URLSessionTask)

    /// Bytes of a request's body were sent.
    ///
    /// The expected total is -1 if it is unknown.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    )

    /// The server sent a redirect. Whether it is followed isn't known here.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest
    )

    /// A server or proxy sent an authentication challenge.
    ///
    /// A monitor can't answer it.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge
    )

    /// The metrics of a task, for all of its attempts.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didFinishCollecting metrics: URLSessionTaskMetrics
    )

    /// The transfer of a task completed.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    )

    // MARK: Data tasks

    /// The head of a response was received.
    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse
    )

    /// A data task became a download task.
    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didBecome downloadTask: URLSessionDownloadTask
    )

    /// A piece of a response's body was received.
    ///
    /// It is only called if ``wantsData`` is `true`.
    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data)

    /// A response could be stored in the cache.
    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        willCacheResponse proposedResponse: CachedURLResponse
    )

    // MARK: Download tasks

    /// Bytes were written to a download's file.
    ///
    /// The expected total is -1 if it is unknown.
    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64,
        totalBytesExpectedToWrite: Int64
    )

    /// A download resumed at an offset in bytes.
    ///
    /// The expected total is -1 if it is unknown.
    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didResumeAtOffset fileOffset: Int64,
        expectedTotalBytes: Int64
    )

    /// A download's file was moved to its destination.
    func downloadTask(_ task: URLSessionDownloadTask, didMoveFileTo file: URL)

    /// A download's file couldn't be moved to its destination, and was deleted.
    func downloadTask(
        _ task: URLSessionDownloadTask,
        didFailToMoveFileTo file: URL,
        error: any Error
    )
}
