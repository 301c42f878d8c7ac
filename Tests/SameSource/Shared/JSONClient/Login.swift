import Foundation
import Synchronization

/// Answers challenges by a list of passwords, one after the other.
final class Login: NSObject, URLSessionTaskDelegate {
    /// What is done when no password is left.
    enum End: Sendable {
        case givesUp
        case takesTheRefusal
    }

    private let stage: Stage
    private let user: String
    private let passwords: Mutex<[String]>
    private let end: End

    init(_ stage: Stage, user: String, passwords: [String], end: End = .takesTheRefusal) {
        self.stage = stage
        self.user = user
        self.passwords = Mutex(passwords)
        self.end = end
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler:
            @escaping @Sendable (
                URLSession.AuthChallengeDisposition, URLCredential?
            ) -> Void
    ) {
        let space = challenge.protectionSpace
        stage.log(
            "challenge: \(space.authenticationMethod) of \(space.realm ?? "no realm"), "
                + "\(challenge.previousFailureCount) failures"
        )
        guard space.authenticationMethod == NSURLAuthenticationMethodHTTPBasic else {
            return completionHandler(.rejectProtectionSpace, nil)
        }
        let password = passwords.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        if let password {
            let credential = URLCredential(
                user: user,
                password: password,
                persistence: .none
            )
            completionHandler(.useCredential, credential)
        } else if end == .givesUp {
            completionHandler(.cancelAuthenticationChallenge, nil)
        } else {
            completionHandler(.performDefaultHandling, nil)
        }
    }
}
