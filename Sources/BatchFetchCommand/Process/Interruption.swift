import BatchFetch
import Posix
import Synchronization

/// Passes signals to a handler instead of letting them end the process.
final class Interruption: Sendable {
    /// What a signal requests.
    enum Signal: Sendable, Hashable {
        /// End the run (`SIGINT`, `SIGTERM`), with the signal's number.
        case end(Int32)
        /// Reopen the output files (`SIGHUP`).
        case reopen
        /// Print the progress (`SIGUSR1`).
        case printProgress
    }

    private let thread: Mutex<SignalThread?>

    /// Calls `handler` on a dedicated thread. Create it before other threads start.
    init(_ handler: @escaping @Sendable (Signal) -> Void) throws(BatchFailure) {
        do throws(SystemFailure) {
            let signals = SignalThread.ending + [SignalThread.hangUp, SignalThread.userDefined]
            thread = Mutex(
                try SignalThread(signals: signals) { number in
                    switch number {
                    case SignalThread.hangUp: handler(.reopen)
                    case SignalThread.userDefined: handler(.printProgress)
                    default: handler(.end(number))
                    }
                }
            )
        } catch {
            throw BatchFailure(.resources, "can't wait for signals: \(error)")
        }
    }

    deinit {
        thread.withLock { $0.take() }?.stop()
    }

    /// Sets the actions of signals that aren't received.
    ///
    /// `SIGQUIT` ends the process as other programs. A closed pipe is an error instead of a signal
    /// (`SIGPIPE`), so that the exit status says what was lost. Call it before other threads start.
    static func setActions() { SignalActions.setForProgram() }

    /// The number of `SIGHUP`.
    static var hangUp: Int32 { SignalThread.hangUp }

    /// Ends the process immediately, without cleanup.
    static func endProcess(status: Int32) -> Never { ProcessEnd.now(status: status) }
}
