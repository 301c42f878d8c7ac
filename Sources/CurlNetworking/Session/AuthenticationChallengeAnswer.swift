public import CurlURLSession

/// What is done about a challenge, as ``URLSessionManager/setAuthenticationChallengeHandler(_:)``'s
/// handler says.
///
/// AFNetworking's handler returns an object whose class says the same.
public enum AuthenticationChallengeAnswer: Sendable {
    /// The handler calls the completion that it was given, now or later; the task waits for it.
    case deferred
    /// The task fails with this error.
    case fail(any Error)
    /// This credential is used.
    case use(URLCredential)
    /// What is usual: the manager's security policy judges a server's certificates; otherwise the
    /// credential that the challenge proposes is used, unless it failed before.
    case performDefaultHandling
    /// The task fails with `URLError.cancelled`.
    case cancel
    /// The next way of authentication that the server offers is tried.
    case rejectProtectionSpace
}
