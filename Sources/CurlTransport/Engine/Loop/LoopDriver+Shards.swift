internal import Curl
internal import Posix

// The shards of the loop: its multi handles, among which the connections to an origin are divided.

extension LoopDriver {
    /// Takes a place for the next attempt of `transfer`.
    ///
    /// - Parameters:
    ///   - isDivisible: Whether the attempt has a connection of its own. Attempts that may share
    ///     one must be in the same shard.
    ///   - opensConnection: Whether libcurl searches for no idle connection.
    func shardPlace(
        of transfer: Transfer,
        _ admission: Admission,
        isDivisible: Bool,
        opensConnection: Bool
    ) -> ShardPlace? {
        guard let connections = scheduler.connections(of: admission.origin) else { return nil }
        return ShardPlace(
            in: connections,
            isDivisible: isDivisible,
            reusesConnection: !opensConnection
                && transfer.plan.options.options.reusesConnection,
            performsLookup: admission.performsLookup
        )
    }

    /// Lets libcurl continue an attempt in this turn or the next one, after a change outside of its
    /// callbacks.
    func wakeShard(of attempt: TransferAttempt) {
        shardEvents.setTimer(of: attempt.connection.shard, to: now)
        shardEvents.noteWork(in: attempt.connection.shard)
    }

    // MARK: Protocol versions

    /// Records which HTTP version an origin speaks.
    ///
    /// A burst of requests then doesn't wait for one connection.
    func learnVersion(of transfer: Transfer) {
        guard let origin = transfer.origin, let attempt = transfer.attempt,
            attempt.endpoint.isSecure,
            transfer.plan.options.offersHTTP2
        else { return }
        scheduler.learn(attempt.connection.isMultiplexed ? .multiplexed : .http1, of: origin)
    }

    // MARK: Idle connections

    /// Schedules the closing of idle connections in shards after the first one.
    ///
    /// Those of the first one are closed when libcurl starts a request there, or the loop is idle.
    func closeIdleShardsLater() {
        deadlines.considerIdleShards(
            at: now.advanced(by: shared.configuration.idleConnectionLifetime)
        )
    }

    /// Closes connections that have been idle for their lifetime, while other shards are in use.
    func closeIdleShards() {
        let lifetime = shared.configuration.idleConnectionLifetime.wholeNanoseconds
        if let next = handlePool.closeIdleConnections(lifetime: lifetime, at: now) {
            deadlines.considerIdleShards(at: next)
        }
    }
}

extension Transfer {
    /// Adds a socket that libcurl has opened for the current attempt.
    func newSocket(_ descriptor: Int32) -> ConnectionSocket {
        driver.sockets.opened(
            descriptor,
            sharedBy: mayUseHTTP2 ? origin : nil,
            at: origin.flatMap { driver.scheduler.connections(of: $0) }.map {
                SocketHome(connections: $0, shard: attempt?.connection.shard ?? 0)
            }
        )
    }
}
