/// What a run and its workers do, at one moment of the database's clock.
package struct FleetStatus: Sendable, Hashable {
    /// A worker that holds hosts or was seen in the last 10 minutes.
    package struct Worker: Sendable, Hashable {
        /// Its number in the database. Several workers may have one name.
        package var id: Int
        package var name: String
        /// The number of hosts that it holds.
        package var hosts = 0
        /// The number of its accepted results.
        package var accepted = 0
        /// Its accepted results per second in the last 30 to 60 seconds, 0 if it wasn't seen.
        package var rate = 0.0
        /// The time since its start.
        package var age = Duration.zero
        /// The time since the database saw it last. A worker is seen each 10 seconds.
        package var unseen = Duration.zero

        package init(id: Int, name: String) {
            self.id = id
            self.name = name
        }
    }

    /// A host with pending URLs.
    package struct Host: Sendable, Hashable {
        package var name: String
        package var pending = 0
        package var failed = 0
        /// The time in which it gets no request: `Retry-After`, a delay, a retry, the breaker.
        package var wait = Duration.zero
        /// The number of the worker that holds it.
        package var owner: Int?
        /// Whether its last owner left it with an open circuit breaker, and no worker holds it.
        package var isBroken = false

        package init(name: String) {
            self.name = name
        }
    }

    package var run: String
    package var state: FleetRun.State
    package var counts = FleetCounts()
    /// The number of hosts with pending URLs that get no request now.
    package var waitingHosts = 0
    /// At most ``FleetStore/mostWorkers``: those seen in the last minute first, in order of start.
    package var workers: [Worker] = []
    /// The hosts that are expected to take longest, the longest first.
    package var slowHosts: [Host] = []

    package init(run: String, state: FleetRun.State) {
        self.run = run
        self.state = state
    }

    /// The number of URLs with a result.
    package var done: Int { counts.fetched + counts.failed }

    /// The number of all URLs.
    package var total: Int { done + counts.pending }

    /// Whether each URL has a result.
    package var isDone: Bool { counts.pending == 0 }

    /// The accepted results per second of all workers, in the last minute.
    package var rate: Double { workers.reduce(0) { $0 + $1.rate } }

    /// The estimated time until the end; `nil` if the run is done or makes no progress.
    package var remaining: Duration? {
        guard !isDone, rate > 1e-6 else { return nil }
        return .seconds(min(Double(counts.pending) / rate, 1e9))
    }
}
