internal import CurlURLSession
internal import Foundation

// The method of a monitor for each event.

extension SessionEvent {
    /// Calls the monitor's method for this event.
    func callMethod(of monitor: some EventMonitor) {
        switch self {
        case .didBecomeInvalid(let session, let error):
            monitor.urlSession(session, didBecomeInvalidWithError: error)
        case .didCreate(let task):
            monitor.taskDidCreate(task)
        case .didResume(let task):
            monitor.taskDidResume(task)
        case .didSuspend(let task):
            monitor.taskDidSuspend(task)
        case .didFailToCreateRequest(let error):
            monitor.didFailToCreateRequest(with: error)
        case .didAdapt(let task, let request, let adapted):
            monitor.task(task, didAdapt: request, to: adapted)
        case .didFailToAdapt(let task, let request, let error):
            monitor.task(task, didFailToAdapt: request, error: error)
        case .didSerialize(let task, let object, let error):
            monitor.task(task, didSerialize: object, error: error)
        case .willRetry(let task, let error, let delay):
            monitor.taskWillRetry(task, dueTo: error, after: delay)
        case .didComplete(let task, let outcome):
            monitor.task(task, didCompleteWith: outcome)
        case .isWaitingForConnectivity, .needsNewBodyStream, .didSendBodyData,
            .willPerformHTTPRedirection, .didReceiveChallenge, .didFinishCollectingMetrics,
            .didCompleteTransfer:
            callTaskMethod(of: monitor)
        case .didReceiveResponse, .didBecomeDownload, .didReceiveData, .willCacheResponse:
            callDataMethod(of: monitor)
        case .didWriteData, .didResumeDownload, .didMoveFile, .didFailToMoveFile:
            callDownloadMethod(of: monitor)
        }
    }

    private func callTaskMethod(of monitor: some EventMonitor) {
        switch self {
        case .isWaitingForConnectivity(let session, let task):
            monitor.urlSession(session, taskIsWaitingForConnectivity: task)
        case .needsNewBodyStream(let session, let task):
            monitor.urlSession(session, taskNeedsNewBodyStream: task)
        case .didSendBodyData(let session, let task, let count, let total, let expected):
            monitor.urlSession(
                session,
                task: task,
                didSendBodyData: count,
                totalBytesSent: total,
                totalBytesExpectedToSend: expected
            )
        case .willPerformHTTPRedirection(let session, let task, let response, let request):
            monitor.urlSession(
                session,
                task: task,
                willPerformHTTPRedirection: response,
                newRequest: request
            )
        case .didReceiveChallenge(let session, let task, let challenge):
            monitor.urlSession(session, task: task, didReceive: challenge)
        case .didFinishCollectingMetrics(let session, let task, let metrics):
            monitor.urlSession(session, task: task, didFinishCollecting: metrics)
        case .didCompleteTransfer(let session, let task, let error):
            monitor.urlSession(session, task: task, didCompleteWithError: error)
        default: break
        }
    }

    private func callDataMethod(of monitor: some EventMonitor) {
        switch self {
        case .didReceiveResponse(let session, let task, let response):
            monitor.urlSession(session, dataTask: task, didReceive: response)
        case .didBecomeDownload(let session, let task, let download):
            monitor.urlSession(session, dataTask: task, didBecome: download)
        case .didReceiveData(let session, let task, let data):
            monitor.urlSession(session, dataTask: task, didReceive: data)
        case .willCacheResponse(let session, let task, let response):
            monitor.urlSession(session, dataTask: task, willCacheResponse: response)
        default: break
        }
    }

    private func callDownloadMethod(of monitor: some EventMonitor) {
        switch self {
        case .didWriteData(let session, let task, let count, let total, let expected):
            monitor.urlSession(
                session,
                downloadTask: task,
                didWriteData: count,
                totalBytesWritten: total,
                totalBytesExpectedToWrite: expected
            )
        case .didResumeDownload(let session, let task, let offset, let expected):
            monitor.urlSession(
                session,
                downloadTask: task,
                didResumeAtOffset: offset,
                expectedTotalBytes: expected
            )
        case .didMoveFile(let task, let file):
            monitor.downloadTask(task, didMoveFileTo: file)
        case .didFailToMoveFile(let task, let file, let error):
            monitor.downloadTask(task, didFailToMoveFileTo: file, error: error)
        default: break
        }
    }
}
