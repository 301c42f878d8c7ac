internal import LoadSupport
internal import Synchronization

/// Places whose request has ended, on their way from the loops to the thread that submits.
final class ResultQueue: Sendable {
    private struct State {
        var places: [Int] = []
        var isReaderAsleep = false
    }

    private let state = Mutex(State())
    private let wakeup = load_wakeup_make()

    /// On a loop thread. Only the first result that finds the reader asleep pays for a wake-up.
    func put(_ place: Int) {
        let mustWake = state.withLock { state in
            state.places.append(place)
            defer { state.isReaderAsleep = false }
            return state.isReaderAsleep
        }
        if mustWake { load_wakeup_signal(wakeup) }
    }

    /// On the submitting thread: waits, and exchanges what there is for the empty array handed in.
    func waitAndTake(into taken: inout [Int]) {
        while true {
            let isEmpty = state.withLock { state in
                swap(&state.places, &taken)
                state.isReaderAsleep = taken.isEmpty
                return taken.isEmpty
            }
            guard isEmpty else { return }
            load_wakeup_wait(wakeup)
        }
    }
}
