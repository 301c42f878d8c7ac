public import Foundation

/// What a session tells of its data and upload tasks.
///
/// For each task, after what ``URLSessionTaskDelegate`` tells of the way to the response: the response,
/// its content as it comes, whether it is to be cached. Nothing of this is told of tasks that have a
/// completion handler, or are an asynchronous method's.
public protocol URLSessionDataDelegate: URLSessionTaskDelegate {
    /// The head of the response is there.
    ///
    /// - Parameter completionHandler: To be called once with what becomes of the content, of which no
    ///   more than a window is taken from the server before. By default it is let in.
    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    )

    /// The task has become a download, as the delegate wished. All that follows is told of that.
    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didBecome downloadTask: URLSessionDownloadTask
    )

    /// The task has become a stream. It can't here, so it is never told; see
    /// ``URLSession/ResponseDisposition/becomeStream``.
    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didBecome streamTask: URLSessionStreamTask
    )

    /// Content has come, decoded: all of it that there is since this was told last.
    ///
    /// As long as the method doesn't return, no more than 256 KiB are taken from the server for this
    /// task.
    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data)

    /// The response can be cached: told of data tasks' responses that came over the network and may be
    /// stored (RFC 9111, 3), after the content and before the end, which waits for the answer.
    ///
    /// - Parameter completionHandler: To be called once with what is to be stored: the response as it
    ///   was proposed (the default), another one, or `nil` for none.
    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        willCacheResponse proposedResponse: CachedURLResponse,
        completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
    )
}

extension URLSessionDataDelegate {
    /// Lets the content in, unless the session's delegate says otherwise.
    public func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        guard let next = session.dataDelegate(after: self) else {
            return completionHandler(.allow)
        }
        next.urlSession(
            session,
            dataTask: dataTask,
            didReceive: response,
            completionHandler: completionHandler
        )
    }

    /// Tells the session's delegate.
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

    /// Tells the session's delegate.
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

    /// Tells the session's delegate.
    public func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive data: Data
    ) {
        session.dataDelegate(after: self)?.urlSession(
            session,
            dataTask: dataTask,
            didReceive: data
        )
    }

    /// Has the response cached as it was proposed, unless the session's delegate says otherwise.
    public func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        willCacheResponse proposedResponse: CachedURLResponse,
        completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
    ) {
        guard let next = session.dataDelegate(after: self) else {
            return completionHandler(proposedResponse)
        }
        next.urlSession(
            session,
            dataTask: dataTask,
            willCacheResponse: proposedResponse,
            completionHandler: completionHandler
        )
    }
}
