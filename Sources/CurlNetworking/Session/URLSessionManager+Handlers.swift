internal import CurlURLSession
internal import Foundation

// Handlers for all tasks of a manager. Each is called on the manager's operation queue, and may be set,
// exchanged and, with `nil`, removed at any time: what counts is which one there is when it is to be called.

extension URLSessionManager {
    // MARK: The session

    /// Sets who is told that the session has become invalid: that it was invalidated and its last task is
    /// over. The error is `nil`: a session becomes invalid only because it was asked to. The notification
    /// ``Foundation/NSNotification/Name/urlSessionDidInvalidate`` follows.
    public func setSessionDidBecomeInvalid(_ handler: SessionDidBecomeInvalid?) {
        core.change(\.handlers.sessionDidBecomeInvalid, to: handler)
    }

    /// Sets who answers challenges that concern a connection: whether a server is trusted, a certificate
    /// of the client's, NTLM and Negotiate.
    ///
    /// **It is asked in the place of the manager's security policy**, and of the handler of
    /// ``setAuthenticationChallengeHandler(_:)``.
    public func setSessionDidReceiveAuthenticationChallenge(_ handler: SessionDidReceiveChallenge?)
    {
        core.change(\.handlers.sessionDidReceiveChallenge, to: handler)
    }

    // MARK: All tasks

    /// Sets who has the streams that tasks send, for the first time and, because of a redirect or a
    /// challenge, once more. With `nil` for a stream the task fails.
    ///
    /// Without a handler the request's own stream is sent, and once more a copy of it, if it conforms to
    /// `NSCopying`.
    public func setTaskNeedNewBodyStream(_ handler: TaskNeedNewBodyStream?) {
        core.change(\.handlers.taskNeedsBodyStream, to: handler)
    }

    /// Sets who says what becomes of a redirect, given the response that redirects and what would be sent
    /// next: this request, another one, or `nil` to take the redirect as the response.
    ///
    /// Without a handler redirects are followed.
    public func setTaskWillPerformHTTPRedirection(_ handler: TaskWillPerformHTTPRedirection?) {
        core.change(\.handlers.taskWillRedirect, to: handler)
    }

    /// Sets who answers challenges.
    ///
    /// Without a handler, and with ``AuthenticationChallengeAnswer/performDefaultHandling``, the
    /// manager's security policy judges a server's certificates; a refused server is
    /// `URLError.serverCertificateUntrusted`.
    public func setAuthenticationChallengeHandler(_ handler: AuthenticationChallengeHandler?) {
        core.change(\.handlers.taskDidReceiveChallenge, to: handler)
    }

    /// Sets who is told that bytes of a request's body were sent: how many, how many in all, and of how
    /// many, which is -1 where that isn't known.
    public func setTaskDidSendBodyData(_ handler: TaskDidSendBodyData?) {
        core.change(\.handlers.taskDidSendBodyData, to: handler)
    }

    /// Sets who is told that a task is over, with the transport's own error: before its response is
    /// serialized, unless the task has an ``interceptor``, which may want to know what comes of that.
    public func setTaskDidComplete(_ handler: TaskDidComplete?) {
        core.change(\.handlers.taskDidComplete, to: handler)
    }

    /// Sets who is told what was measured of a task.
    public func setTaskDidFinishCollectingMetrics(_ handler: TaskDidFinishCollectingMetrics?) {
        core.change(\.handlers.taskDidCollectMetrics, to: handler)
    }

    // MARK: Data tasks

    /// Sets who says what becomes of a response's body. A task that is to become a download has no
    /// destination: its file is kept if the handler of ``setDownloadTaskDidFinishDownloading(_:)`` says
    /// where.
    public func setDataTaskDidReceiveResponse(_ handler: DataTaskDidReceiveResponse?) {
        core.change(\.handlers.dataTaskDidReceiveResponse, to: handler)
    }

    /// Sets who is told that a data task has become a download.
    public func setDataTaskDidBecomeDownloadTask(_ handler: DataTaskDidBecomeDownloadTask?) {
        core.change(\.handlers.dataTaskDidBecomeDownload, to: handler)
    }

    /// Sets who is told of a piece of a response's body, which is kept for the serializer all the same.
    public func setDataTaskDidReceiveData(_ handler: DataTaskDidReceiveData?) {
        core.change(\.handlers.dataTaskDidReceiveData, to: handler)
    }

    /// Sets who says what is stored of a response: the one proposed, another one, or `nil` for nothing.
    public func setDataTaskWillCacheResponse(_ handler: DataTaskWillCacheResponse?) {
        core.change(\.handlers.dataTaskWillCache, to: handler)
    }

    // MARK: Download tasks

    /// Sets who says where downloads' files are moved. A task's own destination is asked if the answer is
    /// `nil`, and only then.
    public func setDownloadTaskDidFinishDownloading(_ handler: DownloadTaskDidFinishDownloading?) {
        core.change(\.handlers.downloadDidFinish, to: handler)
    }

    /// Sets who is told that bytes were written to a download's file: how many, how many in all, and of
    /// how many, which is -1 where that isn't known.
    public func setDownloadTaskDidWriteData(_ handler: DownloadTaskDidWriteData?) {
        core.change(\.handlers.downloadDidWriteData, to: handler)
    }

    /// Sets who is told that a download goes on where another one has ended: how many bytes there were,
    /// and of how many.
    public func setDownloadTaskDidResume(_ handler: DownloadTaskDidResume?) {
        core.change(\.handlers.downloadDidResume, to: handler)
    }
}
