import BatchFetch
import Synchronization

/// What signals do: the first that asks for the end starts nothing any more, the second ends the
/// process; others ask for fresh files, or for the state.
final class Stopper: Sendable {
    /// What is running, as far as signals concern it.
    struct Watched: Sendable {
        let run: BatchRun
        let log: ResultLog?
        /// How long what is in flight has to come to its end.
        let grace: Duration
        let isQuiet: Bool
    }

    private struct State {
        var watched: Watched?
        /// What ends that which comes before a run.
        var onEnd: (@Sendable () -> Void)?
        var signal: Int32?
    }

    private let state = Mutex(State())
    private let terminal = Terminal()

    /// On the signals' thread.
    func receive(_ signal: Interruption.Signal) {
        let watched = state.withLock { $0.watched }
        switch signal {
        case .end(let number): end(number)
        case .reopen where terminal.isTerminal:
            // Nobody looks any more.
            end(Interruption.hangUp)
        case .reopen: watched?.log?.reopen()
        case .tell:
            guard let progress = watched?.run.progress else { return }
            tell(ProgressLine.state(progress))
        }
    }

    /// Not on the signals' thread: nobody may read what is told, and the next signal has to be heard.
    private func tell(_ text: String) {
        Task { [terminal] in terminal.write("\(text)\n") }
    }

    private func end(_ number: Int32) {
        let (watched, onEnd, isFirst) = state.withLock { state in
            let isFirst = state.signal == nil
            state.signal = state.signal ?? number
            return (state.watched, state.onEnd, isFirst)
        }
        guard isFirst else {
            // What has been fetched is to be known.
            watched?.log?.flush()
            Interruption.endProcess(status: 128 + number)
        }
        if let watched { end(watched) } else { onEnd?() }
    }

    private func end(_ watched: Watched) {
        watched.run.stop()
        guard watched.grace > .zero else { return watched.run.cancel() }
        if !watched.isQuiet {
            let time = NumberFormat.duration(watched.grace)
            tell(
                "batchfetch: nothing is started any more; what is in flight has \(time), "
                    + "a second signal ends it at once"
            )
        }
        // Letting go of the run would end it: it is held no longer than it takes.
        Task { [grace = watched.grace, weak run = watched.run] in
            try? await Task.sleep(for: grace)
            run?.cancel()
        }
    }

    /// Names the run that a signal ends; at once, if it came before.
    func watch(_ watched: Watched) {
        let isInterrupted = state.withLock { state in
            state.watched = watched
            return state.signal != nil
        }
        if isInterrupted { end(watched) }
    }

    /// Says what a signal ends before there is a run; at once, if it came before.
    func onEnd(_ end: @escaping @Sendable () -> Void) {
        let isInterrupted = state.withLock { state in
            state.onEnd = end
            return state.signal != nil
        }
        if isInterrupted { end() }
    }

    /// The run is over.
    func unwatch() {
        state.withLock { $0.watched = nil }
    }

    /// The signal that came first, if any did.
    var signal: Int32? { state.withLock { $0.signal } }
}
