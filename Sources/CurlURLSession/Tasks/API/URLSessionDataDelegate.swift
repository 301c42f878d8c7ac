public import Foundation

/// The delegate methods for data and upload tasks.
///
/// For each task, the session calls them after the methods of ``URLSessionTaskDelegate`` that
/// precede the response: for the response, its body as it arrives, and its caching. It doesn't call
/// them for tasks with a completion handler.
///
/// For an asynchronous method, the delegate that the method was called with gets the response and
/// the body, as in FoundationNetworking. The session's delegate doesn't. Apple's URLSession calls
/// neither.
public protocol URLSessionDataDelegate: URLSessionTaskDelegate {
    /// Called when the head of the response has arrived.
    ///
    /// - Parameter completionHandler: Call it once with what to do with the body. Until then, no
    ///   more than a window of the body is taken from the server. The default is `.allow`. The body
    ///   of an asynchronous method can only be allowed or cancelled: other dispositions allow it.
    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    )

    /// Called when the task has become a download, as the delegate requested.
    ///
    /// Later calls are for the download task.
    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didBecome downloadTask: URLSessionDownloadTask
    )

    /// Never called: a task can't become a stream here.
    ///
    /// See ``URLSession/ResponseDisposition/becomeStream``.
    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didBecome streamTask: URLSessionStreamTask
    )

    /// Called when decoded body data has arrived: all since the last call.
    ///
    /// Until the method returns, at most 768 KiB are taken from the server for this task. If a large
    /// body arrives without a pause, the next call comes when 384 KiB of it have arrived, or when
    /// nothing has followed for a millisecond.
    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data)

    /// Called before a response is cached.
    ///
    /// The session calls it for data tasks' responses that came over the network and may be stored
    /// (RFC 9111, 3), if they aren't too large for the cache. A `200` to a `GET` needs neither a
    /// lifetime nor a validator: the delegate may return a response with an `Expires` or
    /// `Cache-Control` field of its own. The call comes after the body. The task's completion waits
    /// for the answer.
    ///
    /// - Parameter completionHandler: Call it once with the response to store, or with `nil` for
    ///   none. Its header fields, user info and storage policy count. The default stores the
    ///   proposed response if it could answer a later request.
    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        willCacheResponse proposedResponse: CachedURLResponse,
        completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
    )
}

extension URLSessionDataDelegate {
    /// Allows the body, unless the session's delegate decides otherwise.
    public func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        guard let next = session.dataDelegate(after: self, of: dataTask) else {
            return completionHandler(.allow)
        }
        next.urlSession(
            session,
            dataTask: dataTask,
            didReceive: response,
            completionHandler: completionHandler
        )
    }

    /// Calls the session's delegate.
    public func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didBecome downloadTask: URLSessionDownloadTask
    ) {
        session.dataDelegate(after: self)?.urlSession(
            session,
            dataTask: dataTask,
            didBecome: downloadTask
        )
    }

    /// Calls the session's delegate.
    public func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didBecome streamTask: URLSessionStreamTask
    ) {
        session.dataDelegate(after: self)?.urlSession(
            session,
            dataTask: dataTask,
            didBecome: streamTask
        )
    }

    /// Calls the session's delegate.
    public func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive data: Data
    ) {
        session.dataDelegate(after: self, of: dataTask)?.urlSession(
            session,
            dataTask: dataTask,
            didReceive: data
        )
    }

    /// Caches the proposed response if it could answer a later request, unless the session's
    /// delegate decides otherwise.
    public func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        willCacheResponse proposedResponse: CachedURLResponse,
        completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
    ) {
        guard let next = session.dataDelegate(after: self) else {
            return completionHandler(dataTask.usualAnswer(toProposal: proposedResponse))
        }
        next.urlSession(
            session,
            dataTask: dataTask,
            willCacheResponse: proposedResponse,
            completionHandler: completionHandler
        )
    }
}
