internal import CurlTransport
internal import Foundation

/// What a task asks its delegate before it goes on.
enum TaskQuestion: Sendable {
    /// The server redirects to this.
    case redirect(URLRequest, RedirectedWay)
    /// The server asks who the client is.
    case challenge(ChallengeRound)
    /// A loader asks for a credential in its own words.
    case loadersChallenge(URLAuthenticationChallenge)
    /// The server's certificates are to be trusted.
    case trust(ServerTrust)
    /// The server asked for a certificate within TLS, and there was none.
    case clientCertificate(TransportError)
    /// The body of what is to be loaded comes from a stream.
    case bodyStream(LoadPlan)
    /// The time of a delayed request has come.
    case delayedRequest
    /// An attempt is about to begin.
    case attempt(LoadPlan)
}
