internal import LoadSupport
internal import Synchronization

/// Places whose request has ended, on their way from the loops to the thread that submits.
final class ResultQueue: Sendable {
    private struct State {
        var places: [Int] = []
        var isReaderAsleep = false
    }

    private let state = Mutex(State())
    private let isWakeUpDue = Atomic(false)
    private let wakeup = load_wakeup_make()

    /// On a loop thread. The first result that finds the reader asleep makes a wake-up due.
    func put(_ place: Int) {
        state.withLock { state in
            state.places.append(place)
            guard state.isReaderAsleep else { return }
            state.isReaderAsleep = false
            isWakeUpDue.store(true, ordering: .relaxed)
        }
    }

    /// On a loop thread, behind the last result of a turn.
    func wakeReader() {
        guard isWakeUpDue.load(ordering: .relaxed),
            isWakeUpDue.exchange(false, ordering: .relaxed)
        else { return }
        load_wakeup_signal(wakeup)
    }

    /// Waits for results, and swaps them for the empty array passed in. On the submitting thread.
    func waitAndTake(into taken: inout [Int]) {
        while true {
            state.withLock { state in
                swap(&state.places, &taken)
                state.isReaderAsleep = taken.isEmpty
            }
            guard taken.isEmpty else { return }
            load_wakeup_wait(wakeup)
        }
    }
}
