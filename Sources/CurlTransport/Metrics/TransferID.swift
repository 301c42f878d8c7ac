internal import Synchronization

/// Identifies a transfer. Unique in the process and never reused.
public struct TransferID: Hashable, Sendable, CustomStringConvertible {
    let rawValue: UInt64

    private static let counter = Atomic<UInt64>(0)

    init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// Creates a new identifier, for a response or an error that the program makes itself.
    public init() {
        rawValue = Self.counter.add(1, ordering: .relaxed).newValue
    }

    /// A new identifier.
    static func next() -> TransferID { TransferID() }

    /// The transfer's number, as in messages.
    public var description: String { "#\(rawValue)" }
}
