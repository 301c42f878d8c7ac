import Logging
import Posix

/// Jobs on disk: which are moved there, and what the feeder that returns them needs.
extension RunState {
    /// Whether few hosts fill the queue while more could be in flight.
    ///
    /// That is: no job was ready to start since `time`, although the queue is so full that the
    /// reader waits.
    func isStarving(since time: MonotonicTime) -> Bool {
        !hasRoom && results.count < resultLimit && inFlight < configuration.concurrency
            && !queues.hasReadyHosts && busyAt < time
    }

    /// Returns the queued jobs beyond each host's share.
    ///
    /// Those that have been attempted, and those that use a mirror, stay: their state isn't written
    /// to disk. From then on the queues record which hosts have room.
    mutating func beginFrontier(folder: String) -> [FetchJob] {
        queues.recordsLowQueues = true
        let excess = queues.removeExcess { job in
            job.attempts == 0 && job.redirects == nil && job.mirror == nil
                && (job.target.details?.request.priority ?? 0) <= 0
        }
        for job in excess { heldBytes -= job.weight }
        spilledCount = excess.count
        notes.add(.info) { .spillingQueue(folder: folder) }
        return excess
    }

    mutating func noteUnwritableFrontier(_ failure: BatchFailure) {
        notes.add(.warning) { .notSpilling(failure) }
    }

    mutating func endFrontier() {
        queues.recordsLowQueues = false
        _ = queues.takeLowQueues()
    }

    mutating func spill(_ count: Int) {
        if phase == .running { spilledCount += count }
    }

    mutating func addSpilled(_ jobs: [FetchJob], at now: MonotonicTime) {
        spilledCount = max(0, spilledCount - jobs.count)
        for job in jobs { add(job, at: now) }
    }

    mutating func takeFrontierCall() -> FrontierCall {
        let room = hasRoom ? configuration.lookAhead - waitingCount : 0
        return FrontierCall(room: room, hosts: queues.takeLowQueues())
    }

    func room(for hosts: [String]) -> [String: Int] {
        Dictionary(hosts.map { ($0, queues.room(for: $0)) }, uniquingKeysWith: { $1 })
    }

    /// Prepares to wait; false if waiting isn't necessary.
    mutating func waitForFrontierCall(orRoom: Bool) -> Bool {
        frontierWait = orRoom ? .room : .hosts
        return !isStopping && !endFrontierWait()
    }

    /// Ends the feeder's wait if its condition holds. Returns true if the feeder must be woken.
    mutating func endFrontierWait() -> Bool {
        let isOver =
            switch frontierWait {
            case .nothing: false
            case .hosts: queues.hasLowQueues
            case .room: queues.hasLowQueues || hasRoom
            }
        if isOver { frontierWait = .nothing }
        return isOver
    }
}
