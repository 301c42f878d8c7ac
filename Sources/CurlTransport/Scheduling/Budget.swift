internal import Synchronization

/// So many places that several loops share: connections in all, name look-ups under way.
///
/// A loop that finds none leaves word, and is told by a command when one is kept for it.
final class Budget: Sendable {
    private struct State {
        var ledger: BudgetLedger
        /// The loops that have ever waited.
        var loops: [BudgetLedger.Loop: EventLoop] = [:]
    }

    private let state: Mutex<State>

    init(_ places: Int) {
        state = Mutex(State(ledger: BudgetLedger(places)))
    }

    /// Takes a place. If there is none, `loop` will be told of one that is kept for it.
    func take(for loop: EventLoop) -> Bool {
        state.withLock { state in
            if state.ledger.take(for: loop.index) { return true }
            state.loops[loop.index] = loop
            return false
        }
    }

    /// Gives a place back, and tells the loop that has waited longest.
    func giveBack() {
        tell(
            state.withLock { state in
                state.ledger.giveBack().flatMap { state.loops[$0] }.map { [$0] } ?? []
            }
        )
    }

    /// Passes on what is kept for `loop`, which has no use for it.
    func giveBackKept(for loop: EventLoop) {
        tell(
            state.withLock { state in
                state.ledger.giveBackKept(for: loop.index).compactMap { state.loops[$0] }
            }
        )
    }

    private func tell(_ loops: [EventLoop]) {
        for loop in loops where !loop.post(.budgetChanged) { giveBackKept(for: loop) }
    }
}
