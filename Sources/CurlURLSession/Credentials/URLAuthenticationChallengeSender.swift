public import Foundation

/// Who is told what becomes of a challenge.
///
/// A session's delegate answers by its completion handler instead; this is for protocols of one's
/// own, which send their challenges themselves.
public protocol URLAuthenticationChallengeSender: NSObjectProtocol, Sendable {
    /// Goes on with a credential.
    func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge)

    /// Goes on without a credential.
    func continueWithoutCredential(for challenge: URLAuthenticationChallenge)

    /// Gives up.
    func cancel(_ challenge: URLAuthenticationChallenge)

    /// Goes on as if nobody had been asked.
    func performDefaultHandling(for challenge: URLAuthenticationChallenge)

    /// Goes on with the next protection space that the server named, if there is one.
    func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge)
}
