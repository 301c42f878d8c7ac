internal import LoadSupport
internal import Synchronization

/// Places whose request has ended, on their way from the loops to the thread that submits.
final class ResultQueue: Sendable {
    private let places = Mutex<[Int]>([])
    private let wakeup = load_wakeup_make()

    /// On a loop thread. Only the first result of a batch pays for a wake-up.
    func put(_ place: Int) {
        let wasEmpty = places.withLock { places in
            places.append(place)
            return places.count == 1
        }
        if wasEmpty { load_wakeup_signal(wakeup) }
    }

    /// On the submitting thread: waits, and exchanges what there is for the empty array handed in.
    func waitAndTake(into taken: inout [Int]) {
        load_wakeup_wait(wakeup)
        places.withLock { swap(&$0, &taken) }
    }
}
