/// The delays before reconnections to a stream of server-sent events.
package struct ReconnectionDelay: Sendable, Hashable {
    /// The delay before the first attempt, if the server requests no other.
    package var first: Duration
    package var minimum: Duration
    package var maximum: Duration
    /// The largest random reduction of a delay, from 0 to 1.
    package var jitter: Double

    package init(first: Duration, minimum: Duration, maximum: Duration, jitter: Double) {
        self.first = first
        self.minimum = minimum
        self.maximum = maximum
        self.jitter = jitter
    }

    /// The delay before an attempt. It doubles with each one.
    ///
    /// - Parameters:
    ///   - attempt: The number of the attempt in a row, from 1.
    ///   - wanted: The reconnection time that the server requested.
    ///   - chance: A random number from 0 to 1.
    package func delay(attempt: Int, wanted: Duration?, chance: Double) -> Duration {
        let doublings = min(max(attempt - 1, 0), 20)
        let full = min((wanted ?? first) * (1 << doublings), maximum)
        let left = full * (1 - min(max(jitter, 0), 1) * min(max(chance, 0), 1))
        return max(left, min(minimum, maximum), .zero)
    }
}
