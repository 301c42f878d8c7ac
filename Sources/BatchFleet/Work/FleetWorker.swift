package import BatchFetch
internal import Posix
internal import Synchronization

/// Works on a run: leases hosts, fetches their URLs, and stores the results.
///
/// The run's own limits per host are those of the fleet, because no other worker sends requests to
/// a host that this one holds. While the database is away, the worker completes what it has until
/// its leases end, keeps the results on disk, and stores those of the leases that still hold later.
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
        /// The folder for results while the database is away. Several workers may share it. With
        /// `nil`, the default, they are kept in memory.
        package var stateFolder: String?

        package init(name: String) {
            self.name = name
        }

        /// The time between two renewals of the leases, which also show that the worker is there.
        var renewalInterval: Duration { min(leaseDuration / 3, .seconds(10)) }
    }

    /// Why a run of this worker ended.
    private enum Ending {
        case done, stopped, lost, runEnded
    }

    private enum StopLevel: Int {
        case none, stopping, cancelling
    }

    /// A run that must end when its leases do, or when the user says so, even while the worker
    /// waits for the database.
    struct Guarded {
        var run: BatchRun?
        var source: FleetSource?
        var deadline = BootTime.distantFuture

        /// Starts no more requests, and aborts those in flight if `isCancelling`.
        func end(isCancelling: Bool) {
            if isCancelling { run?.cancel() } else { run?.stop() }
            source?.keepPauses()
        }
    }

    let store: FleetStore
    let run: FleetRun
    let configuration: BatchConfiguration
    let options: Options
    let inbox = WorkInbox()
    let meter = WorkerMeter()
    /// Keeps results while the database is away; `nil` if they stay in memory.
    let journal: ReportJournal?
    private let stopLevel = Mutex(StopLevel.none)
    let guarded = Mutex(Guarded())

    /// - Parameters:
    ///   - store: The database with the run.
    ///   - configuration: The settings of the run.
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
        journal = options.stateFolder.map { ReportJournal(folder: $0, of: run) }
    }

    /// Starts no more requests. ``work()`` returns when those in flight have ended.
    ///
    /// The URLs without a result stay in the queue. May be called on any thread.
    package func stop() { set(.stopping) }

    /// Aborts requests in flight, too. Their URLs stay in the queue.
    package func cancel() { set(.cancelling) }

    private func set(_ level: StopLevel) {
        stopLevel.withLock { if $0.rawValue < level.rawValue { $0 = level } }
        guarded.withLock { $0 }.end(isCancelling: level == .cancelling)
        inbox.wake()
    }

    /// What the worker holds and has done. May be read on any thread.
    package var figures: WorkerFigures { meter.figures }

    /// What it has fetched since its start, or since its last loss of leases.
    package var summary: BatchSummary { guarded.withLock { $0.run }?.summary ?? BatchSummary() }

    /// Works until the run has no pending URL, or until ``stop()``.
    ///
    /// First it stores the results that workers which have died kept in its folder.
    ///
    /// - Throws: ``FleetError`` if the database refuses a statement, and ``BatchFailure`` if bodies
    ///   can't be written. All hosts are given back before that, if possible.
    package func work() async throws {
        let worker = try await register()
        let ticks = Task { await tick() }
        defer { ticks.cancel() }
        var state = WorkerState(worker: worker)
        state.renewAt = MonotonicTime.now.advanced(by: options.renewalInterval)
        await findKept()
        while true {
            let source = FleetSource(inbox)
            inbox.setRunOver(false)
            let batchRun = try Batch(configuration).start(work: source)
            guarded.withLock { $0 = Guarded(run: batchRun, source: source) }
            async let consumed: Void = consume(batchRun)
            let ending: Ending
            do {
                ending = try await coordinate(&state, source)
            } catch {
                guarded.withLock { $0 }.end(isCancelling: true)
                await consumed
                await giveBack(&state, source)
                release(source)
                throw error
            }
            if ending == .lost {
                meter.lost()
                guarded.withLock { $0 }.end(isCancelling: true)
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
                meter.lost()
            }
        }
    }

    private func release(_ source: FleetSource) {
        source.release()
        guarded.withLock { $0 = Guarded() }
    }

    /// Registers the worker, as soon as the database is there.
    private func register() async throws -> Int {
        var isKnown = false
        while true {
            do throws(FleetError) {
                return try await store.register(worker: options.name, for: run)
            } catch {
                guard error.isTemporary, stopLevel.withLock({ $0 }) == .none else { throw error }
                if !isKnown { configuration.onWarning?("\(error); trying again") }
                isKnown = true
            }
            try await Task.sleep(for: options.pollInterval)
        }
    }

    /// Wakes the worker at times, which differ from those of other workers, and aborts the requests
    /// of a run whose leases have ended.
    private func tick() async {
        while !Task.isCancelled {
            try? await Task.sleep(for: options.pollInterval * Double.random(in: 0.75...1.25))
            let guarded = guarded.withLock { $0 }
            if guarded.deadline <= .now { guarded.end(isCancelling: true) }
            inbox.wake()
        }
    }

    private func consume(_ batchRun: BatchRun) async {
        while true {
            let results = await batchRun.nextResults()
            if results.isEmpty { break }
            inbox.add(results)
        }
        inbox.setRunOver(true)
    }

    /// Moves URLs between the database and the run, until one of them ends.
    private func coordinate(
        _ state: inout WorkerState,
        _ source: FleetSource
    ) async throws -> Ending {
        for await _ in inbox.signals {
            let content = inbox.take()
            state.held.complete(content.results, report: &state.report)
            state.held.move(content.moved, report: &state.report)
            state.pace.add(content.results.count + content.moved.count, at: .now)
            let level = stopLevel.withLock { $0 }
            let isStopping = level != .none
            if isStopping {
                // Again, since the run may be newer than the user's call.
                guarded.withLock { $0 }.end(isCancelling: level == .cancelling)
                source.end()
            }
            if state.held.deadline <= .now { return .lost }
            if content.isRunOver { return isStopping ? .stopped : .runEnded }
            do throws(FleetError) {
                if try await exchange(&state, source, isStopping: isStopping) { return .done }
            } catch {
                if error.code == .leaseLost { return .lost }
                guard error.isTemporary else { throw error }
                await keep(&state, after: error)
                state.retryAt = MonotonicTime.now.advanced(by: options.pollInterval)
            }
            meter.update(state.held, state.report)
            if state.hasRest {
                inbox.wake()
            } else if !isStopping {
                try? await Task.sleep(for: state.pause)
                if state.held.hasFurtherHungry { inbox.wake() }
            }
        }
        // Only the release of the inbox ends its signals.
        return .stopped
    }
}
