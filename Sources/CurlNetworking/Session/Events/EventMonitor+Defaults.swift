public import CurlURLSession
public import Dispatch
public import Foundation

// Default implementations: a monitor implements only the events that it needs.

/// Holds the default queue of monitors.
private enum SharedQueue {
    static let queue = DispatchQueue(label: "curl-networking-events", qos: .utility)
}

extension EventMonitor {
    /// A serial queue that all monitors with this default share.
    public var queue: DispatchQueue { SharedQueue.queue }

    /// `false`.
    public var wantsData: Bool { false }

    /// Calls the event's own method.
    public func receive(_ event: SessionEvent) { event.callMethod(of: self) }

    // MARK: The session

    /// Does nothing.
    public func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {}

    // MARK: The manager

    /// Does nothing.
    public func taskDidCreate(_ task: URLSessionTask) {}

    /// Does nothing.
    public func taskDidResume(_ task: URLSessionTask) {}

    /// Does nothing.
    public func taskDidSuspend(_ task: URLSessionTask) {}

    /// Does nothing.
    public func didFailToCreateRequest(with error: any Error) {}

    /// Does nothing.
    public func task(_ task: URLSessionTask, didAdapt request: URLRequest, to adapted: URLRequest) {
    }

    /// Does nothing.
    public func task(_ task: URLSessionTask, didFailToAdapt request: URLRequest, error: any Error) {
    }

    /// Does nothing.
    public func task(
        _ task: URLSessionTask,
        didSerialize object: (any Sendable)?,
        error: (any Error)?
    ) {}

    /// Does nothing.
    public func taskWillRetry(
        _ task: URLSessionTask,
        dueTo error: any Error,
        after delay: TimeInterval
    ) {}

    /// Does nothing.
    public func task(_ task: URLSessionTask, didCompleteWith outcome: TaskOutcome) {}

    // MARK: All tasks

    /// Does nothing.
    public func urlSession(
        _ session: URLSession,
        taskIsWaitingForConnectivity task: URLSessionTask
    ) {}

    /// Does nothing.
    public func urlSession(_ session: URLSession, taskNeedsNewBodyStream task: URLSessionTask) {}

    /// Does nothing.
    public func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {}

    /// Does nothing.
    public func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest
    ) {}

    /// Does nothing.
    public func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge
    ) {}

    /// Does nothing.
    public func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didFinishCollecting metrics: URLSessionTaskMetrics
    ) {}

    /// Does nothing.
    public func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    ) {}

    // MARK: Data tasks

    /// Does nothing.
    public func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse
    ) {}

    /// Does nothing.
    public func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didBecome downloadTask: URLSessionDownloadTask
    ) {}

    /// Does nothing.
    public func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive data: Data
    ) {}

    /// Does nothing.
    public func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        willCacheResponse proposedResponse: CachedURLResponse
    ) {}

    // MARK: Download tasks

    /// Does nothing.
    public func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64,
        totalBytesExpectedToWrite: Int64
    ) {}

    /// Does nothing.
    public func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didResumeAtOffset fileOffset: Int64,
        expectedTotalBytes: Int64
    ) {}

    /// Does nothing.
    public func downloadTask(_ task: URLSessionDownloadTask, didMoveFileTo file: URL) {}

    /// Does nothing.
    public func downloadTask(
        _ task: URLSessionDownloadTask,
        didFailToMoveFileTo file: URL,
        error: any Error
    ) {}
}
