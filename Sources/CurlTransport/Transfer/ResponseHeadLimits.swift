/// How much of a response's head is taken from a server before the transfer fails with
/// ``TransportError/Code/responseHeadTooLarge``.
public struct ResponseHeadLimits: Sendable, Hashable {
    /// The field lines of one head, or of the trailers: 1,000 by default. Above 65,000 is taken
    /// for 65,000, below 0 for 0.
    public var maximumFieldCount: Int

    /// The bytes of all heads and trailers of one request and its response, informational heads
    /// included: 262,144 by default. Below 0 is taken for 0.
    ///
    /// libcurl has limits of its own besides: about 100 KB for a line, 300 KB for a head.
    public var maximumBytes: Int

    /// Creates limits, with defaults that no ordinary server comes near.
    public init(maximumFieldCount: Int = 1_000, maximumBytes: Int = 256 * 1_024) {
        self.maximumFieldCount = maximumFieldCount
        self.maximumBytes = maximumBytes
    }
}
