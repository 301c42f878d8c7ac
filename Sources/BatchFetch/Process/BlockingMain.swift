import Curl
import Synchronization

/// The main thread of a program that is told signals by ``Interruption``.
package enum BlockingMain {
    /// Runs `body` as a task and blocks the main thread until it has ended.
    ///
    /// An asynchronous `main` would not do: Dispatch lets the main thread sleep with all signals
    /// unblocked, so that they would end the process instead of being told.
    package static func run(_ body: @escaping @Sendable () async -> Int32) throws(BatchFailure)
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
            outcome.bell.signal()
        }
        outcome.bell.wait(until: nil)
        return outcome.status.load(ordering: .sequentiallyConsistent)
    }

    private final class Outcome: Sendable {
        let bell: Wakeup
        let status = Atomic<Int32>(0)

        init() throws(SystemFailure) {
            bell = try Wakeup()
        }
    }
}
