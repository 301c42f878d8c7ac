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

    func add(_ results: [BatchResult]) {
        add { content in
            // Usually there are none, and nothing is copied.
            if content.results.isEmpty {
                content.results = results
            } else {
                content.results += results
            }
        }
    }

    func add(moved work: WorkItem, after delay: Duration) {
        add { $0.moved.append(Moved(work: work, delay: delay)) }
    }

    /// Adds a part, and wakes the worker if it is the first since the last ``take()``.
    private func add(_ part: (inout Content) -> Void) {
        let isFirst = content.withLock { content in
            let isFirst = content.results.isEmpty && content.moved.isEmpty
            part(&content)
            return isFirst
        }
        if isFirst { wake() }
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
