internal import Synchronization

/// So many places that several loops share: connections in all, name look-ups under way.
///
/// A loop that finds none leaves word, and is told by a command when one is given back.
final class Budget: Sendable {
    private struct State {
        var available: Int
        var waiting: [EventLoop] = []
    }

    private let state: Mutex<State>

    init(_ places: Int) {
        state = Mutex(State(available: places))
    }

    /// Takes a place. If there is none, `loop` will be told of the next one.
    func take(for loop: EventLoop) -> Bool {
        state.withLock { state in
            if state.available > 0 {
                state.available -= 1
                return true
            }
            if !state.waiting.contains(where: { $0 === loop }) {
                state.waiting.append(loop)
            }
            return false
        }
    }

    /// Gives a place back, and tells the loop that has waited longest.
    func giveBack() {
        let next: EventLoop? = state.withLock { state in
            state.available += 1
            return state.waiting.isEmpty ? nil : state.waiting.removeFirst()
        }
        next?.post(.budgetChanged)
    }
}
