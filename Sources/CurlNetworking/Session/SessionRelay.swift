internal import CurlURLSession
internal import Foundation

/// The delegate of a manager's session: hands on to the manager's handlers what a task's own delegate
/// doesn't see to, and all that concerns tasks which somebody has created by the session itself.
///
/// It holds what the manager consists of, and not the manager.
final class SessionRelay: NSObject {
    let core: ManagerCore

    init(core: ManagerCore) {
        self.core = core
    }
}

// MARK: - The session and all tasks

extension SessionRelay: URLSessionDataDelegate {
    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
        core.handler { $0.sessionDidBecomeInvalid }?(session, error)
        core.tellDidBecomeInvalid(session, error)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        core.monitors?.tell {
            $0.urlSession(
                session,
                task: task,
                willPerformHTTPRedirection: response,
                newRequest: request
            )
        }
        guard let handler = core.handler({ $0.taskWillRedirect }) else {
            return completionHandler(request)
        }
        completionHandler(handler(session, task, response, request))
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        core.monitors?.tell { $0.urlSession(session, taskNeedsNewBodyStream: task) }
        if let handler = core.handler({ $0.taskNeedsBodyStream }) {
            completionHandler(handler(session, task))
        } else {
            completionHandler(task.originalRequest?.httpBodyStream?.anotherOne)
        }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        core.task(task, of: session, hasSent: bytesSent, totalBytesSent, totalBytesExpectedToSend)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didFinishCollecting metrics: URLSessionTaskMetrics
    ) {
        core.monitors?.tell { $0.urlSession(session, task: task, didFinishCollecting: metrics) }
        core.handler { $0.taskDidCollectMetrics }?(session, task, metrics)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    ) {
        core.monitors?.tell { $0.urlSession(session, task: task, didCompleteWithError: error) }
        core.handler { $0.taskDidComplete }?(session, task, error)
    }

    func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {
        core.monitors?.tell { $0.urlSession(session, taskIsWaitingForConnectivity: task) }
    }

    // MARK: Data tasks

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        core.monitors?.tell { $0.urlSession(session, dataTask: dataTask, didReceive: response) }
        if let own = URLSessionManagerTaskDelegate.of(dataTask, core), own.wishes.onResponse != nil
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
        core.monitors?.tell {
            $0.urlSession(session, dataTask: dataTask, didBecome: downloadTask)
        }
        core.handler { $0.dataTaskDidBecomeDownload }?(session, dataTask, downloadTask)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        core.monitors?.tellData { $0.urlSession(session, dataTask: dataTask, didReceive: data) }
        core.handler { $0.dataTaskDidReceiveData }?(session, dataTask, data)
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        willCacheResponse proposedResponse: CachedURLResponse,
        completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
    ) {
        core.monitors?.tell {
            $0.urlSession(session, dataTask: dataTask, willCacheResponse: proposedResponse)
        }
        guard let handler = core.handler({ $0.dataTaskWillCache }) else {
            return completionHandler(proposedResponse)
        }
        completionHandler(handler(session, dataTask, proposedResponse))
    }
}

// MARK: - Downloads

extension SessionRelay: URLSessionDownloadDelegate {
    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didFinishDownloadingTo location: URL
    ) {
        let file = core.handler { $0.downloadDidFinish }?(session, downloadTask, location)
        if let file { _ = core.move(location, to: file, [], of: downloadTask) }
    }

    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64,
        totalBytesExpectedToWrite: Int64
    ) {
        core.monitors?.tell {
            $0.urlSession(
                session,
                downloadTask: downloadTask,
                didWriteData: bytesWritten,
                totalBytesWritten: totalBytesWritten,
                totalBytesExpectedToWrite: totalBytesExpectedToWrite
            )
        }
        core.handler { $0.downloadDidWriteData }?(
            session,
            downloadTask,
            bytesWritten,
            totalBytesWritten,
            totalBytesExpectedToWrite
        )
    }

    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didResumeAtOffset fileOffset: Int64,
        expectedTotalBytes: Int64
    ) {
        core.monitors?.tell {
            $0.urlSession(
                session,
                downloadTask: downloadTask,
                didResumeAtOffset: fileOffset,
                expectedTotalBytes: expectedTotalBytes
            )
        }
        core.handler { $0.downloadDidResume }?(
            session,
            downloadTask,
            fileOffset,
            expectedTotalBytes
        )
    }
}
