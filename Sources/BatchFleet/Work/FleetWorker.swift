package import BatchFetch
internal import Posix
internal import Synchronization

/// Works on a run: leases hosts, fetches their URLs, and stores the results.
///
/// The run's own limits per host are those of the fleet, because no other worker sends requests to
/// a host that this one holds. While the database is away, the worker completes what it has until
/// its leases end, keeps the results, and stores those of the leases that still hold later.
package final class FleetWorker: Sendable {
    /// How a worker works.
    package struct Options: Sendable, Hashable {
        /// The name in the fleet's status.
        package var name: String
        /// The time after which another worker may take the hosts of a worker that has died.
        package var leaseDuration = Duration.seconds(30)
        /// Whether the worker waits for more URLs when the run has no pending one.
        package var waits = false
        /// The longest time between two looks at the database without an event.
        package var pollInterval = Duration.milliseconds(250)

        package init(name: String) {
            self.name = name
        }
    }

    /// Why a run of this worker ended.
    private enum Ending {
        case done, stopped, lost, runEnded
    }

    private enum StopLevel: Int {
        case none, stopping, cancelling
    }

    /// A run that must end when its leases do, even while the worker waits for the database.
    private struct Guarded {
        var run: BatchRun?
        var deadline = MonotonicTime.distantFuture
    }

    private let store: FleetStore
    private let run: FleetRun
    private let configuration: BatchConfiguration
    private let options: Options
    private let inbox = WorkInbox()
    private let stopLevel = Mutex(StopLevel.none)
    private let guarded = Mutex(Guarded())

    /// - Parameters:
    ///   - store: The database with the run.
    ///   - configuration: The settings of the run. A slice of a host's queue has at least twice
    ///     as many URLs as its limit of requests in flight.
    package init(
        _ store: FleetStore,
        _ run: FleetRun,
        _ configuration: BatchConfiguration,
        _ options: Options
    ) {
        self.store = store
        self.run = run
        self.configuration = configuration
        self.options = options
    }

    /// Starts no more requests. ``work()`` returns when those in flight have ended.
    ///
    /// The URLs without a result stay in the queue. May be called on any thread.
    package func stop() { set(.stopping) }

    /// Aborts requests in flight, too. Their URLs stay in the queue.
    package func cancel() { set(.cancelling) }

    private func set(_ level: StopLevel) {
        stopLevel.withLock { if $0.rawValue < level.rawValue { $0 = level } }
        inbox.wake()
    }

    /// Works until the run has no pending URL, or until ``stop()``.
    ///
    /// - Throws: ``FleetError`` if the database refuses a statement, and ``BatchFailure`` if bodies
    ///   can't be written. All hosts are given back before that, if possible.
    package func work() async throws {
        let worker = try await register()
        let ticks = Task { await tick() }
        defer { ticks.cancel() }
        var state = WorkerState(worker: worker)
        while true {
            let source = FleetSource(inbox)
            inbox.setRunOver(false)
            let batchRun = try Batch(configuration).start(work: source)
            guarded.withLock { $0 = Guarded(run: batchRun) }
            async let consumed: Void = consume(batchRun)
            let ending: Ending
            do {
                ending = try await coordinate(&state, source, batchRun)
            } catch {
                keepPauses(&state, source)
                batchRun.cancel()
                await consumed
                await giveBack(&state, source)
                release(source)
                throw error
            }
            if ending == .lost {
                keepPauses(&state, source)
                batchRun.cancel()
            }
            source.end()
            await consumed
            await giveBack(&state, source)
            release(source)
            switch ending {
            case .done, .stopped: return
            case .lost: continue
            case .runEnded:
                // Without a failure its leases had ended.
                if let failure = batchRun.outputFailure ?? batchRun.stopFailure { throw failure }
            }
        }
    }

    private func release(_ source: FleetSource) {
        source.release()
        guarded.withLock { $0 = Guarded() }
    }

    /// Registers the worker, as soon as the database is there.
    private func register() async throws -> Int {
        while true {
            do throws(FleetError) {
                return try await store.register(worker: options.name, for: run)
            } catch {
                guard error.isTemporary, stopLevel.withLock({ $0 }) == .none else { throw error }
            }
            try await Task.sleep(for: options.pollInterval)
        }
    }

    /// Wakes the worker at times, which differ from those of other workers, and aborts the requests
    /// of a run whose leases have ended.
    private func tick() async {
        while !Task.isCancelled {
            try? await Task.sleep(for: options.pollInterval * Double.random(in: 0.75...1.25))
            guarded.withLock { $0.deadline <= .now ? $0.run : nil }?.cancel()
            inbox.wake()
        }
    }

    private func consume(_ batchRun: BatchRun) async {
        for await result in batchRun { inbox.add(result) }
        inbox.setRunOver(true)
    }

    /// Moves URLs between the database and the run, until one of them ends.
    private func coordinate(
        _ state: inout WorkerState,
        _ source: FleetSource,
        _ batchRun: BatchRun
    ) async throws -> Ending {
        var isStopping = false
        for await _ in inbox.signals {
            let content = inbox.take()
            state.held.complete(content.results, report: &state.report)
            state.held.move(content.moved, report: &state.report)
            let level = stopLevel.withLock { $0 }
            if level != .none, !isStopping { keepPauses(&state, source) }
            if level == .cancelling {
                batchRun.cancel()
            } else if level == .stopping, !isStopping {
                batchRun.stop()
            }
            isStopping = level != .none
            if isStopping { source.end() }
            if state.held.deadline <= .now { return .lost }
            if content.isRunOver { return isStopping ? .stopped : .runEnded }
            do throws(FleetError) {
                if try await exchange(&state, source, isStopping: isStopping) { return .done }
            } catch {
                if error.code == .leaseLost { return .lost }
                guard error.isTemporary else { throw error }
                state.retryAt = MonotonicTime.now.advanced(by: options.pollInterval)
            }
        }
        // Only the release of the inbox ends its signals.
        return .stopped
    }

    /// Stores what was done, renews leases, and gets more URLs. Returns whether the run is done.
    private func exchange(
        _ state: inout WorkerState,
        _ source: FleetSource,
        isStopping: Bool
    ) async throws(FleetError) -> Bool {
        let now = MonotonicTime.now
        guard now >= state.retryAt else { return false }
        if now >= state.renewAt, state.held.count > 0 { try await renew(&state) }
        try await deliver(&state, source)
        guard !isStopping else { return false }
        if state.held.inHand < 2 * configuration.concurrency {
            try await lease(&state, source)
            try await slice(&state, source)
        }
        guard state.held.count == 0, state.report.isEmpty, !options.waits else { return false }
        return try await store.nextAvailable(in: run) == nil
    }

    private func renew(_ state: inout WorkerState) async throws(FleetError) {
        let start = MonotonicTime.now
        let held = try await store.renew(
            state.held.leases,
            of: run,
            for: state.worker,
            lasting: options.leaseDuration
        )
        guard state.held.renew(held, until: start.advanced(by: options.leaseDuration)) else {
            throw FleetError(.leaseLost, "another worker has got a host of this one")
        }
        state.renewAt = start.advanced(by: options.leaseDuration / 3)
        watch(state)
    }

    /// Makes the requests end with the leases that the worker has now.
    private func watch(_ state: WorkerState) {
        guarded.withLock { $0.deadline = state.held.deadline }
    }

    /// Stores the report, and gives hosts back that have no more URLs.
    private func deliver(
        _ state: inout WorkerState,
        _ source: FleetSource
    ) async throws(FleetError) {
        let finished = state.held.finished
        state.pauses.merge(source.takePauses()) { max($0, $1) }
        let isDue =
            !state.pauses.isEmpty || state.report.completions.count >= 200
            || MonotonicTime.now >= state.deliverAt
        var report = state.report
        report.returned = finished
        report.feedback = feedback(returning: finished, state, source)
        guard !report.isEmpty else {
            // They are those of hosts that the worker has given back since.
            state.pauses = [:]
            return
        }
        guard isDue || !finished.isEmpty else { return }
        _ = try await store.accept(report, of: run, from: state.worker)
        state.report = FleetReport()
        state.pauses = [:]
        state.deliverAt = MonotonicTime.now.advanced(by: .milliseconds(50))
        state.held.remove(finished)
        watch(state)
    }

    /// The pauses that hosts have requested, for their next owners.
    ///
    /// - Parameter returned: Hosts that are given back: their minimum intervals count, too.
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
            if returned.contains(lease), let pause = source.pause(of: name) {
                left = max(left, pause)
            }
            guard left > .zero else { continue }
            feedback.append(FleetReport.Feedback(lease: lease, delay: left))
        }
        return feedback
    }

    /// Notes when hosts get requests again: a run that is stopping forgets it.
    private func keepPauses(_ state: inout WorkerState, _ source: FleetSource) {
        let now = MonotonicTime.now
        for lease in state.held.leases {
            guard let name = state.held.name(of: lease), let pause = source.pause(of: name) else {
                continue
            }
            let end = now.advanced(by: pause)
            state.pauses[name] = max(end, state.pauses[name] ?? end)
        }
    }

    private func lease(
        _ state: inout WorkerState,
        _ source: FleetSource
    ) async throws(FleetError) {
        let room = configuration.concurrency - state.held.count
        let start = MonotonicTime.now
        guard room > 0, start >= state.leaseAt else { return }
        let hosts = try await store.lease(
            min(room, 64),
            of: run,
            for: state.worker,
            lasting: options.leaseDuration
        )
        guard !hosts.isEmpty else {
            state.leaseAt = start.advanced(by: options.pollInterval)
            return
        }
        if state.held.count == 0 {
            state.renewAt = start.advanced(by: options.leaseDuration / 3)
        }
        // Then the database's lease had ended, and the requests in flight are those of the old one.
        let isHeld = hosts.contains { state.held.name(of: $0.lease) != nil }
        state.held.add(hosts, until: start.advanced(by: options.leaseDuration))
        watch(state)
        if isHeld { throw FleetError(.leaseLost, "the lease of a host of this worker had ended") }
    }

    private func slice(
        _ state: inout WorkerState,
        _ source: FleetSource
    ) async throws(FleetError) {
        let limit = max(100, 2 * configuration.concurrencyPerHost)
        let hungry = state.held.hungry(limit: limit)
        guard !hungry.isEmpty else { return }
        let urls = try await store.slice(hungry, limit: limit)
        source.add(
            state.held.take(urls, of: hungry.keys, limit: limit, report: &state.report)
        )
    }

    /// Stores the last results and gives all hosts back, if the database is there.
    ///
    /// Otherwise the results stay in the report, and the leases end by themselves.
    private func giveBack(_ state: inout WorkerState, _ source: FleetSource) async {
        let content = inbox.take()
        state.held.complete(content.results, report: &state.report)
        state.held.move(content.moved, report: &state.report)
        var report = state.report
        report.returned = state.held.leases
        state.pauses.merge(source.takePauses()) { max($0, $1) }
        report.feedback = feedback(returning: report.returned, state, source)
        state.held = HeldHosts()
        state.pauses = [:]
        guard !report.isEmpty else { return }
        do throws(FleetError) {
            _ = try await store.accept(report, of: run, from: state.worker)
            state.report = FleetReport()
        } catch {
            // The next report of this worker has them again.
        }
    }
}

/// What a worker has.
private struct WorkerState {
    let worker: Int
    var held = HeldHosts()
    /// What isn't stored yet.
    var report = FleetReport()
    /// When hosts get requests again, if that isn't stored yet.
    var pauses: [String: MonotonicTime] = [:]
    var renewAt = MonotonicTime.distantFuture
    /// When to look for hosts again, after none was available.
    var leaseAt = MonotonicTime(nanoseconds: 0)
    /// When to store a report that has few results.
    var deliverAt = MonotonicTime(nanoseconds: 0)
    /// When to use the database again, after it failed.
    var retryAt = MonotonicTime(nanoseconds: 0)

    init(worker: Int) {
        self.worker = worker
    }
}
