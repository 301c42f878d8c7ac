/// A binary heap of deadlines, the earliest first.
struct DeadlineQueue {
    private var heap: [(deadline: ContinuousClock.Instant, id: Int)] = []

    var earliest: ContinuousClock.Instant? { heap.first?.deadline }

    mutating func insert(_ id: Int, at deadline: ContinuousClock.Instant) {
        heap.append((deadline, id))
        var child = heap.count - 1
        while child > 0, heap[child].deadline < heap[(child - 1) / 2].deadline {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    /// Removes and returns a connection whose deadline has passed.
    mutating func take(due now: ContinuousClock.Instant) -> Int? {
        guard let first = heap.first, first.deadline <= now else { return nil }
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < heap.count && heap[child].deadline < heap[least].deadline {
                least = child
            }
            guard least != parent else { return first.id }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}
