internal import BatchFetch
internal import Synchronization

/// What a run has done, until the worker takes it, and what wakes the worker.
final class WorkInbox: Sendable {
    /// A URL that continues in another queue.
    struct Moved: Sendable {
        let work: WorkItem
        let delay: Duration
    }

    /// What has come since the last ``take()``.
    struct Content: Sendable {
        var results: [BatchResult] = []
        var moved: [Moved] = []
        /// Whether the run has ended.
        var isRunOver = false
    }

    private let content = Mutex(Content())
    /// Has an element after each change; several changes may have one.
    let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation

    init() {
        (signals, signal) = AsyncStream.makeStream(
            of: Void.self,
            bufferingPolicy: .bufferingNewest(1)
        )
    }

    func wake() { signal.yield() }

    func add(_ result: BatchResult) {
        content.withLock { $0.results.append(result) }
        wake()
    }

    func add(moved work: WorkItem, after delay: Duration) {
        content.withLock { $0.moved.append(Moved(work: work, delay: delay)) }
        wake()
    }

    /// Notes the start of a run or its end.
    func setRunOver(_ isOver: Bool) {
        content.withLock { $0.isRunOver = isOver }
        wake()
    }

    func take() -> Content {
        content.withLock { content in
            let taken = content
            content.results = []
            content.moved = []
            return taken
        }
    }
}
