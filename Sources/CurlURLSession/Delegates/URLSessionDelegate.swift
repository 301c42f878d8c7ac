public import Foundation

/// What a session tells of itself, and asks for its connections.
///
/// Every method has a default, and is called on the session's delegate queue, one after the other. A
/// session holds its delegate until it is invalidated.
///
/// A task may have a delegate of its own (``URLSessionTask/delegate``), which then is asked first.
/// The default of each method passes on to the session's delegate what a task's delegate doesn't
/// implement.
public protocol URLSessionDelegate: NSObjectProtocol, Sendable {
    /// The session was invalidated, and its last task is over. Nothing more is told, and the delegate
    /// is let go.
    ///
    /// - Parameter error: `nil`: a session becomes invalid only because it was asked to.
    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?)

    /// A server or proxy asks who the client is in a way that concerns a whole connection (NTLM,
    /// Negotiate, a certificate of the client's), or has to be trusted.
    ///
    /// By default the method of ``URLSessionTaskDelegate`` is asked.
    ///
    /// - Parameter completionHandler: To be called once, on any thread, with what is to be done; the
    ///   task waits for it. With `nil` for a credential it goes on without one.
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

    /// Asks the method of ``URLSessionTaskDelegate``, where this object has it.
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
