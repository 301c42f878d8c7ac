public import CurlURLSession
public import Dispatch
public import Foundation

/// Is told of all that happens to a manager's session and tasks: for logs, for measuring, for tests. Of the
/// tasks of a ``TransferJournal`` it is told of redirects, challenges, metrics and waits for a network alone.
///
/// Alamofire's `EventMonitor`; AFNetworking's notifications are one. All methods have a default that does
/// nothing. They are called on ``queue``, afterwards, and nothing waits for them: a monitor changes nothing,
/// and takes its time without anybody's loss. What happens to one task is told in order, if the queue is
/// serial. What carries secrets carries them here, too: fields of requests, credentials, bodies.
public protocol EventMonitor: Sendable {
    /// Where the monitor is told; by default a serial queue that monitors share. Asked for each event.
    var queue: DispatchQueue { get }

    /// Whether the monitor is told of the pieces of bodies; `false` by default. Asked for each piece.
    ///
    /// Pieces that wait for ``queue`` are in memory, and no server waits for that: a monitor that wants them
    /// has to be as fast as the network.
    var wantsData: Bool { get }

    // MARK: The session

    /// The session has become invalid: it was invalidated, and its last task is over.
    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?)

    // MARK: What the manager does

    /// A task of the manager's was created.
    func taskDidCreate(_ task: URLSessionTask)

    /// `resume()` was called of a task that wasn't running.
    func taskDidResume(_ task: URLSessionTask)

    /// `suspend()` was called of a task that wasn't suspended.
    func taskDidSuspend(_ task: URLSessionTask)

    /// A request couldn't be made, so that there is no task.
    func didFailToCreateRequest(with error: any Error)

    /// A task's interceptor has said what is sent; called for each attempt.
    func task(_ task: URLSessionTask, didAdapt request: URLRequest, to adapted: URLRequest)

    /// A task's interceptor has said that nothing can be sent.
    func task(_ task: URLSessionTask, didFailToAdapt request: URLRequest, error: any Error)

    /// A response was serialized, or couldn't be.
    func task(_ task: URLSessionTask, didSerialize object: (any Sendable)?, error: (any Error)?)

    /// A task is tried again, after so many seconds.
    func taskWillRetry(_ task: URLSessionTask, dueTo error: any Error, after delay: TimeInterval)

    /// A task is over, and its completion handler was called.
    func task(_ task: URLSessionTask, didCompleteWith outcome: TaskOutcome)

    // MARK: All tasks

    /// There is no way to the server, and the task waits for one.
    func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask)

    /// A stream is wanted for a request's body.
    func urlSession(_ session: URLSession, taskNeedsNewBodyStream task: URLSessionTask)

    /// Bytes of a request's body were sent; of how many, which is -1 where that isn't known.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    )

    /// A server redirects. Nothing says here whether that is followed.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest
    )

    /// A server or a proxy has to be trusted, or asks who the client is. It can't be answered here.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge
    )

    /// What was measured of a task, all of its attempts together.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didFinishCollecting metrics: URLSessionTaskMetrics
    )

    /// The transport's part of a task is over.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    )

    // MARK: Data tasks

    /// A response's head has come.
    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse
    )

    /// A data task has become a download.
    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didBecome downloadTask: URLSessionDownloadTask
    )

    /// A piece of a response's body has come. Told to those alone who want it; see ``wantsData``.
    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data)

    /// A response could be stored in the cache.
    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        willCacheResponse proposedResponse: CachedURLResponse
    )

    // MARK: Download tasks

    /// Bytes were written to a download's file; of how many, which is -1 where that isn't known.
    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64,
        totalBytesExpectedToWrite: Int64
    )

    /// A download goes on where another one has ended: how many bytes there were, and of how many.
    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didResumeAtOffset fileOffset: Int64,
        expectedTotalBytes: Int64
    )

    /// A download's file was moved to where it was wanted.
    func downloadTask(_ task: URLSessionDownloadTask, didMoveFileTo file: URL)

    /// A download's file couldn't be moved, and is gone.
    func downloadTask(
        _ task: URLSessionDownloadTask,
        didFailToMoveFileTo file: URL,
        error: any Error
    )
}
