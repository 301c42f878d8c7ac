internal import Synchronization

/// The number of waiting transfers of all loops of a transport, and its limit.
final class QueueLimit: Sendable {
    let maximum: Int
    private let count = Atomic(0)

    init(_ maximum: Int) {
        self.maximum = maximum
    }

    /// Whether the limit is exceeded, including other loops' transfers.
    var isExceeded: Bool { count.load(ordering: .relaxed) > maximum }

    /// Adds `difference`, which may be negative, to the number of waiting transfers.
    func change(by difference: Int) {
        guard difference != 0 else { return }
        count.add(difference, ordering: .relaxed)
    }
}
