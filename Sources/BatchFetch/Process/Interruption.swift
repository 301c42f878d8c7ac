import Curl
import Synchronization

/// Tells a program what it is asked by signals, instead of ending it.
package final class Interruption: Sendable {
    /// What a signal asks for.
    package enum Signal: Sendable, Hashable {
        /// To end (`SIGINT`, `SIGTERM`), with the signal's number.
        case end(Int32)
        /// To begin its files anew (`SIGHUP`).
        case reopen
        /// To tell how far it is (`SIGUSR1`).
        case tell
    }

    private let thread: Mutex<SignalThread?>

    /// Calls `handler` on a thread of its own. To be made before other threads are.
    package init(_ handler: @escaping @Sendable (Signal) -> Void) throws(BatchFailure) {
        do throws(SystemFailure) {
            let signals = SignalThread.ending + [SignalThread.hangUp, SignalThread.userDefined]
            thread = Mutex(
                try SignalThread(signals: signals) { number in
                    switch number {
                    case SignalThread.hangUp: handler(.reopen)
                    case SignalThread.userDefined: handler(.tell)
                    default: handler(.end(number))
                    }
                }
            )
        } catch {
            throw BatchFailure(.resources, "signals can't be waited for: \(error)")
        }
    }

    deinit {
        thread.withLock { $0.take() }?.stop()
    }

    /// The number of `SIGHUP`.
    package static var hangUp: Int32 { SignalThread.hangUp }

    /// Ends the process at once, without any more ado.
    package static func endProcess(status: Int32) -> Never { ProcessEnd.now(status: status) }
}
