internal import CurlURLSession
internal import Foundation

// Handlers for all tasks of a manager. Each is called on the manager's operation queue. It may be
// set, replaced and, with `nil`, removed at any time: the handler that is set at the time of an
// event is called.

extension URLSessionManager {
    // MARK: The session

    /// Sets the handler to call when the session becomes invalid.
    ///
    /// That is after the session was invalidated and its last task has completed. The error is
    /// `nil`: a session becomes invalid only on request. The notification
    /// ``Foundation/NSNotification/Name/urlSessionDidInvalidate`` follows.
    public func setSessionDidBecomeInvalid(_ handler: SessionDidBecomeInvalid?) {
        core.change(\.handlers.sessionDidBecomeInvalid, to: handler)
    }

    /// Sets the handler for challenges that concern a connection.
    ///
    /// These are server trust, client certificates, NTLM and Negotiate. **The handler replaces the
    /// manager's security policy** and the handler of ``setAuthenticationChallengeHandler(_:)``.
    public func setSessionDidReceiveAuthenticationChallenge(_ handler: SessionDidReceiveChallenge?)
    {
        core.change(\.handlers.sessionDidReceiveChallenge, to: handler)
    }

    // MARK: All tasks

    /// Sets the handler that provides the streams that tasks send.
    ///
    /// It is called for the first time, and again after a redirect or a challenge. If it returns
    /// `nil`, the task fails. Without a handler, the request's own stream is sent first, and then a
    /// copy of it, if it conforms to `NSCopying`.
    public func setTaskNeedNewBodyStream(_ handler: TaskNeedNewBodyStream?) {
        core.change(\.handlers.taskNeedsBodyStream, to: handler)
    }

    /// Sets the handler that decides whether to follow a redirect.
    ///
    /// It gets the redirect response and the next request. It returns that request, another one, or
    /// `nil` to take the redirect as the response. Without a handler, redirects to `http` and
    /// `https` are followed, and those to other schemes are the response.
    public func setTaskWillPerformHTTPRedirection(_ handler: TaskWillPerformHTTPRedirection?) {
        core.change(\.handlers.taskWillRedirect, to: handler)
    }

    /// Sets the handler that answers challenges.
    ///
    /// Without a handler, and with ``AuthenticationChallengeAnswer/performDefaultHandling``, the
    /// manager's security policy evaluates a server's certificates. The error for a refused server
    /// is `URLError.serverCertificateUntrusted`.
    public func setAuthenticationChallengeHandler(_ handler: AuthenticationChallengeHandler?) {
        core.change(\.handlers.taskDidReceiveChallenge, to: handler)
    }

    /// Sets the handler to call when bytes of a request's body were sent.
    ///
    /// It gets the number of bytes sent now, sent so far, and expected in all, which is -1 if
    /// unknown.
    public func setTaskDidSendBodyData(_ handler: TaskDidSendBodyData?) {
        core.change(\.handlers.taskDidSendBodyData, to: handler)
    }

    /// Sets the handler to call when a task has completed.
    ///
    /// It gets the transport's error. It is called before the response is serialized, unless the
    /// task has an ``interceptor``: the interceptor may decide on the serialized response.
    public func setTaskDidComplete(_ handler: TaskDidComplete?) {
        core.change(\.handlers.taskDidComplete, to: handler)
    }

    /// Sets the handler to call with a task's metrics.
    public func setTaskDidFinishCollectingMetrics(_ handler: TaskDidFinishCollectingMetrics?) {
        core.change(\.handlers.taskDidCollectMetrics, to: handler)
    }

    // MARK: Data tasks

    /// Sets the handler that decides what happens to a response's body.
    ///
    /// A data task that becomes a download has no destination: its file is kept only if the handler
    /// of ``setDownloadTaskDidFinishDownloading(_:)`` returns one.
    public func setDataTaskDidReceiveResponse(_ handler: DataTaskDidReceiveResponse?) {
        core.change(\.handlers.dataTaskDidReceiveResponse, to: handler)
    }

    /// Sets the handler to call when a data task becomes a download.
    public func setDataTaskDidBecomeDownloadTask(_ handler: DataTaskDidBecomeDownloadTask?) {
        core.change(\.handlers.dataTaskDidBecomeDownload, to: handler)
    }

    /// Sets the handler to call with each piece of a response's body.
    ///
    /// The pieces are also kept for the serializer.
    public func setDataTaskDidReceiveData(_ handler: DataTaskDidReceiveData?) {
        core.change(\.handlers.dataTaskDidReceiveData, to: handler)
    }

    /// Sets the handler that decides what to cache of a response.
    ///
    /// It returns the proposed cached response, another one, or `nil` to cache nothing.
    public func setDataTaskWillCacheResponse(_ handler: DataTaskWillCacheResponse?) {
        core.change(\.handlers.dataTaskWillCache, to: handler)
    }

    // MARK: Download tasks

    /// Sets the handler that returns the destinations of downloads.
    ///
    /// A task's own destination is used only if the handler returns `nil`.
    public func setDownloadTaskDidFinishDownloading(_ handler: DownloadTaskDidFinishDownloading?) {
        core.change(\.handlers.downloadDidFinish, to: handler)
    }

    /// Sets the handler to call when bytes of a download were written.
    ///
    /// It gets the number of bytes written now, written so far, and expected in all, which is -1 if
    /// unknown.
    public func setDownloadTaskDidWriteData(_ handler: DownloadTaskDidWriteData?) {
        core.change(\.handlers.downloadDidWriteData, to: handler)
    }

    /// Sets the handler to call when a download resumes.
    ///
    /// It gets the number of existing bytes, and of bytes in all.
    public func setDownloadTaskDidResume(_ handler: DownloadTaskDidResume?) {
        core.change(\.handlers.downloadDidResume, to: handler)
    }
}
