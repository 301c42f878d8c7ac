/// The statuses that may be temporary: the same request may succeed soon.
///
/// All retries use this list; a journal of transfers also retries after most other server errors.
/// Whether a request is safe to repeat is decided elsewhere.
///
/// Source: RFC 9110, section 15; RFC 6585, section 4; RFC 8470, section 5.2.
package enum TransientStatus {
    /// The statuses that are retried.
    package static let codes = Set(known.filter(\.isTransient).map(\.code))

    /// The statuses that were considered; all others are final.
    private static let known: [(code: Int, isTransient: Bool)] = [
        (401, false),  // asks for credentials, and would again
        (404, false),  // may appear later, but that isn't worth waiting for
        (407, false),  // as 401, from a proxy
        (408, true),  // the server gave up waiting for the request
        (421, false),  // wrong server; a fresh connection would be a different request
        (423, false),  // locked, for an unknown time
        (425, true),  // too early: only replayed data is refused
        (429, true),  // too many requests; mostly with Retry-After
        (500, true),  // often temporary
        (501, false),  // the server lacks the method, and still will in seconds
        (502, true),  // a gateway whose server is being restarted
        (503, true),  // overloaded or in maintenance; mostly with Retry-After
        (504, true),  // a gateway whose server was too slow
        (505, false),  // requires another HTTP version
        (507, false),  // the server's disk is full
        (511, false),  // a login page of the network in between
    ]
}
