/// Why an attempt failed, as the retry decision needs it.
package enum RetryCause: Sendable, Hashable {
    /// The server answered with a status outside 200 … 299.
    case status(Int)
    /// The transfer failed. `isTransient`: the cause may be temporary. `mayHaveReachedServer`: part
    /// of the request may have been sent.
    case transfer(isTransient: Bool, mayHaveReachedServer: Bool)
    /// The body is complete but has the wrong checksum: it may have been damaged in transit.
    case mismatch
    /// A retry can't help: an invalid URL, a full disk, a cancelled run.
    case permanent

    /// Whether a retry is useful and safe.
    func isRetryable(isIdempotent: Bool) -> Bool {
        switch self {
        case .status(let code):
            guard let isAccepted = Self.statuses[code] else { return false }
            // The server states that it has not processed the request: safe for every method.
            if code == 425 || code == 429 { return isAccepted }
            return isAccepted && isIdempotent
        case .transfer(let isTransient, let mayHaveReachedServer):
            return isTransient && (isIdempotent || !mayHaveReachedServer)
        case .mismatch:
            return isIdempotent
        case .permanent:
            return false
        }
    }

    /// The known statuses and whether each is retried; any other is final.
    private static let statuses: [Int: Bool] = [
        401: false,  // asks for credentials, and would again
        404: false,  // may appear later, but that isn't worth waiting for
        407: false,  // as 401, from a proxy
        408: true,  // the server gave up waiting for the request
        421: false,  // wrong server; a fresh connection would be a different request
        423: false,  // locked, for an unknown time
        425: true,  // too early: only replayed data is refused
        429: true,  // too many requests; mostly with Retry-After
        500: true,  // often temporary
        501: false,  // the server lacks the method, and still will in seconds
        502: true,  // a gateway whose server is being restarted
        503: true,  // overloaded or in maintenance; mostly with Retry-After
        504: true,  // a gateway whose server was too slow
        505: false,  // requires another HTTP version
        507: false,  // the server's disk is full
        511: false,  // a login page of the network in between
    ]
}
