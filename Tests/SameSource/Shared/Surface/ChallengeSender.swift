import Foundation

/// The sender of a challenge that the program makes; logs the answer.
final class ChallengeSender: NSObject, URLAuthenticationChallengeSender {
    private let stage: Stage

    init(_ stage: Stage) {
        self.stage = stage
    }

    func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) {
        stage.log("use \(credential.user ?? "nobody") for \(challenge.protectionSpace.host)")
    }

    func continueWithoutCredential(for challenge: URLAuthenticationChallenge) {
        stage.log("continue without")
    }

    func cancel(_ challenge: URLAuthenticationChallenge) {
        stage.log("cancel")
    }

    func performDefaultHandling(for challenge: URLAuthenticationChallenge) {
        stage.log("default")
    }

    func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) {
        stage.log("reject")
    }
}
