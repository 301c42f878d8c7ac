internal import Logging
internal import Posix
internal import Synchronization

/// Logs the events of a run on its own thread.
///
/// So no log handler blocks an event loop or runs under a lock. At most 10,000 events are queued;
/// further ones are counted and dropped.
final class RunLog: Sendable {
    private static let capacity = 10_000

    private struct State {
        var notes: [RunNote] = []
        var dropped = 0
    }

    private let logger: Logger
    private let state = Mutex(State())
    private let worker: Worker

    init(_ logger: Logger) throws(SystemFailure) {
        self.logger = logger
        worker = try Worker(name: "batch-log")
    }

    /// Starts the thread, which also logs the events added before. Without a thread nothing is
    /// logged.
    func start() {
        try? worker.startRepeating { [self] in
            logPending()
            return nil
        }
    }

    /// Queues events. May be called on any thread; returns immediately.
    func add(_ notes: [RunNote]) {
        guard !notes.isEmpty else { return }
        state.withLock { state in
            let room = max(0, Self.capacity - state.notes.count)
            state.notes += notes.prefix(room)
            state.dropped += max(0, notes.count - room)
        }
        worker.wake()
    }

    func add(_ note: RunNote) { add([note]) }

    /// Logs the remaining events, and ends the thread.
    func end() {
        worker.end()
    }

    private func logPending() {
        let (notes, dropped) = state.withLock { state in
            defer {
                state.notes = []
                state.dropped = 0
            }
            return (state.notes, state.dropped)
        }
        for note in notes {
            logger.log(level: note.level, note.message, metadata: note.metadata)
        }
        if dropped > 0 {
            logger.warning("log entries dropped", metadata: ["count": "\(dropped)"])
        }
    }
}
