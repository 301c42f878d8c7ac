internal import HTTPSemantics

/// Why an attempt failed, as the retry decision needs it.
package enum RetryCause: Sendable, Hashable {
    /// The server answered with a status that isn't a success.
    case status(Int)
    /// The transfer failed. `isTransient`: the cause may be temporary. `mayHaveReachedServer`: part
    /// of the request may have been sent.
    case transfer(isTransient: Bool, mayHaveReachedServer: Bool)
    /// The body is complete but has the wrong checksum: it may have been damaged in transit.
    case mismatch
    /// A retry can't help: an invalid URL, a full disk, a cancelled run.
    case permanent

    /// Whether a retry is useful and safe.
    package func isRetryable(isIdempotent: Bool) -> Bool {
        switch self {
        case .status(let code):
            guard TransientStatus.codes.contains(code) else { return false }
            // With 425 and 429 the server states that it has not processed the request: a retry is
            // safe for every method.
            return isIdempotent || code == 425 || code == 429
        case .transfer(let isTransient, let mayHaveReachedServer):
            return isTransient && (isIdempotent || !mayHaveReachedServer)
        case .mismatch:
            return isIdempotent
        case .permanent:
            return false
        }
    }
}
