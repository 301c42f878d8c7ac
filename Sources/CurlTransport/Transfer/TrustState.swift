/// How far a transfer has come with the question whether it may trust its server.
struct TrustState {
    /// libcurl doesn't verify this hop, because it failed to and the delegate has the last word.
    var isLenient = false

    /// libcurl verifies this hop, whatever is known of the origin.
    var mustVerify = false

    /// Why libcurl's verification failed, where it did.
    var verdict: TransportError?

    /// What the delegate is being asked.
    var question: ServerTrust?

    /// The name of the connection that it is about.
    var askedConnection: String?

    /// The hop was stopped to ask, or to get a connection of its own: it is to be repeated.
    var next: Next?

    /// The next hop must not use a connection that somebody else made.
    var needsFreshConnection = false

    enum Next {
        case ask
        case retry
    }
}

/// A chain of certificates that a delegate has said yes to.
struct TrustApproval: Hashable {
    /// Scheme and authority.
    let origin: String
    let certificates: [String]
}
