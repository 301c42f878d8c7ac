import Posix

/// Ends a run at its maximum time. Pure: the caller passes the current time.
struct RunClock: Sendable {
    /// What the run does at a time.
    enum Action: Sendable, Hashable {
        case none
        /// Start no more requests.
        case stop
        /// Cancel the requests in flight.
        case cancel
    }

    private let grace: Duration
    private var stopsAt: MonotonicTime?
    private var cancelsAt: MonotonicTime?

    /// - Parameter start: The start of the run.
    init(_ limits: BatchLimits, from start: MonotonicTime) {
        grace = limits.grace
        stopsAt = limits.maximumTime.map { start.advanced(by: $0) }
    }

    /// The time of the next action; `nil` if none will follow.
    var next: MonotonicTime? { stopsAt ?? cancelsAt }

    /// Returns the action that is due, once.
    mutating func action(at now: MonotonicTime) -> Action {
        if let end = stopsAt {
            guard end <= now else { return .none }
            stopsAt = nil
            cancelsAt = now.advanced(by: max(grace, .zero))
            return .stop
        }
        guard let end = cancelsAt, end <= now else { return .none }
        cancelsAt = nil
        return .cancel
    }
}
