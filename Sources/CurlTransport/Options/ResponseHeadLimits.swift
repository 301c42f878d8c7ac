/// How much of response heads and trailers a transfer takes before it takes the server for hostile
/// and ends with ``TransportError/Code/responseHeadTooLarge``.
public struct ResponseHeadLimits: Sendable, Hashable {
    /// Field lines of one head, or of the trailers. Default: 1,000.
    public var maximumFieldCount: Int

    /// Bytes of all heads and trailers of one request together, informational ones included.
    /// Default: 256 KiB, which is below libcurl's own limit of 300 KiB.
    public var maximumBytes: Int

    /// Creates limits.
    public init(maximumFieldCount: Int = 1_000, maximumBytes: Int = 256 * 1_024) {
        self.maximumFieldCount = maximumFieldCount
        self.maximumBytes = maximumBytes
    }
}
