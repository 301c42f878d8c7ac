public import Foundation

/// The delegate methods for a session and its connections.
///
/// Every method has a default implementation. The session calls the methods on its delegate queue,
/// one after the other. It retains its delegate until it is invalidated.
///
/// A task may have its own delegate (``URLSessionTask/delegate``), which is called first. The
/// default implementation of each method forwards the call from a task's delegate to the session's
/// delegate.
public protocol URLSessionDelegate: NSObjectProtocol, Sendable {
    /// Called when the session is invalid and its last task has completed.
    ///
    /// The session makes no more calls and releases its delegate.
    ///
    /// - Parameter error: Always `nil`: a session becomes invalid only by a call.
    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?)

    /// Called for challenges that concern a connection: client authentication or server trust.
    ///
    /// Client authentication is NTLM, Negotiate or a client certificate, and is requested by a
    /// server or proxy. The default implementation calls the method of ``URLSessionTaskDelegate``.
    ///
    /// - Parameter completionHandler: Call it once, on any thread, with what to do. The task waits
    ///   for it. With `nil` as the credential, the task continues without one.
    func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler:
            @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    )
}

extension URLSessionDelegate {
    /// Does nothing.
    public func urlSession(
        _ session: URLSession,
        didBecomeInvalidWithError error: (any Error)?
    ) {}

    /// Calls the method of ``URLSessionTaskDelegate``, if this object implements it.
    public func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler:
            @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        guard let delegate = self as? any URLSessionTaskDelegate,
            let task = (challenge.sender as? ChallengeSender)?.task
        else { return completionHandler(.performDefaultHandling, nil) }
        delegate.urlSession(
            session,
            task: task,
            didReceive: challenge,
            completionHandler: completionHandler
        )
    }
}
