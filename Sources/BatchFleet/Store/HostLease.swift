package import BatchFetch

/// The exclusive right of a worker to send requests to a host, until it ends or is lost.
package struct HostLease: Sendable, Hashable {
    /// The number of the host in the database.
    package let host: Int
    /// The fencing token: what comes with an older one has no effect.
    package let token: Int
}

/// A host that a worker has leased.
package struct LeasedHost: Sendable, Hashable {
    package let lease: HostLease
    package let name: String
    /// The number of URLs in its queue.
    package let pending: Int
    /// What its last owner stored: the adaptive limit and the breaker. `nil` for a new host.
    package let feedback: String?
    /// The rules of its `robots.txt`; `nil` if no owner has read it, or too long ago.
    package var robots: RobotsHandover?
    /// The number of leases before this one, in a row, whose owners didn't give it back.
    package var losses = 0

    /// The `Crawl-delay` of its `robots.txt`; zero if none is known.
    var crawlDelay: Duration { robots?.crawlDelay ?? .zero }
}

/// A place in the queue of a host.
package struct QueuePosition: Sendable, Hashable {
    /// PostgreSQL's text of the time at which the URL is due.
    package let due: String
    package let ordinal: Int

    /// The place before all URLs.
    package static let start = QueuePosition(due: "-infinity", ordinal: -1)
}

/// The part of a host's queue that a worker asks for.
package struct SliceBounds: Sendable, Hashable {
    /// The place of the last URL that the worker got.
    package let position: QueuePosition
    /// The maximum number of URLs.
    package let limit: Int

    package init(position: QueuePosition = .start, limit: Int) {
        self.position = position
        self.limit = limit
    }
}

/// A URL that the owner of its host may fetch.
package struct QueuedURL: Sendable, Hashable {
    package let host: Int
    package let key: String
    package let position: QueuePosition
    /// The number of attempts that have failed.
    package let attempts: Int
    package let url: String
    package let details: String?
    /// The number of leases, one after the other, that were lost while their owners had the URL.
    ///
    /// Only those count whose owners have noted it.
    package var losses = 0
    /// The place of the row in PostgreSQL's table, as its text; `nil` for a URL to which another
    /// host's redirect leads.
    package var place: String?
}

/// What a worker reports about the URLs of the hosts that it holds, in one transaction.
package struct FleetReport: Sendable, Hashable {
    /// The result of a URL.
    package struct Completion: Sendable, Hashable {
        package let lease: HostLease
        package let key: String
        package let isFetched: Bool
        /// The line of JSON, as in a file of results.
        package let line: String
        /// ``QueuedURL/place``, if it is known: it saves time.
        package let place: String?

        package init(
            lease: HostLease,
            key: String,
            isFetched: Bool,
            line: String,
            place: String? = nil
        ) {
            self.lease = lease
            self.key = key
            self.isFetched = isFetched
            self.line = line
            self.place = place
        }
    }

    /// A URL to try again later.
    package struct Postponement: Sendable, Hashable {
        package let lease: HostLease
        package let key: String
        /// The number of attempts that have failed.
        package let attempts: Int
        /// The time until the next attempt, at least, by the database's clock.
        package let delay: Duration
        package let details: String?

        package init(
            lease: HostLease,
            key: String,
            attempts: Int,
            delay: Duration,
            details: String? = nil
        ) {
            self.lease = lease
            self.key = key
            self.attempts = attempts
            self.delay = delay
            self.details = details
        }
    }

    /// A redirect to another host, or a retry there, which continues in that host's queue.
    package struct Move: Sendable, Hashable {
        package let lease: HostLease
        package let key: String
        /// The name of the target's host.
        package let target: String
        package let url: String
        /// The redirects so far, and what else the next owner needs.
        package let details: String?
        /// The time until it may continue, by the database's clock.
        package let delay: Duration

        package init(
            lease: HostLease,
            key: String,
            target: String,
            url: String,
            details: String? = nil,
            delay: Duration = .zero
        ) {
            self.lease = lease
            self.key = key
            self.target = target
            self.url = url
            self.details = details
            self.delay = delay
        }
    }

    /// What the next owner of a host must know.
    package struct Feedback: Sendable, Hashable {
        package let lease: HostLease
        /// The time without requests that the host demands from now on.
        package let delay: Duration
        /// The state for the next owner; `nil` keeps the stored one.
        package let state: String?
        /// The text of the rules in `robots.txt`; `nil` keeps the stored ones.
        package let robots: String?
        /// The time for which the rules are valid from now on.
        package let robotsLifetime: Duration

        package init(
            lease: HostLease,
            delay: Duration,
            state: String? = nil,
            robots: String? = nil,
            robotsLifetime: Duration = .zero
        ) {
            self.lease = lease
            self.delay = delay
            self.state = state
            self.robots = robots
            self.robotsLifetime = robotsLifetime
        }
    }

    package var completions: [Completion] = []
    package var postponements: [Postponement] = []
    package var moves: [Move] = []
    package var feedback: [Feedback] = []
    /// Hosts that the worker no longer needs. It sends them no requests any more.
    package var returned: [HostLease] = []
    /// Whether the report must be stored before the worker takes further URLs.
    package var isUrgent = false

    package init() {}

    /// Whether the report is stored in portions of so many results.
    ///
    /// Not if it gives hosts back, which ends their tokens, nor if all of it is urgent.
    func isDivided(by size: Int) -> Bool {
        completions.count > size && returned.isEmpty && !isUrgent
    }

    /// The first results, and all that isn't a result.
    func portion(of size: Int) -> FleetReport {
        var portion = self
        portion.completions = Array(completions.prefix(size))
        return portion
    }

    /// What ``portion(of:)`` leaves out.
    func rest(after size: Int) -> FleetReport {
        var rest = FleetReport()
        rest.completions = Array(completions.dropFirst(size))
        return rest
    }

    /// Whether there is nothing to store.
    package var isEmpty: Bool { leases.isEmpty }

    /// All leases that the report needs, each once.
    var leases: [HostLease] {
        var leases = Set(completions.map(\.lease))
        leases.formUnion(postponements.map(\.lease))
        leases.formUnion(moves.map(\.lease))
        leases.formUnion(feedback.map(\.lease))
        leases.formUnion(returned)
        return Array(leases)
    }
}
