internal import Foundation

/// The sender of a task's challenges.
///
/// A call of one of its methods counts as a call of the delegate's completion handler.
final class ChallengeSender: NSObject, URLAuthenticationChallengeSender {
    typealias Answer =
        @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void

    /// The task whose request is challenged.
    let task: URLSessionTask
    private let answer: Answer

    init(task: URLSessionTask, answer: @escaping Answer) {
        self.task = task
        self.answer = answer
    }

    func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) {
        answer(.useCredential, credential)
    }

    func continueWithoutCredential(for challenge: URLAuthenticationChallenge) {
        answer(.useCredential, nil)
    }

    func cancel(_ challenge: URLAuthenticationChallenge) {
        answer(.cancelAuthenticationChallenge, nil)
    }

    func performDefaultHandling(for challenge: URLAuthenticationChallenge) {
        answer(.performDefaultHandling, nil)
    }

    func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) {
        answer(.rejectProtectionSpace, nil)
    }
}
