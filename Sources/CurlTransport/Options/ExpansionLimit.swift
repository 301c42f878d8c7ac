/// How far a compressed body may expand, before the transfer fails with
/// ``TransportError/Code/responseTooLarge``.
///
/// A few kilobytes can be made to expand to gigabytes. What people compress for a reason shrinks ten
/// times, seldom fifty: so a body may have ``bytes`` in any case, and beyond that ``ratio`` times what
/// came over the network for it.
public struct ExpansionLimit: Sendable, Hashable {
    /// How many decoded bytes are let through whatever came for them: 64 MiB by default. Negative is
    /// a configuration error.
    public var bytes: Int64

    /// How many decoded bytes each byte from the network may become, beyond ``bytes``: 100 by
    /// default. Less than 1 is a configuration error.
    public var ratio: Int64

    /// Creates a limit.
    public init(bytes: Int64 = 64 << 20, ratio: Int64 = 100) {
        self.bytes = bytes
        self.ratio = ratio
    }

    /// Whether `decoded` bytes are too many for so many of the network.
    func isExceeded(by decoded: Int64, from wire: Int64) -> Bool {
        decoded > bytes && decoded / max(1, ratio) > wire
    }
}
