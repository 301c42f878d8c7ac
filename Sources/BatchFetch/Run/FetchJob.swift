import Curl

/// A URL on its way through a run.
struct FetchJob: Sendable {
    let target: FetchTarget
    let line: Int
    /// Which one of the whole input it is, from 1, whatever line of whatever list it stands on.
    var ordinal = 0
    /// How many attempts have been started.
    var attempts = 0
    /// Whether a body has come that was not the expected one.
    var hasMismatched = false
    /// Since when it waits for its turn.
    var waitingSince: MonotonicTime
}
