import Logging
import Posix

/// The pending notes of a run for its log, if it has one.
struct NoteBuffer: Sendable {
    private var notes: [RunNote] = []
    /// The log's level; `nil` without a log.
    private let level: Logger.Level?

    init(level: Logger.Level?) {
        self.level = level
    }

    var isRecording: Bool { level != nil }

    /// Adds a note, if the log level includes it.
    mutating func add(_ level: Logger.Level, _ note: () -> RunNote) {
        guard let included = self.level, included <= level else { return }
        notes.append(note())
    }

    /// Adds a note for each change of a circuit breaker.
    mutating func add(_ changes: [HostQueues<FetchJob>.BreakerRecord], at now: MonotonicTime) {
        for change in changes {
            let delay = Duration.nanoseconds(max(0, change.end.nanoseconds(since: now)))
            add(change.kind == .closed ? .info : .warning) {
                .breaker(host: change.host, change.kind, delay: delay, reason: change.reason)
            }
        }
    }

    /// Removes and returns the notes.
    mutating func take() -> [RunNote] {
        defer { notes = [] }
        return notes
    }
}
