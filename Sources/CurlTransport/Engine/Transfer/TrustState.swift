internal import Curl

/// The state of a transfer's trust evaluation.
struct TrustState {
    /// Whether libcurl skips the verification, because it failed before and the delegate decides.
    var isLenient = false

    /// Whether libcurl verifies this attempt, even if the origin is remembered as unverified.
    var mustVerify = false

    /// libcurl's verification error of this attempt; nil if none.
    var verificationError: TransportError?

    /// The same error in libcurl's form, for ``TrustCache``.
    var verification: VerificationFailure?

    /// The chains that the delegate has accepted for this attempt.
    ///
    /// The attempt is retried after a late decision.
    var accepted: [[String]] = []

    /// The maximum number of chains that are accepted for one attempt.
    ///
    /// Over HTTP/1.1 the retry has another connection, so a server that presents a new chain on each
    /// could otherwise cause decisions without end.
    static let maximumAccepted = 20

    /// The certificates that the delegate decides on.
    var question: ServerTrust?

    /// The socket of the connection that presented them.
    var askedSocket: ConnectionSocket?

    /// The next step after the attempt was aborted; nil if it wasn't.
    ///
    /// It is aborted to ask the delegate, or to get a new connection.
    var next: Next?

    /// Whether the next attempt must not reuse a connection.
    var needsFreshConnection = false

    enum Next {
        case ask
        case retry
    }

    /// The effect of a decision.
    enum Settlement {
        case accepted
        /// The decision requires a current verification: the next attempt verifies again.
        case verifyAgain
        case refused
    }

    /// Skips the verification in the next attempt, if this one failed because of it.
    ///
    /// The delegate then sees the certificates and decides. Returns whether it is skipped.
    mutating func skipsVerification(after error: TransportError, code: CurlCode) -> Bool {
        guard code == .peerFailedVerification, !isLenient else { return false }
        verificationError = error
        isLenient = true
        return true
    }

    /// Requires libcurl's verification for the next attempt.
    mutating func verifyAgain() {
        mustVerify = true
        isLenient = false
        next = .retry
    }
}

/// A server's certificates, and the result of their verification.
public struct ServerTrust: Sendable, Hashable {
    /// The host of the request, without a port.
    public let host: String

    /// The port.
    public let port: Int

    /// The certificates in PEM form, the server's own first.
    public let certificates: [String]

    /// The error of the verification with the configured CA certificates; nil if it succeeded.
    public let failure: TransportError?
}

extension ServerTrust {
    /// The question about the server that `attempt` has connected to.
    init(of attempt: TransferAttempt, certificates: [String], failure: TransportError?) {
        self.init(
            host: attempt.endpoint.host,
            port: Int(attempt.endpoint.port),
            certificates: certificates,
            failure: failure
        )
    }

    /// The certificates of the server that `attempt` has connected to; empty if it reused a
    /// connection.
    static func certificates(of attempt: TransferAttempt) -> [String] {
        attempt.easy.handle.certificates.map(pem)
    }

    /// The PEM certificate in libcurl's certificate information; empty if there is none.
    private static func pem(_ lines: [String]) -> String {
        let prefix = "Cert:"
        guard let line = lines.first(where: { $0.hasPrefix(prefix) }) else { return "" }
        return String(line.dropFirst(prefix.count))
    }
}
