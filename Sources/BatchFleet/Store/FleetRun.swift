/// A run that several machines share.
package struct FleetRun: Sendable, Hashable {
    /// Whether workers get URLs.
    package enum State: String, Sendable, Hashable {
        case open
        /// Workers finish what they hold, and get no more.
        case paused
        /// The run is being dropped: it accepts no more URLs, and workers end.
        case closed
    }

    /// The number of the run in its database.
    package let id: Int
    /// The name that the user gave it.
    package let name: String
    /// The options of the run as its creator stored them.
    package let options: String
    /// A UUID that no other run of any database has.
    package let identity: String
    package let state: State
}

/// The counts of a run.
package struct FleetCounts: Sendable, Hashable {
    package var hosts = 0
    /// URLs without a result, those in flight included.
    package var pending = 0
    package var fetched = 0
    package var failed = 0
    /// Hosts with a valid lease.
    package var leasedHosts = 0
}

/// A URL to add to a run.
package struct FleetEntry: Sendable, Hashable {
    /// The name of the host, as the limits per host distinguish them.
    package let host: String
    /// What makes it the same URL as another one; a UUID, such as the start of a digest.
    package let key: String
    package let url: String
    /// The details of the request; `nil` for a plain `GET`.
    package let details: String?

    package init(host: String, key: String, url: String, details: String? = nil) {
        self.host = host
        self.key = key
        self.url = url
        self.details = details
    }
}
