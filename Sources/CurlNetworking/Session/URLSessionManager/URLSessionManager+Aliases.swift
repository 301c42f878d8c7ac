public import CurlURLSession
internal import Foundation

// AFNetworking 3's names for a handler and a property.

extension URLSessionManager {
    /// Answers a task's challenge in AFNetworking 3's form.
    public typealias TaskDidReceiveChallenge =
        @Sendable (URLSession, URLSessionTask, URLAuthenticationChallenge) -> (
            URLSession.AuthChallengeDisposition, URLCredential?
        )

    /// Sets the handler for challenges in AFNetworking 3's form.
    ///
    /// It and the handler of ``setAuthenticationChallengeHandler(_:)`` replace each other. As in
    /// AFNetworking, `performDefaultHandling` has the manager's security policy evaluate a server's
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

    /// Whether to create background upload tasks again after a failure.
    ///
    /// `false` by default. AFNetworking 3 retries up to three times. The value has no effect here:
    /// creating a task can't fail.
    public var attemptsToRecreateUploadTasksForBackgroundSessions: Bool {
        get { core.read(\.recreatesUploads) }
        set { core.change(\.recreatesUploads, to: newValue) }
    }
}
