public import CurlURLSession
internal import Foundation

// How AFNetworking 3 spells what is spelled otherwise above.

extension URLSessionManager {
    /// Answers a challenge of a task in AFNetworking 3's way.
    public typealias TaskDidReceiveChallenge =
        @Sendable (URLSession, URLSessionTask, URLAuthenticationChallenge) -> (
            URLSession.AuthChallengeDisposition, URLCredential?
        )

    /// AFNetworking 3's ``setAuthenticationChallengeHandler(_:)``: the two take each other's place.
    ///
    /// As there, with `performDefaultHandling` the manager's security policy judges a server's
    /// certificates.
    public func setTaskDidReceiveAuthenticationChallenge(_ handler: TaskDidReceiveChallenge?) {
        guard let handler else { return setAuthenticationChallengeHandler(nil) }
        setAuthenticationChallengeHandler { session, task, challenge, completion in
            let (disposition, credential) = handler(session, task, challenge)
            switch (disposition, credential) {
            case (.useCredential, let credential?):
                return .use(credential)
            case (.useCredential, nil):
                completion(.useCredential, nil)
                return .deferred
            case (.performDefaultHandling, _):
                return .performDefaultHandling
            case (.cancelAuthenticationChallenge, _):
                return .cancel
            case (.rejectProtectionSpace, _):
                return .rejectProtectionSpace
            }
        }
    }

    /// Whether upload tasks of background sessions that couldn't be created are created anew, up to three
    /// times, as AFNetworking 3 does; `false` by default. Nothing depends on it: no task here is one that
    /// couldn't be created.
    public var attemptsToRecreateUploadTasksForBackgroundSessions: Bool {
        get { core.read(\.recreatesUploads) }
        set { core.change(\.recreatesUploads, to: newValue) }
    }
}
