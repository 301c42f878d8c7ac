internal import BatchFetch
internal import Posix
internal import Synchronization

/// The database: renewals, reports, leases and slices.
extension FleetWorker {
    /// Stores what was done, renews leases, and gets more URLs. Returns whether the run is done.
    func exchange(
        _ state: inout WorkerState,
        _ source: FleetSource,
        isStopping: Bool
    ) async throws(FleetError) -> Bool {
        let now = MonotonicTime.now
        state.hasRest = false
        state.hasNewURLs = false
        guard now >= state.retryAt else { return false }
        // Without hosts, too: the status of the run shows when a worker was seen last.
        if now >= state.renewAt { try await renew(&state, source) }
        try await deliverKept(&state)
        let mustDeliverFirst = isStopping || state.mustDeliverBeforeSlice
        if mustDeliverFirst { try await deliver(&state, source) }
        guard !isStopping else { return false }
        if !state.hasBacklog {
            try await lease(&state, source)
            try await slice(&state, source)
        }
        if !mustDeliverFirst { try await deliver(&state, source) }
        guard state.held.count == 0, state.report.isEmpty, !options.waits else { return false }
        return try await store.nextAvailable(in: run) == nil
    }

    private func renew(
        _ state: inout WorkerState,
        _ source: FleetSource
    ) async throws(FleetError) {
        let (now, start) = (MonotonicTime.now, BootTime.now)
        var intervals: [HostLease: Duration] = [:]
        for lease in state.held.leases {
            let interval = state.held.name(of: lease).map { source.minimumInterval(of: $0) }
            if let interval, interval > .zero { intervals[lease] = interval }
        }
        let held = try await store.renew(
            state.held.leases,
            of: run,
            for: state.worker,
            lasting: options.leaseDuration,
            intervals: intervals
        )
        state.isAway = false
        guard state.held.renew(held, until: start.advanced(by: options.leaseDuration)) else {
            throw FleetError(.leaseLost, "another worker has got a host of this one")
        }
        state.renewAt = now.advanced(by: options.renewalInterval)
        meter.renewed()
        watch(state, source)
    }

    /// Makes the requests end with the leases that the worker has now.
    private func watch(_ state: WorkerState, _ source: FleetSource) {
        source.setDeadline(state.held.deadline)
        guarded.withLock { $0.deadline = state.held.deadline }
    }

    /// Stores the report, and gives hosts back that have no more URLs.
    ///
    /// Of many results, only the first: the worker looks for URLs before it stores more.
    private func deliver(
        _ state: inout WorkerState,
        _ source: FleetSource
    ) async throws(FleetError) {
        takeFeedback(&state, source)
        // Each report with bodies waits for the disk, so there are fewer of them.
        let hasBodies = configuration.output.folder != nil
        let size = state.portionSize
        let isWhole = hasBodies || !state.report.isDivided(by: size)
        let rest = isWhole ? FleetReport() : state.report.rest(after: size)
        let finished = state.held.finished(before: rest)
        let isDue =
            !state.pauses.isEmpty || state.report.isUrgent || !state.report.returned.isEmpty
            || state.report.completions.count >= (hasBodies ? 2000 : size)
            || MonotonicTime.now >= state.deliverAt || state.held.inHand == 0
        guard isDue || !finished.isEmpty && !hasBodies else { return }
        var report = isWhole ? state.report : state.report.portion(of: size)
        report.returned += finished
        report.feedback += feedback(returning: finished, state, source)
        guard !report.isEmpty else {
            // They are those of hosts that the worker has given back since.
            state.pauses = [:]
            state.robots = [:]
            return
        }
        try await synchronizeBodies(&state)
        let held = try await store.accept(report, of: run, from: state.worker)
        state.isAway = false
        state.report = rest
        state.hasRest = !isWhole
        state.pauses = [:]
        state.robots = [:]
        guard state.held.survives(held, of: report.leases) else {
            throw FleetError(.leaseLost, "another worker has got a host of this one")
        }
        state.deliverAt = .now.advanced(by: .milliseconds(hasBodies ? 500 : 50))
        state.held.remove(finished)
        watch(state, source)
    }

