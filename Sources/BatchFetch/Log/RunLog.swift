internal import Curl
internal import Logging
internal import Synchronization

/// Tells a logger what happens in a run, on a thread of its own: no handler holds up an event loop, or
/// runs under a lock. What comes faster than it is told is counted and left out.
final class RunLog: Sendable {
    private static let capacity = 10_000

    private struct State {
        var notes: [RunNote] = []
        var dropped = 0
        var isEnding = false
    }

    private let logger: Logger
    private let state = Mutex(State())
    private let bell: Wakeup
    private let thread = Mutex<LoopThread?>(nil)

    init(_ logger: Logger) throws(SystemFailure) {
        self.logger = logger
        bell = try Wakeup()
    }

    /// Starts telling, what has been added before too. Without a thread nothing is told.
    func start() {
        thread.withLock { $0 = try? LoopThread(name: "batch-log") { [self] in run() } }
    }

    /// May be called on any thread; returns at once.
    func add(_ notes: [RunNote]) {
        guard !notes.isEmpty else { return }
        state.withLock { state in
            let room = max(0, Self.capacity - state.notes.count)
            state.notes += notes.prefix(room)
            state.dropped += max(0, notes.count - room)
        }
        bell.signal()
    }

    func add(_ note: RunNote) { add([note]) }

    /// Tells what is left, and ends the thread.
    func end() {
        state.withLock { $0.isEnding = true }
        bell.signal()
        thread.withLock { $0.take() }?.join()
    }

    private func run() {
        while true {
            bell.wait(until: nil)
            let (notes, dropped, isEnding) = state.withLock { state in
                defer {
                    state.notes = []
                    state.dropped = 0
                }
                return (state.notes, state.dropped, state.isEnding)
            }
            for note in notes {
                logger.log(level: note.level, note.message, metadata: note.metadata)
            }
            if dropped > 0 {
                logger.warning("log entries left out", metadata: ["count": "\(dropped)"])
            }
            if isEnding { return }
        }
    }
}
