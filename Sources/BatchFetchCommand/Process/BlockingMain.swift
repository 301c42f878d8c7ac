import BatchFetch
import Posix
import Synchronization

/// Runs the main thread of a program that receives signals through ``Interruption``.
enum BlockingMain {
    /// Runs `body` as a task and blocks the main thread meanwhile.
    ///
    /// An asynchronous `main` doesn't work: Dispatch lets the main thread sleep with all signals
    /// unblocked, so that they would end the process instead of reaching ``Interruption``.
    static func run(_ body: @escaping @Sendable () async -> Int32) throws(BatchFailure)
        -> Int32
    {
        let outcome: Outcome
        do throws(SystemFailure) {
            outcome = try Outcome()
        } catch {
            throw BatchFailure(.resources, "\(error)")
        }
        Task.detached {
            outcome.status.store(await body(), ordering: .sequentiallyConsistent)
            outcome.wakeup.signal()
        }
        outcome.wakeup.wait(until: nil)
        return outcome.status.load(ordering: .sequentiallyConsistent)
    }

    private final class Outcome: Sendable {
        let wakeup: Wakeup
        let status = Atomic<Int32>(0)

        init() throws(SystemFailure) {
            wakeup = try Wakeup()
        }
    }
}
