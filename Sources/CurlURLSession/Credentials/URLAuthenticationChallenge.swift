public import Foundation

/// A server's or a proxy's question for a credential.
///
/// A challenge doesn't change.
///
/// `@unchecked Sendable`: its one stored property is constant, and of a type that the compiler
/// proves to be `Sendable`. A class that others may inherit from can't say so otherwise; whoever
/// does answers for what he adds.
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
    ///   - space: What the credential is for.
    ///   - credential: One that may do, from a storage or the URL.
    ///   - previousFailureCount: How many credentials were refused before.
    ///   - response: The response that asks, or that refused the last credential.
    ///   - error: Why the last attempt failed, where there was no response.
    ///   - sender: Who is told what becomes of the challenge.
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

    /// Creates a challenge like another one, with another sender: for who passes one on.
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

    /// What the credential is for.
    open var protectionSpace: URLProtectionSpace { content.space }

    /// A credential that may do; `nil` if none is known. If it was refused before,
    /// ``previousFailureCount`` isn't 0.
    open var proposedCredential: URLCredential? { content.proposal }

    /// How many credentials were refused before.
    open var previousFailureCount: Int { content.failureCount }

    /// The response that asks, or that refused the last credential; `nil` where it isn't a response
    /// that asks.
    open var failureResponse: URLResponse? { content.response }

    /// Why the last attempt failed, where there was no response.
    open var error: (any Error)? { content.error }

    /// Who is told what becomes of the challenge. Never `nil`.
    open var sender: (any URLAuthenticationChallengeSender)? { content.sender }
}
