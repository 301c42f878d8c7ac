internal import Posix
internal import Synchronization

/// How busy a loop is, published by its thread for the other loops of the transport.
final class LoopLoad: Sendable {
    private let percent = Atomic(0)
    private let transfers = Atomic(0)
    /// When the loop began to wait for events, in nanoseconds; `Int64.max` while it doesn't wait.
    private let waitStart = Atomic(Int64.max)

    /// Publishes a window of the loop, and the number of its transfers.
    func publish(_ window: LoadWindow, transfers count: Int) {
        percent.store(window.percent, ordering: .relaxed)
        transfers.store(count, ordering: .relaxed)
    }

    func beginWait(at now: MonotonicTime) {
        waitStart.store(now.nanoseconds, ordering: .relaxed)
    }

    func endWait() {
        waitStart.store(.max, ordering: .relaxed)
    }

    /// How busy the loop was in its last window, in percent; 0 if it has been waiting since.
    func percent(at now: MonotonicTime) -> Int {
        let waitStart = waitStart.load(ordering: .relaxed)
        // A loop without events ends no window.
        guard waitStart > now.nanoseconds - LoadMeter.windowLength else { return 0 }
        return percent.load(ordering: .relaxed)
    }

    func candidate(_ loop: Int, at now: MonotonicTime) -> LoopCandidate {
        LoopCandidate(
            loop: loop,
            load: percent(at: now),
            transfers: transfers.load(ordering: .relaxed)
        )
    }
}