    /// Takes what hosts have requested, and their files that the run has read.
    private func takeFeedback(_ state: inout WorkerState, _ source: FleetSource) {
        state.pauses.merge(source.takePauses()) { max($0, $1) }
        let robots = source.takeRobots()
        state.robots.merge(robots) { $1 }
        renewSoon(&state, ifLong: robots.values.map(\.crawlDelay))
    }

    /// Renews the leases soon if a host has a long minimum interval, which the next renewal stores
    /// for the case that this worker dies.
    private func renewSoon(_ state: inout WorkerState, ifLong intervals: [Duration]) {
        let pause = FleetStore.pause(after: options.leaseDuration)
        guard intervals.contains(where: { $0 > pause }) else { return }
        state.renewAt = min(state.renewAt, MonotonicTime.now.advanced(by: .seconds(1)))
    }

    /// Waits until the disk has stored the bodies of the results that aren't stored yet.
    ///
    /// - Throws: ``FleetError`` if that failed. Then the results are forgotten, because their bodies
    ///   may be incomplete after a crash of the system.
    func synchronizeBodies(_ state: inout WorkerState) async throws(FleetError) {
        guard let folder = configuration.output.folder,
            state.report.completions.contains(where: \.isFetched)
        else { return }
        do throws(FileError) {
            try await ReportJournal.blocking { () throws(FileError) in
                try FileDescriptor.openDirectory(folder).synchronizeFileSystem()
            }
        } catch {
            // Then no result has a body yet.
            if error.isMissingFile { return }
            state.report.completions = []
            throw FleetError(.resources, "the bodies can't be stored: \(error)")
        }
    }

    /// The pauses that hosts have requested, and the files that were read, for their next owners.
    ///
    /// - Parameter returned: Hosts that are given back: their minimum intervals count, too, and what
    ///   their answers have changed.
    private func feedback(
        returning returned: [HostLease],
        _ state: WorkerState,
        _ source: FleetSource
    ) -> [FleetReport.Feedback] {
        let now = MonotonicTime.now
        let returned = Set(returned)
        var feedback: [FleetReport.Feedback] = []
        for lease in state.held.leases {
            guard let name = state.held.name(of: lease) else { continue }
            var left = Duration.zero
            if let end = state.pauses[name] { left = .nanoseconds(end.nanoseconds(since: now)) }
            var text: String?
            if returned.contains(lease) {
                // An empty text replaces an earlier state.
                text = source.handover(of: name) ?? (state.held.hasFeedback(lease) ? "" : nil)
                left = max(left, source.pause(of: name) ?? .zero)
                if state.held.isAborted(lease) {
                    left = max(left, FleetStore.pause(after: options.leaseDuration))
                }
            }
            let robots = state.robots[name]
            guard left > .zero || text != nil || robots != nil else { continue }
            let lifetime = robots.map { $0.end.nanoseconds(since: now) } ?? 0
            feedback.append(
                FleetReport.Feedback(
                    lease: lease,
                    delay: left,
                    state: text,
                    robots: robots?.text,
                    robotsLifetime: .nanoseconds(max(0, lifetime))
                )
            )
        }
        return feedback
    }

    /// The number of hosts that the worker needs in addition.
    ///
    /// It has some more than its requests in flight need, so that it doesn't wait for the database
    /// when one is done, and leases several at once. A host that has to wait counts only in the
    /// maximum number of hosts.
    private func need(_ state: inout WorkerState, _ source: FleetSource) -> Int {
        let maximum = 16 * configuration.concurrency - state.held.count
        let perHost = max(1, configuration.concurrencyPerHost)
        // Until further hosts come, a connection fetches so many.
        let perConnection = max(
            HeldHosts.leastPerConnection,
            state.pace.count(in: .milliseconds(50)) / max(1, configuration.concurrency)
        )
        let startable = state.held.startable(perHost: perHost, perConnection: perConnection) {
            source.pause(of: $0) != nil
        }
        state.isShort = startable < configuration.concurrency
        let missing = configuration.concurrency + configuration.concurrency / 2 - startable
        guard missing >= configuration.concurrency / 6 else { return 0 }
        let usual = state.held.usualStartable(perHost: perHost, perConnection: perConnection)
        return min(maximum, 64, (missing + usual - 1) / usual)
    }

