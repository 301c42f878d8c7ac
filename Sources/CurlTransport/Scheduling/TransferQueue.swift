internal import DequeModule

/// A queue of transfers, from which any transfer may be removed.
///
/// Removal needs no search. A removed transfer is skipped at its turn, or deleted when most of the
/// queue has been removed.
struct TransferQueue {
    private var queue = Deque<TransferID>()
    private var left: Set<TransferID> = []
    /// The number from which on the memory of an empty queue is released.
    private static let large = 1024
    private var peak = 0

    var count: Int { queue.count - left.count }

    var isEmpty: Bool { count == 0 }

    mutating func append(_ transfer: TransferID) {
        queue.append(transfer)
        peak = max(peak, queue.count)
    }

    /// Adds a transfer that starts before all others.
    mutating func prepend(_ transfer: TransferID) {
        queue.prepend(transfer)
        peak = max(peak, queue.count)
    }

    mutating func popFirst() -> TransferID? {
        defer { if queue.isEmpty, peak >= Self.large { self = TransferQueue() } }
        while let next = queue.popFirst() {
            if left.isEmpty || left.remove(next) == nil { return next }
        }
        return nil
    }

    /// Removes a transfer that is in the queue.
    mutating func remove(_ transfer: TransferID) {
        left.insert(transfer)
        if isEmpty {
            self = TransferQueue()
        } else if left.count >= 64, left.count * 2 >= queue.count {
            // Into new memory, of the size that is needed now.
            queue = Deque(queue.filter { !left.contains($0) })
            left.removeAll()
            peak = queue.count
        }
    }
}
