import CurlTransport
import HTTPTypes
import Posix
import Synchronization

/// A run: connects the reader, the transport's loops, the clock and the consumer of the results.
///
/// Each of them changes the state under the lock, and then starts the jobs that may start. Only the
/// reader, which waits for room, and the consumer wait for others.
final class RunCore: Sendable {
    /// The number of jobs that are taken under the lock at once.
    private static let portion = 64

    private struct Pump {
        /// Whether a thread starts jobs, and whether more may have come.
        var isRunning = false
        var isNeeded = false
    }

    let configuration: BatchConfiguration
    let resultSignal = ResultSignal()
    /// Wakes the thread that waits for deadlines.
    let timer: Wakeup
    /// Wakes the reader when there is room, or when it must end.
    let reader: Wakeup
    /// The thread that returns jobs from disk. ``FrontierFeeder`` starts it.
    let feeder: Worker
    /// Looks up the addresses of hosts; `nil` without a limit per address.
    let resolver: AddressResolver?
    private let done: CompletedURLs
    private let fetcher: any Fetcher
    let sinks: SinkFactory
    /// Hands out the URLs, and takes redirects to hosts that the run may not use.
    let source: any WorkSource
    let started = MonotonicTime.now
    private let ended = Atomic<Int64>(0)
    // Not private, because the code for jobs on disk is in another file.
    let state: Mutex<RunState>
    private let pumping = Mutex(Pump())
    private let readerWaits = Atomic(false)
    let log: RunLog?
    private let pace: Mutex<ResultPace>
    let inputWarnings = InputWarnings()
    /// When the source's right to its hosts ends, in nanoseconds since boot.
    let workDeadline = Atomic<Int64>(.max)
    /// The estimated number of URLs of a list of known size; 0 if it is unknown.
    private let estimate = Atomic<Int>(0)

    init(
        _ configuration: BatchConfiguration,
        done: CompletedURLs = CompletedURLs(),
        fetcher: any Fetcher,
        sinks: SinkFactory,
        source: any WorkSource
    ) throws(SystemFailure) {
        self.configuration = configuration
        self.source = source
        self.done = done
        self.fetcher = fetcher
        self.sinks = sinks
        timer = try Wakeup()
        reader = try Wakeup()
        feeder = try Worker(name: "batch-frontier")
        resolver = configuration.politeness.concurrencyPerAddress.map { _ in AddressResolver() }
        state = Mutex(RunState(configuration))
        pace = Mutex(ResultPace(limit: RunState.resultLimit(configuration)))
        log = try configuration.logger.map { logger throws(SystemFailure) in try RunLog(logger) }
    }

    // MARK: The reader's thread

    /// Whether the journal lists the URL as completed, before it is parsed.
    func isDone(_ ordinal: Int) -> Bool { done.journal?.contains(ordinal) ?? false }

    /// The answered requests of an endless list with a journal.
    var answered: AnsweredRequests? { done.answered }

    /// Whether an earlier run has fetched it.
    func wasFetchedEarlier(_ job: FetchJob) -> Bool {
        guard let results = done.results else { return false }
        let request = job.target.details?.request
        let isPlain = request.map { $0.method == .get && $0.body == .none } ?? true
        return results.wasFetchedEarlier(job.target.url, ordinal: job.ordinal, isPlain: isPlain)
    }

    /// Adds parsed entries and counts skipped lines; returns whether there is room for more.
    func offer(_ entries: [InputEntry], skipped: Int = 0) -> Bool {
        let (hasRoom, hasResults) = state.withLock { state in
            state.skip(skipped)
            for entry in entries {
                switch entry {
                case .job(let job): state.add(job)
                case .done(let result): state.addDone(result)
                }
            }
            return (state.hasRoom, state.hasResults)
        }
        if hasResults { resultSignal.signal() }
        notifyLog()
        stopAtTotal()
        pump()
        return hasRoom
    }

    /// The result of waiting for room.
    enum RoomWait: Sendable {
        case room
        case ending
        /// Few hosts have filled the queue for a second.
        ///
        /// URLs of other hosts could be fetched.
        case starving
    }

    /// Blocks the reader's thread until there is room.
    ///
    /// - Parameter earliest: The earliest time to return ``RoomWait/starving``; `nil` for never.
    func waitForRoom(starvingFrom earliest: MonotonicTime?) -> RoomWait {
        while true {
            readerWaits.store(true, ordering: .sequentiallyConsistent)
            let now = MonotonicTime.now
            let since = now.advanced(by: .zero - RunState.starvationDelay)
            let (hasRoom, isStopping, isStarving) = state.withLock {
                ($0.hasRoom, $0.isStopping, $0.isStarving(since: since))
            }
            if isStopping { return .ending }
            let isStarved = isStarving && earliest.map { $0 <= now } ?? false
            if hasRoom || isStarved {
                readerWaits.store(false, ordering: .sequentiallyConsistent)
                return hasRoom ? .room : .starving
            }
            reader.wait(until: earliest.map { max($0, now.advanced(by: .milliseconds(250))) })
        }
    }

