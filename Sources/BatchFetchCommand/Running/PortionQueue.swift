import BatchFetch
import Posix
import Synchronization

/// Reads lists on a thread, a portion ahead of the task that takes the portions.
final class PortionQueue: Sendable {
    /// URLs, and the failures of lines that are no requests.
    struct Portion: Sendable {
        let work: [WorkItem]
        let failures: [BatchResult]
    }

    let portions: AsyncStream<Portion>
    private let sender: AsyncStream<Portion>.Continuation
    private let taken: Wakeup
    private let isEnded = Atomic(false)
    private let problem = Mutex<BatchFailure?>(nil)

    /// Starts the thread. ``end()`` must be called.
    ///
    /// - Throws: ``BatchFailure/Code/resources``.
    init(_ input: BatchInput) throws(BatchFailure) {
        (portions, sender) = AsyncStream.makeStream(of: Portion.self)
        do throws(SystemFailure) {
            taken = try Wakeup()
            try JoinedThread(name: "batch-input") { [self] in read(input) }.detach()
        } catch {
            throw BatchFailure(.resources, "can't read the list: \(error)")
        }
    }

    /// Why the lists couldn't be read to their end; set when ``portions`` has ended.
    var failure: BatchFailure? { problem.withLock { $0 } }

    /// Lets the thread read the portion after the next one.
    func take() { taken.signal() }

    /// Ends the thread, which may still be reading.
    func end() {
        isEnded.store(true, ordering: .sequentiallyConsistent)
        taken.signal()
    }

    private func read(_ input: BatchInput) {
        do throws(BatchFailure) {
            try input.readWork { [self] work, failures in
                sender.yield(Portion(work: work, failures: failures))
                taken.wait(until: nil)
                return !isEnded.load(ordering: .sequentiallyConsistent)
            }
        } catch {
            problem.withLock { $0 = error }
        }
        sender.finish()
    }
}
