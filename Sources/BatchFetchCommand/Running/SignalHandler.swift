import BatchFetch
import Synchronization

/// Handles signals.
///
/// The first signal to end stops the start of attempts; the second ends the process. Others reopen
/// the results file, or print the progress.
final class SignalHandler: Sendable {
    /// The running batch, as signals need it.
    struct Watched: Sendable {
        let run: BatchRun
        let log: ResultLog?
        /// How long URLs in flight may continue after the first signal.
        let grace: Duration
        let isQuiet: Bool
    }

    private struct State {
        var watched: Watched?
        /// Ends the work before a run.
        var onEnd: (@Sendable () -> Void)?
        var signal: Int32?
        /// Requests that arrived before there was a run.
        var reopens = false
        var printsProgress = false
    }

    private let state = Mutex(State())
    private let terminal = Terminal()

    /// Handles a signal. Called on the signal thread.
    func receive(_ signal: Interruption.Signal) {
        switch signal {
        case .end(let number): end(number)
        case .reopen where terminal.isTerminal:
            // The terminal was closed.
            end(Interruption.hangUp)
        case .reopen: watched(else: { $0.reopens = true })?.log?.reopen()
        case .printProgress:
            guard let run = watched(else: { $0.printsProgress = true })?.run else { return }
            printInTask(ProgressLine.state(run.progress))
        }
    }

    /// The running batch; if there is none, calls `note` to remember the request.
    private func watched(else note: (inout State) -> Void) -> Watched? {
        state.withLock { state in
            if state.watched == nil { note(&state) }
            return state.watched
        }
    }

    /// Prints a text in a task: the output may block, and the signal thread must receive the next
    /// signal.
    private func printInTask(_ text: String) {
        Task { [terminal] in terminal.write("\(text)\n") }
    }

    private func end(_ number: Int32) {
        let (watched, onEnd, isFirst) = state.withLock { state in
            let isFirst = state.signal == nil
            state.signal = state.signal ?? number
            return (state.watched, state.onEnd, isFirst)
        }
        guard isFirst else {
            // The results so far must reach the file.
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
            printInTask(
                "batchfetch: stopping: no more URLs are started; those in flight are cancelled "
                    + "after \(time), or at once by a second signal"
            )
        }
        // Releasing the run would end it; a weak reference keeps it no longer than needed.
        Task { [grace = watched.grace, weak run = watched.run] in
            try? await Task.sleep(for: grace)
            run?.cancel()
        }
    }

    /// Sets the run for signals, including those that arrived before.
    func watch(_ watched: Watched) {
        let (isInterrupted, reopens, printsProgress) = state.withLock { state in
            state.watched = watched
            defer { (state.reopens, state.printsProgress) = (false, false) }
            return (state.signal != nil, state.reopens, state.printsProgress)
        }
        if reopens { watched.log?.reopen() }
        if printsProgress { printInTask(ProgressLine.state(watched.run.progress)) }
        if isInterrupted { end(watched) }
    }

    /// Sets what a signal calls before there is a run; calls it at once if a signal has arrived.
    func onEnd(_ end: @escaping @Sendable () -> Void) {
        let isInterrupted = state.withLock { state in
            state.onEnd = end
            return state.signal != nil
        }
        if isInterrupted { end() }
    }

    /// Ends the process at once with the status for the first signal.
    ///
    /// For work that leaves nothing behind that would have to be closed.
    func endProcess() {
        if let signal { Interruption.endProcess(status: 128 + signal) }
    }

    /// Removes the run after its end.
    func unwatch() {
        state.withLock { $0.watched = nil }
    }

    /// The first signal; `nil` if there was none.
    var signal: Int32? { state.withLock { $0.signal } }
}
