/// A token that authenticates requests, such as an OAuth 2 access token (RFC 6750).
public struct AccessToken: Sendable, Hashable {
    /// The token, without a scheme such as `Bearer`.
    public var value: String

    /// When the token is replaced before it is used again; nil to use it until it is refused.
    ///
    /// Choose it some seconds before the token's own expiry.
    public var expiry: ContinuousClock.Instant?

    /// Creates a token.
    public init(_ value: String, expiry: ContinuousClock.Instant? = nil) {
        self.value = value
        self.expiry = expiry
    }
}

/// The token of a source, and its refresh. Pure: the caller passes the current time.
package struct TokenState: Sendable {
    /// Identifies a refresh.
    package typealias Refresh = Int

    /// What a request does to get its token.
    package enum Step: Sendable, Hashable {
        case use(AccessToken)
        /// Refresh the token, and record the end.
        case start(Refresh)
        /// Wait for a refresh that runs.
        case wait(Refresh)
    }

    private var token: AccessToken?
    private var running: Refresh?
    private var last: Refresh = 0

    package init(_ token: AccessToken?) {
        self.token = token
    }

    /// The token that a refresh replaces.
    package var current: AccessToken? { token }

    /// A request needs a token.
    ///
    /// - Parameter refused: The token with which it was refused; `nil` for the first time.
    package mutating func step(
        refused: AccessToken? = nil,
        at now: ContinuousClock.Instant
    ) -> Step {
        if let running { return .wait(running) }
        if let token, token.value != refused?.value, token.expiry.map({ now < $0 }) ?? true {
            return .use(token)
        }
        last += 1
        running = last
        return .start(last)
    }

    /// A refresh ended. Returns false if it isn't the one that runs.
    ///
    /// - Parameter token: The new token; `nil` if the refresh failed.
    package mutating func ended(_ refresh: Refresh, _ token: AccessToken?) -> Bool {
        guard running == refresh else { return false }
        running = nil
        if let token { self.token = token }
        return true
    }

    /// Forgets a token that was refused, so that the next request refreshes it.
    package mutating func forget(_ refused: AccessToken) {
        if token?.value == refused.value { token = nil }
    }
}
