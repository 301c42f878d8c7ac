public import CurlURLSession
public import Dispatch
public import Foundation

/// Tells several monitors what it is told itself, each on its own queue.
public struct CompositeEventMonitor: EventMonitor {
    /// Who is told.
    public let monitors: [any EventMonitor]

    /// Where it is told itself; nothing takes long there.
    public let queue = DispatchQueue(label: "curl-networking-composite-events", qos: .utility)

    /// Whether one of them does.
    public var wantsData: Bool { monitors.contains(where: \.wantsData) }

    /// Creates a monitor of others.
    public init(monitors: [any EventMonitor]) {
        self.monitors = monitors
    }

    private func tell(_ event: @escaping @Sendable (any EventMonitor) -> Void) {
        EventMonitors(all: monitors).tell(event)
    }
}

// MARK: - The session

extension CompositeEventMonitor {
    /// Tells each of them.
    public func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
        tell { $0.urlSession(session, didBecomeInvalidWithError: error) }
    }
}

// MARK: - What the manager does

extension CompositeEventMonitor {
    /// Tells each of them.
    public func taskDidCreate(_ task: URLSessionTask) {
        tell { $0.taskDidCreate(task) }
    }

    /// Tells each of them.
    public func taskDidResume(_ task: URLSessionTask) {
        tell { $0.taskDidResume(task) }
    }

    /// Tells each of them.
    public func taskDidSuspend(_ task: URLSessionTask) {
        tell { $0.taskDidSuspend(task) }
    }

    /// Tells each of them.
    public func didFailToCreateRequest(with error: any Error) {
        tell { $0.didFailToCreateRequest(with: error) }
    }

    /// Tells each of them.
    public func task(_ task: URLSessionTask, didAdapt request: URLRequest, to adapted: URLRequest) {
        tell { $0.task(task, didAdapt: request, to: adapted) }
    }

    /// Tells each of them.
    public func task(_ task: URLSessionTask, didFailToAdapt request: URLRequest, error: any Error) {
        tell { $0.task(task, didFailToAdapt: request, error: error) }
    }

    /// Tells each of them.
    public func task(
        _ task: URLSessionTask,
        didSerialize object: (any Sendable)?,
        error: (any Error)?
    ) {
        tell { $0.task(task, didSerialize: object, error: error) }
    }

    /// Tells each of them.
    public func taskWillRetry(
        _ task: URLSessionTask,
        dueTo error: any Error,
        after delay: TimeInterval
    ) {
        tell { $0.taskWillRetry(task, dueTo: error, after: delay) }
    }

    /// Tells each of them.
    public func task(_ task: URLSessionTask, didCompleteWith outcome: TaskOutcome) {
        tell { $0.task(task, didCompleteWith: outcome) }
    }
}

// MARK: - All tasks

extension CompositeEventMonitor {
    /// Tells each of them.
    public func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask)
    {
        tell { $0.urlSession(session, taskIsWaitingForConnectivity: task) }
    }

    /// Tells each of them.
    public func urlSession(_ session: URLSession, taskNeedsNewBodyStream task: URLSessionTask) {
        tell { $0.urlSession(session, taskNeedsNewBodyStream: task) }
    }

    /// Tells each of them.
    public func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        tell {
            $0.urlSession(
                session,
                task: task,
                didSendBodyData: bytesSent,
                totalBytesSent: totalBytesSent,
                totalBytesExpectedToSend: totalBytesExpectedToSend
            )
        }
    }

    /// Tells each of them.
    public func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest
    ) {
        tell {
            $0.urlSession(
                session,
                task: task,
                willPerformHTTPRedirection: response,
                newRequest: request
            )
        }
    }

    /// Tells each of them.
    public func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge
    ) {
        tell { $0.urlSession(session, task: task, didReceive: challenge) }
    }

    /// Tells each of them.
    public func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didFinishCollecting metrics: URLSessionTaskMetrics
    ) {
        tell { $0.urlSession(session, task: task, didFinishCollecting: metrics) }
    }

    /// Tells each of them.
    public func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    ) {
        tell { $0.urlSession(session, task: task, didCompleteWithError: error) }
    }
}

// MARK: - Data tasks

extension CompositeEventMonitor {
    /// Tells each of them.
    public func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse
    ) {
        tell { $0.urlSession(session, dataTask: dataTask, didReceive: response) }
    }

    /// Tells each of them.
    public func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didBecome downloadTask: URLSessionDownloadTask
    ) {
        tell { $0.urlSession(session, dataTask: dataTask, didBecome: downloadTask) }
    }

    /// Tells each of them that wants it.
    public func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive data: Data
    ) {
        EventMonitors(all: monitors).tellData {
            $0.urlSession(session, dataTask: dataTask, didReceive: data)
        }
    }

    /// Tells each of them.
    public func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        willCacheResponse proposedResponse: CachedURLResponse
    ) {
        tell { $0.urlSession(session, dataTask: dataTask, willCacheResponse: proposedResponse) }
    }
}

// MARK: - Download tasks

extension CompositeEventMonitor {
    /// Tells each of them.
    public func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64,
        totalBytesExpectedToWrite: Int64
    ) {
        tell {
            $0.urlSession(
                session,
                downloadTask: downloadTask,
                didWriteData: bytesWritten,
                totalBytesWritten: totalBytesWritten,
                totalBytesExpectedToWrite: totalBytesExpectedToWrite
            )
        }
    }

    /// Tells each of them.
    public func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didResumeAtOffset fileOffset: Int64,
        expectedTotalBytes: Int64
    ) {
        tell {
            $0.urlSession(
                session,
                downloadTask: downloadTask,
                didResumeAtOffset: fileOffset,
                expectedTotalBytes: expectedTotalBytes
            )
        }
    }

    /// Tells each of them.
    public func downloadTask(_ task: URLSessionDownloadTask, didMoveFileTo file: URL) {
        tell { $0.downloadTask(task, didMoveFileTo: file) }
    }

    /// Tells each of them.
    public func downloadTask(
        _ task: URLSessionDownloadTask,
        didFailToMoveFileTo file: URL,
        error: any Error
    ) {
        tell { $0.downloadTask(task, didFailToMoveFileTo: file, error: error) }
    }
}
