internal import Dispatch
internal import Foundation
internal import Synchronization

/// Where responses are serialized: several at once, but no more than there are processors. The rest
/// waits in order, and costs no thread.
final class ProcessingQueue: Sendable {
    /// For all managers of the process.
    static let shared = ProcessingQueue(width: ProcessInfo.processInfo.activeProcessorCount)

    private struct Work: Sendable {
        let body: @Sendable () -> Void
    }

    private struct State: Sendable {
        var waiting = WorkQueue<Work>()
        var running = 0
    }

    private let width: Int
    private let state = Mutex(State())
    private let queue = DispatchQueue(
        label: "com.alamofire.networking.session.manager.processing",
        attributes: .concurrent
    )

    /// - Parameter width: How much is done at once.
    init(width: Int) {
        self.width = max(1, width)
    }

    /// Has something done, on any thread, after what was asked for before was begun.
    func async(_ body: @escaping @Sendable () -> Void) {
        let hasRoom = state.withLock { state in
            state.waiting.append(Work(body: body))
            guard state.running < width else { return false }
            state.running += 1
            return true
        }
        if hasRoom { queue.async { [self] in work() } }
    }

    /// Does what waits, one after the other, until nothing does.
    private func work() {
        while let work = next() { work.body() }
    }

    private func next() -> Work? {
        state.withLock { state in
            let work = state.waiting.popFirst()
            if work == nil { state.running -= 1 }
            return work
        }
    }
}
