import Curl

/// A URL on its way through a run.
struct FetchJob: Sendable {
    let target: FetchTarget
    let line: Int
    /// How many attempts have been started.
    var attempts = 0
    /// Since when it waits for its turn.
    var waitingSince: MonotonicTime
}
