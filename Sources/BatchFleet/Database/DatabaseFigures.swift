internal import Posix

/// How a database has answered the requests of one connection.
package struct DatabaseFigures: Sendable, Hashable {
    /// The number of requests that have ended, failed ones included.
    package private(set) var requests = 0
    /// The number of requests that found no database, or lost it before the answer.
    package private(set) var outages = 0
    /// The number of requests that the database refused.
    package private(set) var refusals = 0
    /// The time of all requests, from the call to the answer.
    package private(set) var duration = Duration.zero
    /// Whether the last request got an answer; `nil` before the first one has ended.
    package private(set) var isAvailable: Bool?

    package init() {}

    /// Adds the end of a request.
    mutating func add(_ failure: FleetError?, after duration: Duration) {
        // The owner has closed the connection.
        guard failure?.code != .closed else { return }
        requests += 1
        self.duration += duration
        let isOutage = failure.map { [.unreachable, .connectionLost].contains($0.code) } ?? false
        isAvailable = !isOutage
        if isOutage {
            outages += 1
        } else if failure != nil {
            refusals += 1
        }
    }
}
