/// The large bodies in flight whose length is known.
///
/// A body is large from 1 MiB on. A body in several segments counts as several.
public struct LargeBodyProgress: Sendable, Hashable {
    /// The number of such bodies in flight.
    public var count = 0
    /// The bytes of them that were received.
    public var received: Int64 = 0
    /// The length of all of them in bytes, from where their attempts began.
    public var total: Int64 = 0
    /// The longest remaining time of one of them, at the mean speed of its attempt so far.
    ///
    /// `nil` if nothing has arrived of any.
    public var longestRemaining: Duration?

    /// Creates the progress of no bodies.
    public init() {}

    /// The bytes that are still to be received.
    public var remaining: Int64 { max(0, total - received) }

    /// The received share, from 0 to 1.
    public var share: Double {
        total > 0 ? min(1, max(0, Double(received) / Double(total))) : 0
    }
}
