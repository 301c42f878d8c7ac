internal import CurlURLSession
internal import Foundation

// The order of handlers for a challenge. The session's handler answers challenges that concern a
// connection. Otherwise the handler for tasks answers. Without that one, the manager's security
// policy evaluates a server's certificates. The handlers are looked up for each challenge.

extension ManagerSessionDelegate {
    private typealias Completion = URLSessionManager.ChallengeCompletion

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler:
            @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        core.notify(.didReceiveChallenge(session, task, challenge: challenge))
        if challenge.concernsConnection,
            let handler = core.handler({ $0.sessionDidReceiveChallenge })
        {
            let (disposition, credential) = handler(session, challenge)
            return completionHandler(disposition, credential)
        }
        guard let handler = core.handler({ $0.taskDidReceiveChallenge }) else {
            return answerAsUsual(challenge, of: task, completionHandler)
        }
        switch handler(session, task, challenge, completionHandler) {
        case .deferred: break
        case .fail(let error): fail(task, because: error, completionHandler)
        case .use(let credential): completionHandler(.useCredential, credential)
        case .performDefaultHandling: answerAsUsual(challenge, of: task, completionHandler)
        case .cancel: completionHandler(.cancelAuthenticationChallenge, nil)
        case .rejectProtectionSpace: completionHandler(.rejectProtectionSpace, nil)
        }
    }

    private func answerAsUsual(
        _ challenge: URLAuthenticationChallenge,
        of task: URLSessionTask,
        _ completion: Completion
    ) {
        guard let trust = challenge.protectionSpace.serverTrust else {
            return completion(.performDefaultHandling, nil)
        }
        let policy = core.read(\.securityPolicy)
        switch policy.evaluation(of: trust, forDomain: challenge.protectionSpace.host) {
        case .trusted:
            completion(.useCredential, URLCredential(trust: trust))
        case .refused(let failure):
            let url = task.currentRequest?.url
            let error = NSError.untrustedServer(failure, trust: trust, url: url)
            fail(task, because: error, completion)
        }
    }

    /// Cancels the task, and has its completion report the error.
    private func fail(_ task: URLSessionTask, because error: any Error, _ completion: Completion) {
        if let observer = task.delegate as? any ChallengeRefusalObserver {
            observer.noteRefusal(because: error)
        } else {
            URLSessionManagerTaskDelegate.of(task, core)?.noteRefusal(because: error)
        }
        completion(.cancelAuthenticationChallenge, nil)
    }
}

/// A task's delegate other than the manager's own, to which a refused challenge is reported.
protocol ChallengeRefusalObserver {
    /// The manager refuses a challenge, and then cancels the task.
    func noteRefusal(because error: any Error)
}

extension URLAuthenticationChallenge {
    /// Whether the challenge concerns a connection rather than a request.
    fileprivate var concernsConnection: Bool {
        [
            NSURLAuthenticationMethodServerTrust, NSURLAuthenticationMethodClientCertificate,
            NSURLAuthenticationMethodNTLM, NSURLAuthenticationMethodNegotiate,
        ].contains(protectionSpace.authenticationMethod)
    }
}
