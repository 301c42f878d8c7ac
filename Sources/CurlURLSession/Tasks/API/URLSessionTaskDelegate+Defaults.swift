public import Foundation

// Forwards calls that a task's own delegate doesn't implement to the session's delegate.

extension URLSessionTaskDelegate {
    /// Follows the redirect, unless the session's delegate decides otherwise.
    ///
    /// A redirect from the network to another scheme than `http` and `https` isn't followed.
    public func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        guard let next = session.taskDelegate(after: self) else {
            return completionHandler(task.usualAnswer(toRedirect: request))
        }
        next.urlSession(
            session,
            task: task,
            willPerformHTTPRedirection: response,
            newRequest: request,
            completionHandler: completionHandler
        )
    }

    /// Calls the session's delegate.
    public func urlSession(
        _ session: URLSession,
        taskIsWaitingForConnectivity task: URLSessionTask
    ) {
        session.taskDelegate(after: self)?.urlSession(session, taskIsWaitingForConnectivity: task)
    }

    /// Uses the default handling, unless the session's delegate decides otherwise.
    public func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler:
            @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        guard let next = session.core.delegates?.base, next !== self else {
            return completionHandler(.performDefaultHandling, nil)
        }
        if challenge.protectionSpace.concernsConnections {
            next.urlSession(session, didReceive: challenge, completionHandler: completionHandler)
        } else if let next = next as? any URLSessionTaskDelegate {
            next.urlSession(
                session,
                task: task,
                didReceive: challenge,
                completionHandler: completionHandler
            )
        } else {
            completionHandler(.performDefaultHandling, nil)
        }
    }

    /// Provides no stream, unless the session's delegate does.
    public func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        guard let next = session.taskDelegate(after: self) else { return completionHandler(nil) }
        next.urlSession(session, task: task, needNewBodyStream: completionHandler)
    }

    /// Calls the session's delegate.
    public func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceiveInformationalResponse response: HTTPURLResponse
    ) {
        session.taskDelegate(after: self)?.urlSession(
            session,
            task: task,
            didReceiveInformationalResponse: response
        )
    }

    /// Calls the session's delegate.
    public func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        session.taskDelegate(after: self)?.urlSession(
            session,
            task: task,
            didSendBodyData: bytesSent,
            totalBytesSent: totalBytesSent,
            totalBytesExpectedToSend: totalBytesExpectedToSend
        )
    }

    /// Calls the session's delegate.
    public func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    ) {
        session.taskDelegate(after: self)?.urlSession(
            session,
            task: task,
            didCompleteWithError: error
        )
    }

    /// Loads the request unchanged, unless the session's delegate decides otherwise.
    public func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willBeginDelayedRequest request: URLRequest,
        completionHandler:
            @escaping @Sendable (URLSession.DelayedRequestDisposition, URLRequest?) -> Void
    ) {
        guard let next = session.taskDelegate(after: self) else {
            return completionHandler(.continueLoading, nil)
        }
        next.urlSession(
            session,
            task: task,
            willBeginDelayedRequest: request,
            completionHandler: completionHandler
        )
    }

    /// Calls the session's delegate.
    public func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didFinishCollecting metrics: URLSessionTaskMetrics
    ) {
        session.taskDelegate(after: self)?.urlSession(
            session,
            task: task,
            didFinishCollecting: metrics
        )
    }
}