    var isStopping: Bool { state.withLock { $0.isStopping } }

    /// The job with its earlier response or partial body; `nil` if it has neither.
    ///
    /// May block on the disk.
    func addingEarlierState(_ job: FetchJob) -> FetchJob? {
        let earlier = configuration.since?.response(for: job, configuration)
        let partial = earlier == nil ? sinks.existingClaim(job) : nil
        if earlier == nil, partial == nil { return nil }
        var job = job
        job.earlier = earlier
        job.partial = partial
        return job
    }

    func endInput(_ failure: BatchFailure?) {
        state.withLock { $0.endInput(failure) }
        log?.add(.listEnded(failure))
        timer.signal()
    }

    /// Updates the estimated total from the number of bytes read.
    func noteRead(_ count: Int64, of size: Int64) {
        guard size > 0, count > 0 else { return }
        let share = min(1, Double(count) / Double(size))
        let total = state.withLock { $0.progress.estimate(readShare: share) }
        estimate.store(total, ordering: .relaxed)
    }

    // MARK: Any thread

    /// Starts the jobs that may start.
    ///
    /// One thread at a time does this. Others leave it to that thread, so that attempts which end
    /// immediately don't start others recursively.
    func pump() {
        let mayPump = pumping.withLock { pumping in
            pumping.isNeeded = pumping.isRunning
            defer { pumping.isRunning = true }
            return !pumping.isRunning
        }
        guard mayPump else { return }
        while true {
            let now = MonotonicTime.now
            endWork()
            let (jobs, hasRoom, hasResults, wakesTimer, wakesFeeder, groups) = state.withLock {
                state in
                let deadline = state.nextDeadline
                let jobs = state.start(
                    upTo: Self.portion,
                    at: now,
                    behindUntil: fetcher.behindUntil
                )
                // A job that fails without a start may have been the last piece.
                let groups = state.segments.takeEnded()
                let wakesTimer = state.isFinished || state.isSooner(than: deadline)
                let wakesFeeder = state.endFrontierWait()
                return (jobs, state.hasRoom, state.hasResults, wakesTimer, wakesFeeder, groups)
            }
            lookUpAddresses()
            for group in groups {
                sinks.settle(group) { end in
                    self.conclude(end.job, end.outcome, queued: end.queued, isReleased: true)
                }
            }
            if hasRoom { wakeReader() }
            if wakesFeeder { feeder.wake() }
            notifyLog()
            for job in jobs { start(job, at: now) }
            // Queued jobs may have failed instead.
            if hasResults { resultSignal.signal() }
            if wakesTimer { timer.signal() }
            // A full portion means that there may be more jobs.
            guard jobs.count < Self.portion else { continue }
            let isDone = pumping.withLock { pumping in
                pumping.isRunning = pumping.isNeeded
                pumping.isNeeded = false
                return !pumping.isRunning
            }
            if isDone { return }
        }
    }

    private func wakeReader() {
        let (waited, _) = readerWaits.compareExchange(
            expected: true,
            desired: false,
            ordering: .sequentiallyConsistent
        )
        if waited { reader.signal() }
    }

    private func start(_ job: FetchJob, at now: MonotonicTime) {
        let queued = Duration.nanoseconds(max(0, now.nanoseconds(since: job.waitingSince)))
        let sink: SinkMaker = { head, request in
            guard !job.isRobots else { return RobotsSink() }
            if job.isProbe { self.probeAnswered(job, status: head.statusCode) }
            let sink = self.sinks.sink(for: job, head, request)
            if job.segment == nil, let file = (sink as? DiskSink)?.segmentedFile {
                self.split(job, file)
            }
            return sink
        }
        fetcher.start(job.nextTarget, keepsConnection: job.keepsConnection, sink: sink) { outcome in
            self.ended(job, outcome, queued: queued)
        }
    }

    /// Passes pending notes to the log.
    func notifyLog() {
        guard let log else { return }
        // Done under the lock: otherwise the note of the run's end could come first.
        state.withLock { log.add($0.notes.take()) }
    }

    /// Changes the state; returns whether the timer must check its deadline.
    func change(_ body: (inout RunState) -> Void) -> Bool {
        state.withLock { state in
            let deadline = state.nextDeadline
            body(&state)
            return state.isFinished || state.isSooner(than: deadline)
        }
    }

