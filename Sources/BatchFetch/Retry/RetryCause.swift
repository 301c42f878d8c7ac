/// What an attempt failed of, as far as trying again is concerned.
package enum RetryCause: Sendable, Hashable {
    /// The server answered, with a status outside 200 … 299.
    case status(Int)
    /// The transfer failed. `isTransient` says whether the reason may pass by itself, and
    /// `mayHaveReachedServer` whether anything may have been sent.
    case transfer(isTransient: Bool, mayHaveReachedServer: Bool)
    /// The body came whole, and is not the one that was expected: damaged on the way, perhaps.
    case mismatch
    /// What trying again can't change: a bad URL, a full disk, a cancelled run.
    case permanent

    /// Whether another attempt makes sense and does no harm.
    func isRetryable(isIdempotent: Bool) -> Bool {
        switch self {
        case .status(let code):
            guard let isAccepted = Self.statuses[code] else { return false }
            // The server has said that it did nothing: safe for every method.
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

    /// The statuses that were thought about; any other is final.
    private static let statuses: [Int: Bool] = [
        401: false,  // asks for credentials, and would again
        404: false,  // that it may appear later is no reason to wait for it
        407: false,  // as 401, of a proxy
        408: true,  // the server gave up waiting for the request
        421: false,  // the wrong server; a fresh connection would be another request
        423: false,  // locked by somebody, for nobody knows how long
        425: true,  // too early: only replayed data is refused
        429: true,  // too many requests; mostly with Retry-After
        500: true,  // often passes
        501: false,  // not implemented: won't be in a second
        502: true,  // a gateway whose server is being restarted
        503: true,  // overloaded or in maintenance; mostly with Retry-After
        504: true,  // a gateway whose server was too slow
        505: false,  // another HTTP version would be needed
        507: false,  // the server's disk is full
        511: false,  // a login page of the network in between
    ]
}
