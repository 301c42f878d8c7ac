import CurlURLSession
import Foundation
import Synchronization

/// What the delegate asks its session. Called on the session's root queue.
protocol SessionStateProvider: AnyObject, Sendable {
    func request(for task: URLSessionTask) -> Request?
    func credential(for task: URLSessionTask, in space: URLProtectionSpace) -> URLCredential?
    /// Whether a certificate is trusted; `nil` if the system's roots decide.
    func trusts(_ trust: SecTrust, host: String) -> Bool?
    func didComplete(_ task: URLSessionTask, with error: (any Error)?)
    func didBecomeInvalid()
}

/// Passes the calls of a `URLSession` to requests and to the monitor.
final class SessionDelegate: NSObject, Sendable {
    private struct State {
        weak var provider: (any SessionStateProvider)?
    }

    private let monitor: any EventMonitor
    private let state = Mutex(State())

    init(monitor: any EventMonitor) {
        self.monitor = monitor
    }

    /// Sets the session. The delegate doesn't retain it: the `URLSession` retains the delegate.
    func attach(_ provider: any SessionStateProvider) {
        state.withLock { $0.provider = provider }
    }

    private var provider: (any SessionStateProvider)? { state.withLock { $0.provider } }
}

extension SessionDelegate: URLSessionTaskDelegate {
    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
        monitor.receive(.invalidated, of: nil)
        provider?.didBecomeInvalid()
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler:
            @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        monitor.receive(.challenged, of: task)
        let space = challenge.protectionSpace
        switch space.authenticationMethod {
        case NSURLAuthenticationMethodHTTPBasic, NSURLAuthenticationMethodHTTPDigest,
            NSURLAuthenticationMethodNTLM, NSURLAuthenticationMethodNegotiate,
            NSURLAuthenticationMethodClientCertificate:
            guard challenge.previousFailureCount == 0 else {
                return completionHandler(.rejectProtectionSpace, nil)
            }
            let credential = provider?.credential(for: task, in: space)
            let isKnown = credential != nil
            completionHandler(isKnown ? .useCredential : .performDefaultHandling, credential)
        case NSURLAuthenticationMethodServerTrust:
            guard let trust = space.serverTrust,
                let isTrusted = provider?.trusts(trust, host: space.host)
            else { return completionHandler(.performDefaultHandling, nil) }
            guard isTrusted else { return completionHandler(.cancelAuthenticationChallenge, nil) }
            completionHandler(.useCredential, URLCredential(trust: trust))
        default:
            completionHandler(.performDefaultHandling, nil)
        }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        provider?.request(for: task)?.didSend(totalBytesSent, of: totalBytesExpectedToSend)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        completionHandler(provider?.request(for: task)?.inputStream())
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        monitor.receive(.redirected, of: task)
        guard let redirector = provider?.request(for: task)?.redirector else {
            return completionHandler(request)
        }
        completionHandler(redirector(task, request, response))
    }

    func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {
        monitor.receive(.waiting, of: task)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didFinishCollecting metrics: URLSessionTaskMetrics
    ) {
        monitor.receive(.measured, of: task)
        provider?.request(for: task)?.didGather(metrics)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    ) {
        monitor.receive(.completed, of: task)
        provider?.didComplete(task, with: error)
    }
}

extension SessionDelegate: URLSessionDataDelegate {
    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        guard let response = response as? HTTPURLResponse,
            let request = provider?.request(for: dataTask)
        else { return completionHandler(.allow) }
        completionHandler(request.disposition(for: response))
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        provider?.request(for: dataTask)?.didReceive(data)
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        willCacheResponse proposedResponse: CachedURLResponse,
        completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
    ) {
        guard let cacher = provider?.request(for: dataTask)?.cacher else {
            return completionHandler(proposedResponse)
        }
        completionHandler(cacher(dataTask, proposedResponse))
    }
}

extension SessionDelegate: URLSessionDownloadDelegate {
    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didResumeAtOffset fileOffset: Int64,
        expectedTotalBytes: Int64
    ) {
        provider?.request(for: downloadTask)?.didResume(at: fileOffset)
    }

    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64,
        totalBytesExpectedToWrite: Int64
    ) {
        let request = provider?.request(for: downloadTask)
        request?.didWrite(totalBytesWritten, of: totalBytesExpectedToWrite)
    }

    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didFinishDownloadingTo location: URL
    ) {
        guard let response = downloadTask.response as? HTTPURLResponse else { return }
        provider?.request(for: downloadTask)?.didFinishDownloading(to: location, response)
    }
}
