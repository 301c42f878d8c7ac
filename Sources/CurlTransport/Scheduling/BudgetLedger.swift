/// Who has what of a budget: a pure value, without lock or loop.
///
/// A place that is given back while a loop waits is kept for that loop, so that the one that gave
/// it back can't take it again and again. A loop that has no use for it by then passes it on.
struct BudgetLedger {
    /// Names a loop.
    typealias Loop = Int

    /// Places that nobody has, and that are kept for nobody.
    private(set) var available: Int
    private var waiting = FIFO<Loop>()
    private var isWaiting: Set<Loop> = []
    private var kept: [Loop: Int] = [:]

    init(_ places: Int) {
        available = places
    }

    /// Takes a place. If there is none, the loop waits for one.
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

    /// Gives a place back. Answers the loop for which it is kept now, and which has to be told.
    mutating func giveBack() -> Loop? {
        guard let next = waiting.popFirst() else {
            available += 1
            return nil
        }
        isWaiting.remove(next)
        kept[next, default: 0] += 1
        return next
    }

    /// Gives back what is kept for `loop`. Answers the loops that have to be told.
    mutating func giveBackKept(for loop: Loop) -> [Loop] {
        let count = kept.removeValue(forKey: loop) ?? 0
        return (0..<count).compactMap { _ in giveBack() }
    }
}
