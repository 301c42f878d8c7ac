internal import Posix

/// How to connect to a database.
package struct PostgresOptions: Sendable, Hashable {
    /// What libpq takes: a URI or keywords and values. Empty for `PGHOST`, `PGSERVICE` and the like.
    package var address: String
    /// The maximum time to connect.
    package var connectTimeout: Duration
    /// The maximum time from a request to its answer. After it the connection counts as lost.
    package var requestTimeout: Duration

    package init(
        address: String,
        connectTimeout: Duration = .seconds(10),
        requestTimeout: Duration = .seconds(60)
    ) {
        self.address = address
        self.connectTimeout = connectTimeout
        self.requestTimeout = requestTimeout
    }
}

/// Statements that succeed or fail together, and what takes their answer.
struct PostgresRequest: Sendable {
    let calls: [PostgresCall]
    let deadline: MonotonicTime
    /// Called once, on the connection's thread, or on the caller's if the connection is closed.
    let end: @Sendable (Result<[PostgresRows], FleetError>) -> Void
}
