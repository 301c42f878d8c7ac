import Curl
import HTTPTypes
import Synchronization

/// A run: what the reader, the transport's loops, the clock and the consumer of the results bring
/// together.
///
/// Whoever brings something changes the state under the lock, and then starts what may be started.
/// Nobody waits for anybody but the reader, who waits for room, and the consumer.
final class RunCore: Sendable {
    /// Jobs that are taken under the lock at a time.
    private static let portion = 64

    private struct Pump {
        /// Somebody starts jobs; and somebody else found that there may be more.
        var isRunning = false
        var isNeeded = false
    }

    let configuration: BatchConfiguration
    let bell = ResultBell()
    /// Wakes the thread that keeps the time.
    let timer: Wakeup
    /// Wakes the reader, when there is room, or when it is to end.
    let reader: Wakeup
    /// Wakes the thread that hands on what waits on the disk, where there is one.
    let feeder: Wakeup
    private let done: DoneBefore
    private let fetcher: any Fetcher
    let sinks: SinkFactory
    private let started = MonotonicTime.now
    private let ended = Atomic<Int64>(0)
    // Not private for what waits on the disk, which has a file of its own.
    let state: Mutex<RunState>
    private let pumping = Mutex(Pump())
    private let readerWaits = Atomic(false)
    private let log: RunLog?
    private let pace: Mutex<ResultPace>
    /// How many URLs a list of known size seems to have; 0 where nobody knows.
    private let estimate = Atomic<Int>(0)

    init(
        _ configuration: BatchConfiguration,
        done: DoneBefore = DoneBefore(),
        fetcher: any Fetcher,
        sinks: SinkFactory
    ) throws(SystemFailure) {
        self.configuration = configuration
        self.done = done
        self.fetcher = fetcher
        self.sinks = sinks
        timer = try Wakeup()
        reader = try Wakeup()
        feeder = try Wakeup()
        state = Mutex(RunState(configuration))
        pace = Mutex(ResultPace(limit: RunState.resultLimit(configuration)))
        log = try configuration.logger.map { logger throws(SystemFailure) in try RunLog(logger) }
    }

    // MARK: The reader's thread

    /// Whether a URL needs no fetching any more, as far as that is known before it is read.
    func isDone(_ ordinal: Int) -> Bool { done.journal?.contains(ordinal) ?? false }

    /// Whether an earlier run has fetched it.
    func haveFetched(_ job: FetchJob) -> Bool {
        guard let results = done.results else { return false }
        let request = job.target.details?.request
        let isPlain = request.map { $0.method == .get && $0.body == .none } ?? true
        return results.haveFetched(job.target.url, ordinal: job.ordinal, isPlain: isPlain)
    }

