public import HTTPTypes

/// A delegate's answer to a proposed redirect.
public enum RedirectDecision: Sendable {
    /// Go on with the request that was proposed.
    case follow

    /// Go on with this request instead. Its scheme must be `http` or `https`.
    case followChanged(HTTPRequest)

    /// Take the redirect itself as the response, its body included.
    case refuse

    /// The answer comes through ``TransferHandle/answer(redirect:)``. The transfer waits; its
    /// whole-transfer time limit goes on running.
    case later
}
