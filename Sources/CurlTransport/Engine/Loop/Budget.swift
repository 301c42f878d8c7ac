internal import Synchronization

/// A limit that several loops share: connections in total, concurrent name lookups.
///
/// A loop that finds no free place registers itself. It gets a command when a place is reserved for
/// it.
final class Budget: Sendable {
    private struct State {
        var ledger: BudgetLedger
        /// The loops that have waited at any time.
        var loops: [BudgetLedger.Loop: EventLoop] = [:]
    }

    private let state: Mutex<State>

    init(_ places: Int) {
        state = Mutex(State(ledger: BudgetLedger(places)))
    }

    /// Takes a place. If none is free, `loop` is notified when one is reserved for it.
    func take(for loop: EventLoop) -> Bool {
        state.withLock { state in
            if state.ledger.take(for: loop.index) { return true }
            state.loops[loop.index] = loop
            return false
        }
    }

    /// Releases a place, and notifies the loop that has waited longest.
    func release() {
        notify(
            state.withLock { state in
                state.ledger.release().flatMap { state.loops[$0] }.map { [$0] } ?? []
            }
        )
    }

    /// Passes on the places that are reserved for `loop`, which doesn't need them.
    func releaseReserved(for loop: EventLoop) {
        notify(
            state.withLock { state in
                state.ledger.releaseReserved(for: loop.index).compactMap { state.loops[$0] }
            }
        )
    }

    private func notify(_ loops: [EventLoop]) {
        for loop in loops where !loop.post(.budgetChanged) { releaseReserved(for: loop) }
    }
}