    private func lease(
        _ state: inout WorkerState,
        _ source: FleetSource
    ) async throws(FleetError) {
        let (now, start) = (MonotonicTime.now, BootTime.now)
        guard now >= state.leaseAt else { return }
        let need = need(&state, source)
        guard need > 0 else {
            state.leaseAt = now.advanced(by: state.pause)
            return
        }
        let hosts = try await store.lease(
            need,
            of: run,
            for: state.worker,
            lasting: options.leaseDuration
        )
        state.isAway = false
        guard !hosts.isEmpty else {
            state.leaseAt = now.advanced(by: options.pollInterval)
            return
        }
        if state.held.count == 0 {
            state.renewAt = now.advanced(by: options.renewalInterval)
        }
        renewSoon(
            &state,
            ifLong: hosts.map { max(source.minimumInterval(of: $0.name), $0.crawlDelay) }
        )
        // Then the database's lease had ended, and the requests in flight are those of the old one.
        let isHeld = hosts.contains { state.held.name(of: $0.lease) != nil }
        source.restore(hosts)
        state.held.add(hosts, until: start.advanced(by: options.leaseDuration))
        watch(state, source)
        if isHeld { throw FleetError(.leaseLost, "the lease of a host of this worker had ended") }
    }

    private func slice(
        _ state: inout WorkerState,
        _ source: FleetSource
    ) async throws(FleetError) {
        let minimum = configuration.concurrencyPerHost
        let bounds = state.held.hungry(minimum: minimum, at: .now) { source.pause(of: $0) != nil }
        guard !bounds.isEmpty else { return }
        let slice = state.held.select(try await store.slice(bounds))
        try await note(slice, of: bounds.keys)
        state.hasNewURLs = !slice.urls.isEmpty
        let items = state.held.take(
            slice.urls,
            of: bounds,
            cuts: slice.cuts,
            report: &state.report
        )
        source.add(items)
    }

    /// Notes the URLs of hosts whose leases were lost several times, before their requests start.
    private func note(
        _ slice: TakenSlice,
        of leases: some Sequence<HostLease>
    ) async throws(FleetError) {
        guard !slice.noted.isEmpty else { return }
        let leases = Dictionary(uniqueKeysWithValues: leases.map { ($0.host, $0) })
        let urls = slice.noted.compactMap { url in
            leases[url.host].map { (lease: $0, key: url.key) }
        }
        let held = try await store.noteTaken(urls, of: run)
        guard urls.allSatisfy({ held.contains($0.lease) }) else {
            throw FleetError(.leaseLost, "another worker has got a host of this one")
        }
    }

    /// Stores the last results and gives all hosts back, if the database is there.
    ///
    /// Otherwise the results are kept, and the leases end by themselves unless a later report gives
    /// the hosts back.
    func giveBack(_ state: inout WorkerState, _ source: FleetSource) async {
        let content = inbox.take()
        state.held.complete(content.results, report: &state.report)
        state.held.move(content.moved, report: &state.report)
        takeFeedback(&state, source)
        let returned = state.held.leases
        state.report.returned += returned
        state.report.feedback += feedback(returning: returned, state, source)
        state.held = HeldHosts()
        state.pauses = [:]
        state.robots = [:]
        defer { meter.update(state.held, state.report) }
        do throws(FleetError) {
            // Before the hosts are given back, because that ends their tokens.
            try await deliverKept(&state)
            guard !state.report.isEmpty else { return }
            try await synchronizeBodies(&state)
            _ = try await store.accept(state.report, of: run, from: state.worker)
            state.report = FleetReport()
        } catch {
            await keep(&state, after: error)
        }
    }
}
