/// Counts the tasks whose completions haven't run yet: a pure value.
///
/// Tasks are counted by the age in which they started. A wait starts a new age, and lasts until the
/// tasks of earlier ages are done. Tasks that start meanwhile don't prolong it.
struct TaskLedger: Sendable {
    /// A caller that waits.
    struct Waiter: Sendable {
        let resume: @Sendable ((any Error)?) -> Void
        fileprivate let age: Int
    }

    private var age = 0
    /// The number of tasks of the current age.
    private var current = 0
    /// The numbers of tasks of earlier ages; no entry for an age whose tasks are all done.
    private var former: [Int: Int] = [:]
    private var waiters: [Int: Waiter] = [:]
    private var lastTicket = 0

    /// Counts a task that starts, and returns its age.
    mutating func enter() -> Int {
        current += 1
        return age
    }

    /// Counts a completion as done. Returns the waiters for which it was the last one.
    mutating func leave(_ age: Int) -> [Waiter] {
        assert(age == self.age ? current > 0 : former[age] != nil, "a completion is counted twice")
        guard age != self.age else {
            current -= 1
            return []
        }
        let left = (former[age] ?? 1) - 1
        former[age] = left > 0 ? left : nil
        guard left <= 0, !waiters.isEmpty else { return [] }
        let oldest = former.keys.min() ?? self.age
        let done = waiters.filter { $0.value.age < oldest }
        for ticket in done.keys { waiters[ticket] = nil }
        return done.sorted { $0.key < $1.key }.map(\.value)
    }

    /// A new identifier for a waiter.
    mutating func ticket() -> Int {
        lastTicket += 1
        return lastTicket
    }

    /// Waits for all current tasks. Returns true if there are none.
    mutating func wait(
        _ ticket: Int,
        _ resume: @escaping @Sendable ((any Error)?) -> Void
    ) -> Bool {
        if current > 0 {
            former[age] = current
            (age, current) = (age + 1, 0)
        }
        guard !former.isEmpty else { return true }
        waiters[ticket] = Waiter(resume: resume, age: age - 1)
        return false
    }

    /// Removes a waiter, and returns it if it was waiting.
    mutating func leaveWaiting(_ ticket: Int) -> Waiter? {
        waiters.removeValue(forKey: ticket)
    }
}
