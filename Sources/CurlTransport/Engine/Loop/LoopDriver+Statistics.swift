internal import Posix

// What the loop counts and reports for statistics.

extension LoopDriver {
    /// Records that the attempt's connection is established, and counts it once.
    func established(_ attempt: TransferAttempt, at origin: Scheduler.OriginIndex?) {
        // False again after libcurl has replaced a dead connection.
        let isKnown = attempt.connection.isEstablished
        attempt.connection.established(at: now)
        guard !isKnown, let origin else { return }
        let isReused = attempt.connection.newSockets.isEmpty
        scheduler.changeCounts(of: origin) { counts in
            if isReused { counts.reused += 1 } else { counts.opened += 1 }
        }
    }

    /// Counts a name lookup that failed with `error`.
    func countFailedLookup(_ error: TransportError?, at origin: Scheduler.OriginIndex?) {
        guard let origin, error?.code == .hostNotFound || error?.code == .proxyNotFound else {
            return
        }
        scheduler.changeCounts(of: origin) { $0.failedLookups += 1 }
    }

    /// The loop's statistics now.
    ///
    /// Looks at all transfers and connections.
    func snapshot() -> LoopSnapshot {
        let oldest = oldestQueued()
        let connections = sockets.countsByOrigin()
        var origins: [OriginStatistics] = []
        scheduler.forEachOrigin { index, origin in
            var statistics = OriginStatistics(origin: origin.key.origin)
            statistics.active = origin.active
            statistics.waiting = origin.waiting.count
            statistics.oldestWait = oldest[index].map {
                .nanoseconds(max(0, now.nanoseconds(since: $0)))
            }
            if let counts = connections[ObjectIdentifier(origin.connections)] {
                statistics.activeConnections = counts.active
                statistics.idle = counts.idle
            }
            statistics.opened = origin.counts.opened
            statistics.reused = origin.counts.reused
            statistics.failedLookups = origin.counts.failedLookups
            origins.append(statistics)
        }
        var loop = LoopStatistics(index: self.loop.index)
        loop.transfers = transfers.count
        let counts = sockets.counts()
        loop.activeConnections = counts.active
        loop.idleConnections = counts.idle
        loop.age = .nanoseconds(now.nanoseconds(since: balance.started))
        loop.busyTime = .nanoseconds(ThreadClock.nanosecondsOfThisThread)
        return LoopSnapshot(loop: loop, origins: origins)
    }

    /// When the first of the queued transfers and connections of each origin was queued.
    private func oldestQueued() -> [Scheduler.OriginIndex: MonotonicTime] {
        var oldest: [Scheduler.OriginIndex: MonotonicTime] = [:]
        func consider(_ entry: SchedulerEntry) {
            guard let origin = entry.origin else { return }
            oldest[origin] = min(oldest[origin] ?? entry.enqueued, entry.enqueued)
        }
        for transfer in transfers.values where transfer.attempt == nil { consider(transfer.entry) }
        for channel in channels.all where channel.attempt == nil { consider(channel.entry) }
        return oldest
    }
}
