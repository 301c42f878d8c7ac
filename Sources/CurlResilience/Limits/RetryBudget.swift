/// Limits retries to a share of all requests. Pure.
///
/// A server in trouble therefore doesn't receive several times the requests of a healthy one.
package struct RetryBudget: Sendable, Hashable {
    /// Retries per first attempt.
    private let share: Double
    private let maximum: Double
    private var balance: Double

    /// The retries that are left; the last one may be incomplete.
    package var saved: Double { balance }

    /// - Parameters:
    ///   - share: Retries per first attempt.
    ///   - reserve: Retries that are available from the start, so that the first requests aren't
    ///     limited by their share.
    ///   - maximum: The maximum number of saved retries, so that a long time without retries
    ///     doesn't allow a storm of them; `Int.max` for no limit.
    package init(share: Double, reserve: Int, maximum: Int = .max) {
        self.share = share
        self.maximum = Double(max(reserve, maximum))
        balance = Double(reserve)
    }

    /// A budget that saves at most the share of the last 500 requests.
    ///
    /// A share or a reserve below zero counts as zero, and so does a share that isn't finite.
    package static func ofRecentRequests(share: Double, reserve: Int) -> RetryBudget {
        let share = share.isFinite ? max(0, share) : 0
        return RetryBudget(
            share: share,
            reserve: max(0, reserve),
            maximum: Int(min(share * 500, 1e9))
        )
    }

    /// Adds the share of one first attempt.
    package mutating func earn() { balance = min(maximum, balance + share) }

    /// Takes one retry from the budget; returns `false` if none is left.
    package mutating func spend() -> Bool {
        guard balance >= 1 else { return false }
        balance -= 1
        return true
    }
}
