internal import Synchronization

/// The name of one transfer, unique in the process and never used again.
public struct TransferID: Hashable, Sendable, CustomStringConvertible {
    let rawValue: UInt64

    private static let counter = Atomic<UInt64>(0)

    /// A name that no transfer has had.
    static func next() -> TransferID {
        TransferID(rawValue: counter.add(1, ordering: .relaxed).newValue)
    }

    /// The transfer's number, as it appears in messages.
    public var description: String { "#\(rawValue)" }
}
