internal import CurlTransport
internal import Foundation

/// A question that must be answered before the task continues.
///
/// The delegate answers it, or the interceptor.
enum TaskQuestion: Sendable {
    /// Whether to follow a redirect to this request.
    case redirect(URLRequest, RedirectEffects)
    /// How to answer an authentication challenge.
    case challenge(ChallengeRound)
    /// How to answer a challenge that a loader issued itself.
    case loadersChallenge(URLAuthenticationChallenge)
    /// Whether to trust the server's certificates.
    case trust(ServerTrust)
    /// Which client certificate to use. The server requests or requires one in the TLS handshake.
    case clientCertificate(TransportError)
    /// Which stream to send as the body.
    case bodyStream(LoadRequest)
    /// How to proceed with a delayed request.
    case delayedRequest
    /// Which request to send in the next attempt.
    case attempt(LoadRequest)
}

/// The effects of a redirect on credentials and body.
struct RedirectEffects: Sendable, Hashable {
    /// Whether it leads to another origin, which must not get the credentials.
    let leavesOrigin: Bool
    /// Whether the request's body is sent again.
    let keepsBody: Bool
    /// Whether it leads to a scheme that is neither `http` nor `https`. It is followed only if a
    /// delegate says so.
    var leavesHTTP = false

    /// The answer if no delegate decides: the next request, or `nil` to take the redirect as the
    /// response.
    func usualAnswer(_ request: URLRequest) -> URLRequest? {
        leavesHTTP ? nil : request
    }
}
