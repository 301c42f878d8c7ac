public import Foundation

// `@unchecked Sendable`: the only stored property is a constant, and the compiler proves its type
// to be `Sendable`. The compiler can't prove that of an open class. A subclass is responsible for
// what it adds.
/// A server's or proxy's request for a credential.
///
/// A challenge is immutable.
open class URLAuthenticationChallenge: NSObject, @unchecked Sendable {
    private let content: Content

    private struct Content: Sendable {
        let space: URLProtectionSpace
        let proposal: URLCredential?
        let failureCount: Int
        let response: URLResponse?
        let error: (any Error)?
        let sender: any URLAuthenticationChallengeSender
    }

    /// Creates a challenge.
    ///
    /// - Parameters:
    ///   - space: The protection space that the credential is for.
    ///   - credential: A proposed credential, from a storage or the URL.
    ///   - previousFailureCount: How many credentials were refused before.
    ///   - response: The response with the challenge, or the one that refused the last credential.
    ///   - error: Why the last attempt failed, if there was no response.
    ///   - sender: The object that receives the answer to the challenge.
    public init(
        protectionSpace space: URLProtectionSpace,
        proposedCredential credential: URLCredential?,
        previousFailureCount: Int,
        failureResponse response: URLResponse?,
        error: (any Error)?,
        sender: any URLAuthenticationChallengeSender
    ) {
        content = Content(
            space: space,
            proposal: credential,
            failureCount: previousFailureCount,
            response: response,
            error: error,
            sender: sender
        )
    }

    /// Creates a copy of a challenge with another sender, to forward it.
    public init(
        authenticationChallenge challenge: URLAuthenticationChallenge,
        sender: any URLAuthenticationChallengeSender
    ) {
        content = Content(
            space: challenge.protectionSpace,
            proposal: challenge.proposedCredential,
            failureCount: challenge.previousFailureCount,
            response: challenge.failureResponse,
            error: challenge.error,
            sender: sender
        )
    }

    /// The protection space that the credential is for.
    open var protectionSpace: URLProtectionSpace { content.space }

    /// The proposed credential; `nil` if none is known.
    ///
    /// If it was refused before, ``previousFailureCount`` isn't 0.
    open var proposedCredential: URLCredential? { content.proposal }

    /// How many credentials were refused before.
    open var previousFailureCount: Int { content.failureCount }

    /// The response with the challenge, or with the last refusal.
    ///
    /// It is `nil` if the challenge isn't part of a response.
    open var failureResponse: URLResponse? { content.response }

    /// Why the last attempt failed, if there was no response.
    open var error: (any Error)? { content.error }

    /// The object that receives the answer to the challenge. Never `nil`.
    open var sender: (any URLAuthenticationChallengeSender)? { content.sender }
}

/// The receiver of the answer to a challenge.
///
/// A session's delegate answers with its completion handler instead. This protocol is for custom
/// `URLProtocol` subclasses, which send their own challenges.
public protocol URLAuthenticationChallengeSender: NSObjectProtocol, Sendable {
    /// Continues with a credential.
    func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge)

    /// Continues without a credential.
    func continueWithoutCredential(for challenge: URLAuthenticationChallenge)

    /// Cancels the challenge.
    func cancel(_ challenge: URLAuthenticationChallenge)

    /// Continues with the default handling, as without a delegate.
    func performDefaultHandling(for challenge: URLAuthenticationChallenge)

    /// Continues with the next protection space that the server named, if there is one.
    func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge)
}
