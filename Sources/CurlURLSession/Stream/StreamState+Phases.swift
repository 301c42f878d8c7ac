// How far a stream task's connection is.

extension StreamState {
    enum Phase: Sendable {
        /// Not connected, or being so.
        case waiting
        case open
        case over
    }

    enum Side: Sendable {
        case open
        /// Closed once those are served who came before.
        case closing
        case closed
    }
}
