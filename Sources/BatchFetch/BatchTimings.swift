/// How long the phases of a fetch took; `nil` for one that there was not (a reused connection is
/// not looked up, connected and secured again).
public struct BatchTimings: Sendable, Hashable {
    /// Waiting for a turn: from being read, or from the end of the pause before another attempt,
    /// until the request was started.
    public var queue: Duration?
    /// Looking up the host's name.
    public var nameLookup: Duration?
    /// Connecting, after the look-up.
    public var connect: Duration?
    /// The TLS handshake, after connecting.
    public var tls: Duration?
    /// From the start of the last attempt until the first byte of the response.
    public var firstByte: Duration?
    /// From the start of the last attempt until its end.
    public var total: Duration?

    /// Creates timings of a fetch that didn't come to anything.
    public init() {}
}
