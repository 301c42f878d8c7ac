/// The size to which a compressed body may be decompressed.
///
/// Beyond it, the transfer fails with ``TransportError/Code/responseTooLarge``. A few kilobytes can
/// be made to expand to gigabytes. Legitimate content shrinks to a tenth, rarely to a fiftieth. So
/// a decompressed body may have ``bytes`` in any case, and beyond that ``ratio`` times the
/// compressed bytes.
public struct DecompressionLimit: Sendable, Hashable {
    /// The number of decompressed bytes that are always allowed. Default: 64 MiB.
    ///
    /// A negative value is a configuration error.
    public var bytes: Int64

    /// The allowed ratio of decompressed to compressed bytes beyond ``bytes``. Default: 100.
    ///
    /// A value below 1 is a configuration error.
    public var ratio: Int64

    /// Creates a limit.
    public init(bytes: Int64 = 64 << 20, ratio: Int64 = 100) {
        self.bytes = bytes
        self.ratio = ratio
    }

    /// Whether `decoded` bytes are too many for `wire` compressed bytes.
    func isExceeded(by decoded: Int64, from wire: Int64) -> Bool {
        decoded > bytes && decoded / max(1, ratio) > wire
    }
}
