import BatchFetch
import Synchronization

/// Ends the run at the first signal, and the process at the second.
final class Stopper: Sendable {
    private struct State {
        var run: BatchRun?
        var signal: Int32?
    }

    private let state = Mutex(State())

    /// On the signals' thread.
    func interrupt(signal: Int32) {
        let (run, isFirst) = state.withLock { state in
            let isFirst = state.signal == nil
            state.signal = state.signal ?? signal
            return (state.run, isFirst)
        }
        guard isFirst else { Interruption.endProcess(status: 128 + signal) }
        run?.cancel()
    }

    /// Names the run that a signal ends; at once, if it came before.
    func watch(_ run: BatchRun) {
        let isInterrupted = state.withLock { state in
            state.run = run
            return state.signal != nil
        }
        if isInterrupted { run.cancel() }
    }

    /// The run is over.
    func unwatch() {
        state.withLock { $0.run = nil }
    }

    /// The signal that came first, if any did.
    var signal: Int32? { state.withLock { $0.signal } }
}
