/// How many tasks have completions that have yet to run, by when they began: a pure value.
///
/// Whoever waits begins a new age, and waits for those of the ages before: tasks that begin meanwhile
/// don't hold him up.
struct TaskLedger: Sendable {
    /// Somebody who waits.
    struct Waiter: Sendable {
        let resume: @Sendable ((any Error)?) -> Void
        fileprivate let age: Int
    }

    private var age = 0
    /// Of this age.
    private var current = 0
    /// Of former ages; none where all are over.
    private var former: [Int: Int] = [:]
    private var waiters: [Int: Waiter] = [:]
    private var lastTicket = 0

    /// A task begins. Answers its age.
    mutating func enter() -> Int {
        current += 1
        return age
    }

    /// A task's completion has run. Answers those who have waited for it as the last one.
    mutating func leave(_ age: Int) -> [Waiter] {
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

    /// A name for somebody who may wait.
    mutating func ticket() -> Int {
        lastTicket += 1
        return lastTicket
    }

    /// Somebody waits for all tasks that there are. True if there are none.
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

    /// Somebody doesn't wait any more. Answers him, if he did.
    mutating func leaveWaiting(_ ticket: Int) -> Waiter? {
        waiters.removeValue(forKey: ticket)
    }
}
