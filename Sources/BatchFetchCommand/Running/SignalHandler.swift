import BatchFetch
import Posix
import Synchronization

/// Handles signals.
///
/// The first signal to end stops the start of attempts; the second cancels those in flight, and the
/// run writes its results and summary; the third ends the process. Others reopen the results file,
/// or print the progress.
final class SignalHandler: Sendable {
    /// The running batch, as signals need it.
    struct Watched: Sendable {
        let run: BatchRun
        let log: ResultLog?
        /// How long URLs in flight may continue after the first signal.
        let grace: Duration
        let isQuiet: Bool
    }

    /// How long a cancelled run may write its output before the process ends.
    private static let writingTime = Duration.seconds(5)

    private struct State {
        var watched: Watched?
        /// Whether the run has ended, and only its output may still be written.
        var hasRun = false
        /// Ends the work before a run.
        var onEnd: (@Sendable () -> Void)?
        var signals = EndingSignals()
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
        let (watched, onEnd, hasRun, effect) = state.withLock { state in
            let effect = state.signals.receive(number, at: MonotonicTime.now)
            return (state.watched, state.onEnd, state.hasRun, effect)
        }
        switch effect {
        case .nothing: return
        case .stop:
            if let watched { end(watched) } else { onEnd?() }
        case .cancel where watched != nil || hasRun:
            cancel(watched, status: 128 + number)
        case .cancel, .endProcess:
            // The results so far must reach the file.
            watched?.log?.flush()
            Interruption.endProcess(status: 128 + number)
        }
    }

    /// Cancels a run, and lets it write its results and summary.
    ///
    /// Ends the process if that takes long: an output may block, such as a pipe that isn't read.
    private func cancel(_ watched: Watched?, status: Int32) {
        watched?.run.cancel()
        if let watched, !watched.isQuiet {
            printInTask("batchfetch: cancelling: a third signal ends without results and summary")
        }
        let log = watched?.log
        do throws(SystemFailure) {
            // Not a task: blocked output may keep all threads that run tasks.
            try JoinedThread(name: "ending") {
                do throws(SystemFailure) {
                    try Wakeup().wait(until: MonotonicTime.now.advanced(by: Self.writingTime))
                } catch {
                    // Without a timer the process ends at once.
                }
                log?.flush()
                Interruption.endProcess(status: status)
            }.detach()
        } catch {
            log?.flush()
            Interruption.endProcess(status: status)
        }
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
            return (state.signals.last != nil, state.reopens, state.printsProgress)
        }
        if reopens { watched.log?.reopen() }
        if printsProgress { printInTask(ProgressLine.state(watched.run.progress)) }
        if isInterrupted { end(watched) }
    }

    /// Sets what a signal calls before there is a run; calls it at once if a signal has arrived.
    func onEnd(_ end: @escaping @Sendable () -> Void) {
        let isInterrupted = state.withLock { state in
            state.onEnd = end
            return state.signals.last != nil
        }
        if isInterrupted { end() }
    }

    /// Ends the process at once with the status for the signal.
    ///
    /// For work that leaves nothing behind that would have to be closed.
    func endProcess() {
        if let signal { Interruption.endProcess(status: 128 + signal) }
    }

    /// Removes the run after its end.
    func unwatch() {
        state.withLock { state in
            state.watched = nil
            state.hasRun = true
        }
    }

    /// The last signal to end, without repetitions; `nil` if there was none.
    var signal: Int32? { state.withLock { $0.signals.last } }
}
