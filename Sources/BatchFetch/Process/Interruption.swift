import Curl
import Synchronization

/// Tells a program that it is asked to end (`SIGINT`, `SIGTERM`), instead of ending it.
package final class Interruption: Sendable {
    private let thread: Mutex<SignalThread?>

    /// Calls `handler` with the signal's number, on a thread of its own. To be made before other
    /// threads are.
    package init(_ handler: @escaping @Sendable (Int32) -> Void) throws(BatchFailure) {
        do throws(SystemFailure) {
            thread = Mutex(try SignalThread(signals: SignalThread.ending, handler: handler))
        } catch {
            throw BatchFailure(.resources, "signals can't be waited for: \(error)")
        }
    }

    deinit {
        thread.withLock { $0.take() }?.stop()
    }

    /// Ends the process at once, without any more ado.
    package static func endProcess(status: Int32) -> Never { ProcessEnd.now(status: status) }
}
