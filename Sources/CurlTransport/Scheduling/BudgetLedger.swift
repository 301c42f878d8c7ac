internal import DequeModule

/// The places of a budget and their owners. A pure value, without lock or loop.
///
/// A place that is released while a loop waits is reserved for that loop, so that the releasing
/// loop can't take it repeatedly. A loop that no longer needs it passes it on.
struct BudgetLedger {
    /// The index of a loop.
    typealias Loop = Int

    /// The places that are neither taken nor reserved.
    private(set) var available: Int
    private var waiting = Deque<Loop>()
    private var isWaiting: Set<Loop> = []
    private var kept: [Loop: Int] = [:]

    init(_ places: Int) {
        available = places
    }

    /// Takes a place. If none is free, the loop waits for one.
    mutating func take(for loop: Loop) -> Bool {
        if let count = kept[loop] {
            kept[loop] = count > 1 ? count - 1 : nil
            return true
        }
        if available > 0 {
            available -= 1
            return true
        }
        if isWaiting.insert(loop).inserted { waiting.append(loop) }
        return false
    }

    /// Releases a place. Returns the loop for which it is reserved now, which must be notified.
    mutating func release() -> Loop? {
        guard let next = waiting.popFirst() else {
            available += 1
            return nil
        }
        isWaiting.remove(next)
        kept[next, default: 0] += 1
        return next
    }

    /// Releases the places reserved for `loop`. Returns the loops that must be notified.
    mutating func releaseReserved(for loop: Loop) -> [Loop] {
        let count = kept.removeValue(forKey: loop) ?? 0
        return (0..<count).compactMap { _ in release() }
    }
}
