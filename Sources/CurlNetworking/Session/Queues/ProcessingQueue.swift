internal import DequeModule
internal import Dispatch
internal import Foundation
internal import Synchronization

/// Serializes responses concurrently, at most as many at once as there are processors.
///
/// Queued work starts in order, and occupies no thread while it waits.
final class ProcessingQueue: Sendable {
    /// The instance for all managers of the process.
    static let shared = ProcessingQueue(width: ProcessInfo.processInfo.activeProcessorCount)

    private struct Work: Sendable {
        let body: @Sendable () -> Void
    }

    private struct State: Sendable {
        var waiting = Deque<Work>()
        var running = 0
    }

    private let width: Int
    private let state = Mutex(State())
    private let queue = DispatchQueue(
        label: "com.alamofire.networking.session.manager.processing",
        attributes: .concurrent
    )

    /// - Parameter width: The maximum number of concurrent closures.
    init(width: Int) {
        self.width = max(1, width)
    }

    /// Runs a closure on any thread, after all closures before it have started.
    func async(_ body: @escaping @Sendable () -> Void) {
        let hasRoom = state.withLock { state in
            state.waiting.append(Work(body: body))
            guard state.running < width else { return false }
            state.running += 1
            return true
        }
        if hasRoom { queue.async { [self] in work() } }
    }

    /// Runs queued closures one after the other, until none is left.
    private func work() {
        while let work = next() { work.body() }
    }

    private func next() -> Work? {
        state.withLock { state in
            let work = state.waiting.popFirst()
            if work == nil {
                assert(state.running > 0, "a worker ended that wasn't counted")
                state.running -= 1
            }
            return work
        }
    }
}
