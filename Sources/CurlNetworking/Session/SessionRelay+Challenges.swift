internal import CurlURLSession
internal import Foundation

// Who answers a challenge: the handler for the whole session what concerns connections; else the handler
// for tasks; else, for a server's certificates, the manager's policy. Who that is is found out each time.

extension SessionRelay {
    private typealias Completion = URLSessionManager.ChallengeCompletion

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler:
            @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        core.monitors?.tell { $0.urlSession(session, task: task, didReceive: challenge) }
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
        switch policy.verdict(on: trust, forDomain: challenge.protectionSpace.host) {
        case .trusted:
            completion(.useCredential, URLCredential(trust: trust))
        case .refused(let failure):
            let url = task.currentRequest?.url
            let error = NSError.untrustedServer(failure, trust: trust, url: url)
            fail(task, because: error, completion)
        }
    }

    /// The task is cancelled, and its completion is told why.
    private func fail(_ task: URLSessionTask, because error: any Error, _ completion: Completion) {
        if let transfer = task.delegate as? JournalTransfer {
            transfer.stop(.failed(TransferJobFailure(refusal: error), retryAfter: nil))
        } else {
            URLSessionManagerTaskDelegate.of(task, core)?.noteRefusal(because: error)
        }
        completion(.cancelAuthenticationChallenge, nil)
    }
}

extension URLAuthenticationChallenge {
    /// Whether it is about a connection, and not about one request.
    fileprivate var concernsConnection: Bool {
        [
            NSURLAuthenticationMethodServerTrust, NSURLAuthenticationMethodClientCertificate,
            NSURLAuthenticationMethodNTLM, NSURLAuthenticationMethodNegotiate,
        ].contains(protectionSpace.authenticationMethod)
    }
}