    /// Takes what was read, but for what needed no reading, and returns whether there is room for
    /// more.
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
        if hasResults { bell.ring() }
        tellLog()
        stopAtTotal()
        pump()
        return hasRoom
    }

    /// What the reader's waiting for room came to.
    enum RoomWait: Sendable {
        case room
        case ending
        /// For a second few hosts have filled the room, and others could be fetched.
        case starving
    }

    /// Blocks the reader's thread until there is room.
    ///
    /// - Parameter earliest: When the run is said to starve at the earliest; nil for never.
    func waitForRoom(starvingFrom earliest: MonotonicTime?) -> RoomWait {
        while true {
            readerWaits.store(true, ordering: .sequentiallyConsistent)
            let now = MonotonicTime.now
            let since = now.advanced(by: .zero - RunState.patience)
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

    /// A job with what an earlier run has had of it; `nil` where that is nothing. It may wait for the disk.
    func recalling(_ job: FetchJob) -> FetchJob? {
        let earlier = configuration.since?.response(for: job, configuration)
        let partial = earlier == nil ? sinks.recall(job) : nil
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

    /// So much of all lists has been read.
    func noteRead(_ count: Int64, of size: Int64) {
        guard size > 0, count > 0 else { return }
        let share = min(1, Double(count) / Double(size))
        let total = state.withLock { $0.progress.estimate(readShare: share) }
        estimate.store(total, ordering: .relaxed)
    }

    // MARK: Any thread

    /// Starts what may be started. One at a time does; others leave it to the one who does, so
    /// that attempts which end at once don't start others from inside one another.
    func pump() {
        let mayPump = pumping.withLock { pumping in
            pumping.isNeeded = pumping.isRunning
            defer { pumping.isRunning = true }
            return !pumping.isRunning
        }
        guard mayPump else { return }
        while true {
            let now = MonotonicTime.now
            let (jobs, hasRoom, hasResults, wakesTimer, wakesFeeder, groups) = state.withLock {
                state in
                let deadline = state.nextDeadline
                let jobs = state.start(
                    upTo: Self.portion,
                    at: now,
                    behindUntil: fetcher.behindUntil
                )
                // What can't be started may have been the last piece.
                let groups = state.takeEndedGroups()
                let wakesTimer = state.isFinished || state.isSooner(than: deadline)
                let wakesFeeder = state.endFrontierWait()
                return (jobs, state.hasRoom, state.hasResults, wakesTimer, wakesFeeder, groups)
            }
            for group in groups {
                sinks.settle(group) { end in
                    self.conclude(end.job, end.outcome, queued: end.queued, isReleased: true)
                }
            }
            if hasRoom { wakeReader() }
            if wakesFeeder { feeder.signal() }
            tellLog()
            for job in jobs { start(job, at: now) }
            // What waited may have been given up instead.
            if hasResults { bell.ring() }
            if wakesTimer { timer.signal() }
            // There may be more of them.
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
            let sink = self.sinks.sink(for: job, head, request)
            if job.segment == nil, let group = (sink as? DiskSink)?.group { self.split(job, group) }
            return sink
        }
        fetcher.start(job.asked, sink: sink) { outcome in
            self.ended(job, outcome, queued: queued)
        }
    }

    /// Hands on what is to be told the log.
    func tellLog() {
        guard let log else { return }
        log.add(state.withLock { $0.takeNotes() })
    }

    /// Changes the state, and returns whether the timer has to look at it.
    func change(_ body: (inout RunState) -> Void) -> Bool {
        state.withLock { state in
            let deadline = state.nextDeadline
            body(&state)
            return state.isFinished || state.isSooner(than: deadline)
        }
    }

    /// Ends the run when it has received what it may.
    func stopAtTotal() {
        let received = fetcher.receivedBytes
        // Just as many are enough where nothing is left.
        guard let limit = configuration.limits.maximumTotalBytes, received >= limit,
            state.withLock({ !$0.isStopping && ($0.hasMore || received > limit) })
        else { return }
        let failure = BatchFailure(.totalReached, "\(limit) bytes have come, which is the limit")
        state.withLock { $0.stopFailure = $0.stopFailure ?? failure }
        stop(cancelling: true)
    }

    /// Ends the run where no body can be written any more: others would be fetched for nothing.
    func endOutput(_ reason: BatchFailure) {
        var failure = BatchFailure(
            .output,
            "\(reason): nothing more can be written there, so the run ends; make room, or mend it, "
                + "and start the same run again"
        )
        failure.systemErrno = reason.systemErrno
        state.withLock { $0.failOutput(failure) }
        stop(cancelling: true)
    }

    /// Why the run ended itself early, if it did.
    var stopFailure: BatchFailure? { state.withLock { $0.stopFailure } }

    /// Starts nothing any more. With `cancelling`, what runs is ended too.
    func stop(cancelling: Bool) {
        let isNews = state.withLock { state in
            defer { state.stop() }
            return !state.isStopping || cancelling
        }
        if isNews, ended.load(ordering: .relaxed) == 0 {
            log?.add(.stopping(isCancelling: cancelling))
        }
        if cancelling { fetcher.cancelAll() }
        // Bodies of which pieces waited can be settled.
        pump()
        reader.signal()
        feeder.signal()
        timer.signal()
    }

    var progress: BatchProgress {
        var progress = state.withLock { $0.progress }
        progress.bytes = fetcher.receivedBytes
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

    /// Counts what is left out.
    func skipDuplicates(_ count: Int) { state.withLock { $0.skipDuplicates(count) } }

    /// The result of what needs no fetching, where that is known before.
    func earlyResult(for job: FetchJob) -> BatchResult? {
        sinks.earlyResult(for: job) { self.isStopping }
    }

    var caseCollisions: Int { sinks.plan?.caseCollisions ?? 0 }

    var inputFailure: BatchFailure? { state.withLock { $0.inputFailure } }

    // MARK: The consumer

    /// Results that have come since the last time; none at the end.
    func nextResults() async -> [BatchResult] {
        while true {
            // Asked first: what comes before the end is still taken.
            let isOver = bell.isOver
            let results = state.withLock { $0.takeResults() }
            if !results.isEmpty {
                pace.withLock { $0.took(results.count, at: MonotonicTime.now) }
                pump()
                return results
            }
            if isOver { return [] }
            await bell.wait()
            await gatherMore()
        }
    }

    private func gatherMore() async {
        guard !bell.isOver, let pause = pace.withLock({ $0.pause(at: MonotonicTime.now) })
        else { return }
        try? await Task.sleep(for: pause)
    }

    // MARK: The run's own thread

    /// Runs from the start to the end: starts the reader, and what is due by the clock.
    func run(_ input: InputReader) {
        log?.start()
        log?.add(.started(configuration, doneBefore: !done.isNothing))
        let thread: LoopThread?
        do throws(SystemFailure) {
            thread = try LoopThread(name: "batch-input") { input.run() }
        } catch {
            thread = nil
            endInput(BatchFailure(.resources, "the list can't be read: \(error)"))
        }
        keepTime()
        thread?.join()
        fetcher.cancelAll()
        if let failure = sinks.end() { state.withLock { $0.failOutput(failure) } }
        ended.store(MonotonicTime.now.nanoseconds, ordering: .relaxed)
        if let log {
            tellLog()
            log.add(.ended(progress))
            log.end()
        }
        bell.end()
    }

    private func keepTime() {
        while true {
            let (deadline, isFinished) = state.withLock { ($0.nextDeadline, $0.isFinished) }
            if isFinished { return }
            timer.wait(until: deadline)
            pump()
        }
    }
}
