internal import CurlURLSession
internal import Foundation

/// The delegate of a manager's session, or of one of its tasks.
///
/// Both report the same events to the manager's monitors and handlers.
protocol ManagerDelegate: URLSessionDataDelegate, URLSessionDownloadDelegate {
    var core: ManagerCore { get }

    /// Updates the delegate's own state before an event is reported.
    func note(_ event: SessionEvent)
}

extension ManagerDelegate {
    /// Does nothing by default.
    func note(_ event: SessionEvent) {}

    private func report(_ event: SessionEvent) {
        note(event)
        core.report(event)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        report(
            .didSendBodyData(
                session,
                task,
                bytesSent: bytesSent,
                totalBytesSent: totalBytesSent,
                expected: totalBytesExpectedToSend
            )
        )
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didFinishCollecting metrics: URLSessionTaskMetrics
    ) {
        report(.didFinishCollectingMetrics(session, task, metrics: metrics))
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    ) {
        report(.didCompleteTransfer(session, task, error: error))
    }

    // MARK: Data tasks

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        core.notify(.didReceiveResponse(session, dataTask, response: response))
        if let own = URLSessionManagerTaskDelegate.of(dataTask, core),
            own.taskOptions.onResponse != nil
        {
            return completionHandler(own.decide(on: response, of: dataTask))
        }
        guard let handler = core.handler({ $0.dataTaskDidReceiveResponse }) else {
            return completionHandler(.allow)
        }
        completionHandler(handler(session, dataTask, response))
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didBecome downloadTask: URLSessionDownloadTask
    ) {
        report(.didBecomeDownload(session, dataTask, download: downloadTask))
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        core.reportData(session, dataTask) { data }
    }

    // MARK: Downloads

    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64,
        totalBytesExpectedToWrite: Int64
    ) {
        report(
            .didWriteData(
                session,
                downloadTask,
                bytesWritten: bytesWritten,
                totalBytesWritten: totalBytesWritten,
                expected: totalBytesExpectedToWrite
            )
        )
    }

    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didResumeAtOffset fileOffset: Int64,
        expectedTotalBytes: Int64
    ) {
        report(
            .didResumeDownload(
                session,
                downloadTask,
                offset: fileOffset,
                expected: expectedTotalBytes
            )
        )
    }
}
