import Synchronization

/// What the lists of a run have that isn't used. Thread-safe.
final class InputWarnings: Sendable {
    private struct State {
        var all: Set<String> = []
        var untaken: [String] = []
    }

    private let state = Mutex(State())

    /// Notes what a list has that isn't used; returns false if it was noted before.
    func note(_ name: String) -> Bool {
        state.withLock { state in
            guard state.all.insert(name).inserted else { return false }
            state.untaken.append("\(name) in the list is ignored")
            return true
        }
    }

    /// Returns the warnings since the last call.
    func take() -> [String] {
        state.withLock { state in
            defer { state.untaken = [] }
            return state.untaken
        }
    }
}