    /// Ends the run when it has received the maximum number of bytes.
    func stopAtTotal() {
        let received = fetcher.receivedBytes
        // Exactly the limit is no failure if nothing is left to fetch.
        guard let limit = configuration.limits.maximumTotalBytes, received >= limit,
            state.withLock({ !$0.isStopping && ($0.hasMore || received > limit) })
        else { return }
        let failure = BatchFailure(.totalReached, "the run reached its limit of \(limit) bytes")
        state.withLock { $0.stopFailure = $0.stopFailure ?? failure }
        stop(cancelling: true)
    }

    /// Ends the run, because bodies can't be written any more.
    ///
    /// Fetching other URLs would be useless.
    func endOutput(_ reason: BatchFailure) {
        var failure = BatchFailure(
            .output,
            "\(reason): the run ends, because nothing more can be written there; free space or fix "
                + "the cause, and repeat the command"
        )
        failure.systemErrno = reason.systemErrno
        state.withLock { $0.failOutput(failure) }
        stop(cancelling: true)
    }

    /// Why the run ended early by itself; `nil` if it didn't.
    var stopFailure: BatchFailure? { state.withLock { $0.stopFailure } }

    /// Stops starting attempts; with `cancelling`, also cancels those in flight.
    func stop(cancelling: Bool) {
        let isEffective = state.withLock { state in
            defer { state.stop() }
            return !state.isStopping || cancelling
        }
        if isEffective, ended.load(ordering: .relaxed) == 0 {
            log?.add(.stopping(isCancelling: cancelling))
        }
        if cancelling {
            fetcher.cancelAll()
            sinks.cancelUploads()
        }
        // Bodies with queued pieces can be completed now.
        pump()
        reader.signal()
        feeder.wake()
        timer.signal()
    }

    var progress: BatchProgress {
        var progress = state.withLock { $0.progress(at: .now) }
        progress.bytes = fetcher.receivedBytes
        progress.large = fetcher.largeBodies
        let estimate = estimate.load(ordering: .relaxed)
        if progress.expected == nil, estimate > 0 {
            progress.expected = max(estimate, progress.done + progress.remaining)
        }
        let end = ended.load(ordering: .relaxed)
        let now = end == 0 ? MonotonicTime.now : MonotonicTime(nanoseconds: end)
        progress.elapsed = .nanoseconds(now.nanoseconds(since: started))
        return progress
    }

    var summary: BatchSummary {
        var summary = state.withLock { $0.summary }
        summary.progress = progress
        return summary
    }

    var outputFailure: BatchFailure? { state.withLock { $0.outputFailure } }

    /// Counts skipped duplicates.
    func skipDuplicates(_ count: Int) { state.withLock { $0.skipDuplicates(count) } }

    /// The result of a URL that needs no fetching; `nil` if it does.
    func earlyResult(for job: FetchJob) -> BatchResult? {
        sinks.earlyResult(for: job) { self.isStopping }
    }

    var caseCollisions: Int { sinks.plan?.caseCollisions ?? 0 }

    var inputFailure: BatchFailure? { state.withLock { $0.inputFailure } }

    // MARK: The consumer

    /// The results since the last call; empty at the end.
    func nextResults() async -> [BatchResult] {
        while true {
            // Read first, so that results which arrive before the end are still returned.
            let isOver = resultSignal.isOver
            let taken = state.withLock { $0.takeResults() }
            if !taken.isEmpty {
                pace.withLock { $0.recordTaken(taken.count, at: MonotonicTime.now) }
                pump()
            }
            let results = sinks.release(adding: taken)
            if !results.isEmpty { return results }
            if isOver { return [] }
            await resultSignal.wait()
            await gatherMore()
        }
    }

    private func gatherMore() async {
        guard !resultSignal.isOver, let pause = pace.withLock({ $0.pause(at: MonotonicTime.now) })
        else { return }
        try? await Task.sleep(for: pause)
    }

    // MARK: The run's own thread

    /// Runs the batch: starts the reader, and starts jobs when they are due.
    func run() {
        log?.start()
        log?.add(.started(configuration, isResuming: !done.isEmpty))
        if configuration.connection.tls.dangerouslyDisablesVerification { log?.add(.insecure) }
        let thread: JoinedThread?
        do throws(SystemFailure) {
            try holdResults()
            thread = try JoinedThread(name: "batch-input") { self.source.feed(WorkReceiver(self)) }
        } catch {
            thread = nil
            endInput(BatchFailure(.resources, "can't read the list: \(error)"))
        }
        keepTime()
        thread?.join()
        resolver?.end()
        fetcher.cancelAll()
        for failure in [sinks.end(), fetcher.finish()].compactMap(\.self) {
            state.withLock { $0.failOutput(failure) }
        }
        ended.store(MonotonicTime.now.nanoseconds, ordering: .relaxed)
        if let log {
            notifyLog()
            log.add(.ended(progress))
            log.end()
        }
        resultSignal.end()
    }
}
