/// Transfers that wait in their order, any of which may leave.
///
/// Leaving costs no search: who has left is stepped over when its turn comes, or cleared away once
/// most of the queue has left.
struct TransferQueue {
    private var queue = FIFO<TransferID>()
    private var left: Set<TransferID> = []

    var count: Int { queue.count - left.count }

    var isEmpty: Bool { count == 0 }

    mutating func append(_ transfer: TransferID) {
        queue.append(transfer)
    }

    mutating func popFirst() -> TransferID? {
        while let next = queue.popFirst() {
            if left.isEmpty || left.remove(next) == nil { return next }
        }
        return nil
    }

    /// Takes out a transfer that is in the queue.
    mutating func remove(_ transfer: TransferID) {
        left.insert(transfer)
        if left.count >= 64, left.count * 2 >= queue.count {
            queue.removeAll { left.contains($0) }
            left.removeAll()
        } else if isEmpty {
            self = TransferQueue()
        }
    }
}
