internal import CurlTransport

/// Gets the response to one request: from the network, or wherever else responses come from.
///
/// A task has one loader at a time. A redirect that is followed, and another attempt with credentials,
/// is another loader. Every method may be called on any thread, at any moment, and returns at once.
///
/// A loader tells its client what it learns, on a thread of its own, one thing after the other, with no
/// lock held: perhaps progress and questions, a response, its content, and last, once and always, how it
/// ended, after a cancellation too. After each batch of these it says that the batch is over, which is
/// when the client acts.
protocol Loader: AnyObject, Sendable {
    /// Begins. Called once.
    func start()

    /// Ends as soon as may be.
    func cancel()

    /// Says what may flow: bytes of the response's content to the client, and of the request's body to
    /// the server.
    func allow(receiving: Bool, sending: Bool)

    /// Answers the question whether the server is trusted, to which the client had said `later`.
    func answer(trust decision: TrustDecision)

    /// Answers a challenge that it has handed to the client.
    func answer(
        _ challenge: URLAuthenticationChallenge,
        _ disposition: URLSession.AuthChallengeDisposition,
        _ credential: URLCredential?
    )
}

extension Loader {
    /// Nobody is asked.
    func answer(trust decision: TrustDecision) {}

    /// Nobody is asked.
    func answer(
        _ challenge: URLAuthenticationChallenge,
        _ disposition: URLSession.AuthChallengeDisposition,
        _ credential: URLCredential?
    ) {}
}
