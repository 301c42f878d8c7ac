/// Keeps further attempts a share of all requests, so that a server in trouble isn't asked several
/// times as often as a healthy one. Pure.
struct RetryBudget: Sendable, Hashable {
    /// Further attempts for each first one.
    private let share: Double
    private var balance: Double

    /// - Parameter reserve: Further attempts that are there from the start, so that a short list gets
    ///   what it needs.
    init(share: Double, reserve: Int) {
        self.share = share
        balance = Double(reserve)
    }

    /// A URL was tried for the first time.
    mutating func earn() { balance += share }

    /// Takes a further attempt; false if there is none left.
    mutating func spend() -> Bool {
        guard balance >= 1 else { return false }
        balance -= 1
        return true
    }
}
