import Curl
import Logging

/// All that changes in a run, under one lock, and the decisions about it. Pure: what has to be done
/// is returned, and the time comes as an argument.
struct RunState: Sendable {
    enum Phase: Sendable {
        case running
        /// Nothing is started any more; what runs may end.
        case stopping
    }

    /// Content beyond this waits in the list until some of it has been sent.
    private static let maximumHeldBytes = 64 * 1024 * 1024
    /// How long few hosts may keep others from being read.
    static let patience = Duration.seconds(1)

    let configuration: BatchConfiguration
    var phase = Phase.running
    var queues: HostQueues<FetchJob>
    private var retries = TimedHeap<FetchJob>()
    private var budget: RetryBudget
    /// What the hosts allow, where they are asked.
    private var robots: RobotsCache?
    /// Their files that are to be fetched once more: their hosts' queues are blocked.
    private var waitingRobots: [FetchJob] = []
    /// Of all hosts together.
    private var gate = PaceGate()
    /// When the gate opens, where something waits for that.
    private var gateDeadline: MonotonicTime?
    private var inFlight = 0
    /// How many of those are hosts' `robots.txt`.
    private var robotsInFlight = 0
    /// Bytes of content that requests are to send, of all that wait or are in flight.
    private var heldBytes = 0
    private var isInputEnded = false
    /// How many URLs there were when nothing was to be started any more, if that was known.
    private var countAtStop: Int?
    private(set) var summary = BatchSummary()
    /// Results that nobody has taken yet.
    private var results: [BatchResult] = []
    /// Why the input ended early.
    private(set) var inputFailure: BatchFailure?
    /// Why the run ended itself early.
    var stopFailure: BatchFailure?
    /// What is to be told the log, if there is one, and how much it wants to know.
    private var notes: [RunNote] = []
    private let logLevel: Logger.Level?
    /// When as much was in flight as may be the last time, or something else than a lack of hosts
    /// kept more from being started.
    private var busyAt = MonotonicTime(nanoseconds: .min)
    /// How many jobs wait on the disk, and for what their feeder waits.
    private var parkedCount = 0
    /// Bodies that are fetched in several pieces; and those of them of which all have ended.
    var openGroups = 0
    var endedGroups: [SegmentGroup] = []
    var frontierWait = FrontierWait.nothing
    /// Why nothing can be written any more, or what went wrong when the output was closed.
    private(set) var outputFailure: BatchFailure?

    init(_ configuration: BatchConfiguration) {
        self.configuration = configuration
        let politeness = configuration.politeness
        queues = HostQueues(
            policies: politeness.policies(concurrency: configuration.concurrencyPerHost),
            isAdaptive: politeness.isAdaptive,
            breaker: politeness.breaker
        )
        logLevel = configuration.logger?.logLevel
        queues.recordsBreakerChanges = logLevel != nil
        robots = politeness.asksRobots ? RobotsCache() : nil
        budget = RetryBudget(
            share: configuration.retry.budgetShare,
            reserve: configuration.retry.budgetReserve
        )
    }

    var waitingCount: Int { queues.waitingCount + retries.count + waitingRobots.count }
    private var resultLimit: Int { Self.resultLimit(configuration) }

    /// How many results may wait for the consumer: few where they carry bodies.
    static func resultLimit(_ configuration: BatchConfiguration) -> Int {
        let few = min(configuration.concurrency, .max / 2) * 2
        if case .memory = configuration.output.kind { return few }
        return max(few, 1024)
    }

    /// Whether the reader may add to what waits.
    var hasRoom: Bool {
        waitingCount < configuration.lookAhead && results.count < resultLimit
            && heldBytes < Self.maximumHeldBytes
    }

    /// Whether nothing will happen any more.
    var isFinished: Bool {
        // Of a run that ends nobody waits for what a host would have allowed.
        let awaited = isStopping ? inFlight - robotsInFlight : inFlight
        return isInputEnded && awaited == 0 && waitingCount == 0 && openGroups == 0
    }

    /// Whether there are results that nobody has taken yet.
    var hasResults: Bool { !results.isEmpty }

    var isStopping: Bool { phase == .stopping }

    /// When something waits for a moment and not for an event: that moment.
    var nextDeadline: MonotonicTime? {
        let queued: MonotonicTime? =
            switch (retries.nextTime, queues.nextHoldEnd) {
            case (let retry?, let hold?): min(retry, hold)
            case (let retry, let hold): retry ?? hold
            }
        guard let gateDeadline else { return queued }
        return queued.map { min($0, gateDeadline) } ?? gateDeadline
    }

    /// Whether there is a moment to wait for before `deadline`, for which somebody waits already.
    func isSooner(than deadline: MonotonicTime?) -> Bool {
        guard let next = nextDeadline else { return false }
        return deadline.map { next < $0 } ?? true
    }

    var progress: BatchProgress {
        var progress = summary.progress
        progress.inFlight = inFlight - robotsInFlight
        progress.waiting = waitingCount - waitingRobots.count + parkedCount
        if phase == .stopping {
            // What waited is forgotten, and what wasn't read is not known.
            progress.expected = countAtStop
        } else if isInputEnded {
            progress.expected = progress.done + progress.remaining
        }
        progress.isExpectedExact = progress.expected != nil
        return progress
    }

    // MARK: Input

    mutating func add(_ job: FetchJob) { add(job, at: job.waitingSince) }

    private mutating func add(_ job: FetchJob, at now: MonotonicTime) {
        guard phase == .running else { return }
        heldBytes += job.weight
        let isFirst = job.target.details.map { $0.request.priority > 0 } ?? false
        enqueue(job, isFirst: isFirst, at: now)
    }

    mutating func skip(_ count: Int) { summary.progress.skipped += count }

    mutating func addDone(_ result: BatchResult) {
        guard phase == .running else { return }
        finish(result)
    }

    mutating func endInput(_ failure: BatchFailure?) {
        isInputEnded = true
        inputFailure = failure
    }

    mutating func skipDuplicates(_ count: Int) { summary.progress.duplicates += count }

    /// The first reason counts.
    mutating func failOutput(_ failure: BatchFailure) {
        outputFailure = outputFailure ?? failure
    }

    private mutating func enqueue(_ job: FetchJob, isFirst: Bool = false, at now: MonotonicTime) {
        if job.isRobots { return waitingRobots.append(job) }
        let host = job.place.hostKey
        if queues.isGivenUp(host: host, at: now) {
            return finish(job, job.unavailable(since: queues.lastFailure(of: host)))
        }
        if case .disallowed(let reason)? = robots?.verdict(for: job.place, at: now) {
            return finish(job, job.failed(BatchFailure(.robots, reason)))
        }
        queues.add(job, host: host, isFirst: isFirst)
        // A host that had nothing to do for a while is known by nothing else any more.
        if let delay = robots?.crawlDelay(of: host, at: now) {
            queues.require(interval: capped(delay), host: host)
        }
    }

    private func capped(_ crawlDelay: Duration) -> Duration {
        min(crawlDelay, configuration.politeness.maximumCrawlDelay)
    }

    // MARK: What waits on the disk

    /// Whether more could be in flight and nothing has been there to be started since `time`, though
    /// so much waits that nothing more is read: few hosts fill the room of all.
    func isStarving(since time: MonotonicTime) -> Bool {
        !hasRoom && results.count < resultLimit && inFlight < configuration.concurrency
            && !queues.hasTurns && busyAt < time
    }

    /// Returns what hosts have waiting beyond their share. From now on it is noted which host has
    /// room.
    mutating func beginFrontier(folder: String) -> [FetchJob] {
        queues.recordsDemand = true
        let excess = queues.removeExcess { job in
            job.attempts == 0 && job.hop == nil && (job.target.details?.request.priority ?? 0) <= 0
        }
        for job in excess { heldBytes -= job.weight }
        parkedCount = excess.count
        note(.info) { .readingAhead(folder: folder) }
        return excess
    }

    mutating func park(_ count: Int) {
        if phase == .running { parkedCount += count }
    }

    mutating func unpark(_ jobs: [FetchJob], at now: MonotonicTime) {
        parkedCount = max(0, parkedCount - jobs.count)
        for job in jobs { add(job, at: now) }
    }

    // MARK: Attempts

    /// Up to `count` jobs that are to be started now.
    ///
    /// - Parameter behindUntil: When something may be started again, where more bytes have come than may.
    mutating func start(
        upTo count: Int,
        at now: MonotonicTime,
        behindUntil: MonotonicTime? = nil
    ) -> [FetchJob] {
        guard phase == .running else { return [] }
        // Also where nothing can be started: what is due must not stay the next deadline.
        queues.endHolds(at: now)
        while let job = retries.popDue(at: now) { enqueue(job, isFirst: true, at: now) }
        gateDeadline = nil
        let room = min(
            count,
            configuration.concurrency - inFlight,
            resultLimit - results.count
        )
        if room <= 0 { busyAt = now }
        guard room > 0, waitingCount > retries.count else { return [] }
        if let behindUntil, behindUntil > now {
            gateDeadline = behindUntil
            busyAt = now
            return []
        }
        var jobs: [FetchJob] = []
        jobs.reserveCapacity(min(room, waitingCount))
        while jobs.count < room, isGateOpen(at: now), var job = nextJob(at: now) {
            if let interval = configuration.limits.rate?.interval {
                gate.pass(interval: interval, at: now)
            }
            if !job.isContinuing {
                job.attempts += 1
                job.lastResult = nil
                job.wasUnanswered = false
                job.asksForWhole = false
                if job.attempts > 1 { summary.progress.retries += 1 } else { budget.earn() }
            }
            job.isContinuing = false
            inFlight += 1
            if job.isRobots { robotsInFlight += 1 }
            note(.trace) { .attemptStarted(url: job.target.url, attempt: job.attempts) }
            if job.segment == nil, let part = job.requestedPart {
                note(.debug) { .goingOn(url: job.target.url, bytes: part.present) }
            }
            jobs.append(job)
        }
        if jobs.count == room || gateDeadline != nil { busyAt = now }
        return jobs
    }

    private mutating func isGateOpen(at now: MonotonicTime) -> Bool {
        guard let interval = configuration.limits.rate?.interval,
            !gate.isOpen(interval: interval, at: now)
        else { return true }
        gateDeadline = gate.opens(interval: interval)
        return false
    }

    private mutating func nextJob(at now: MonotonicTime) -> FetchJob? {
        if let job = waitingRobots.popLast() {
            queues.noteStart(host: job.place.hostKey, at: now)
            return job
        }
        while let job = queues.next(at: now) {
            guard let verdict = robots?.verdict(for: job.place, at: now) else { return job }
            let host = job.place.hostKey
            switch verdict {
            case .allowed:
                return job
            case .disallowed(let reason):
                queues.finished(host: host, at: now)
                finish(job, job.failed(BatchFailure(.robots, reason)))
            case .unknown:
                // The file is fetched in its place, and all others of the host wait for that.
                queues.add(job, host: host, isFirst: true)
                queues.block(host: host)
                return FetchJob(robotsFor: job, at: now)
            }
        }
        return nil
    }

    /// A request has ended. Its host has asked to be left alone for `pause`.
    mutating func release(
        _ job: FetchJob,
        sign: HostSign = .neutral,
        failure: BatchFailure? = nil,
        pause: Duration? = nil,
        at now: MonotonicTime
    ) {
        inFlight -= 1
        let host = job.place.hostKey
        for job in queues.finished(host: host, sign, failure, at: now) {
            finish(job, job.unavailable(since: failure))
        }
        noteBreaker(at: now)
        // Also where this URL isn't tried again: the others of the host are.
        guard let pause, phase == .running else { return }
        queues.hold(host: host, until: now.advanced(by: pause))
        note(.info) { .hostHeld(host: host, delay: pause) }
    }

    /// An attempt has ended, and the job with it unless its decision says otherwise.
    mutating func ended(_ attempt: EndedAttempt, at now: MonotonicTime) {
        let job = attempt.job
        if attempt.isReleased {
            openGroups -= 1
        } else {
            let failure = attempt.result.failure
            release(job, sign: attempt.sign, failure: failure, pause: attempt.pause, at: now)
        }
        guard case .retry(let delay, let holdsHost) = attempt.decision else {
            return finish(job, attempt.result)
        }
        // What would be tried again isn't done with: a run that goes on with the list does so.
        guard phase == .running else { return finish(job, job.interrupted) }
        // What the server asked for itself costs nothing.
        guard holdsHost || budget.spend() else {
            return finish(job, attempt.result.withoutRetry("too many of all were needed"))
        }
        note(.debug) {
            .retry(
                url: job.target.url,
                attempt: job.attempts + 1,
                delay: delay,
                reason: attempt.result.failure
            )
        }
        var next = job
        next.lastResult = LastResult(attempt.result)
        retry(next, after: delay, holdsHost: holdsHost, at: now)
    }

    /// A response has led `job` to another URL, or to another request for the same, for which `next`
    /// waits from now on.
    ///
    /// - Parameter isReleased: Whether its requests, several of them, have ended before.
    mutating func redirected(
        _ job: FetchJob,
        to next: FetchJob,
        sign: HostSign,
        isReleased: Bool = false,
        at now: MonotonicTime
    ) {
        if isReleased {
            openGroups -= 1
        } else {
            release(job, sign: sign, at: now)
        }
        guard phase == .running else { return finish(next, next.interrupted) }
        enqueue(next, isFirst: true, at: now)
    }

    private mutating func retry(
        _ job: FetchJob,
        after delay: Duration,
        holdsHost: Bool,
        at now: MonotonicTime
    ) {
        let due = now.advanced(by: delay)
        if holdsHost { queues.hold(host: job.place.hostKey, until: due) }
        var next = job.repeated(always: configuration.retry.repeatsUnsafeRequests)
        next.waitingSince = due
        retries.insert(next, at: due)
    }

    /// The fetching of a host's `robots.txt` has ended.
    mutating func endedRobots(
        _ job: FetchJob,
        _ answer: RobotsAnswer,
        decision: RetryDecision,
        at now: MonotonicTime
    ) {
        inFlight -= 1
        robotsInFlight -= 1
        guard phase == .running else { return }
        let host = job.place.hostKey
        var interval = Duration.zero
        switch (answer, decision) {
        case (.file(let file), _):
            robots?.learn(file, of: host, at: now)
            interval = capped(file.crawlDelay ?? .zero)
            note(.debug) { [interval] in .robotsRead(host: host, crawlDelay: interval) }
        case (.unavailable, .retry(let delay, let holdsHost)):
            // The host's starts keep their distance, whatever is asked for.
            let opening = queues.nextStart(of: host).map { $0.nanoseconds(since: now) } ?? 0
            let delay = max(delay, .nanoseconds(opening))
            return retry(job, after: delay, holdsHost: holdsHost, at: now)
        case (.unavailable(let reason), .giveUp):
            robots?.miss(reason, of: host, at: now)
            note(.info) { .robotsUnavailable(host: host, reason: reason) }
        }
        // Who waits and is not allowed to needn't wait for a turn to be told so.
        for job in queues.removeWaiting(host: host) { enqueue(job, at: now) }
        queues.unblock(host: host, interval: interval)
        queues.finished(host: host, at: now)
    }

    // MARK: Results

    mutating func finish(_ job: FetchJob, _ result: BatchResult) {
        if let segment = job.segment {
            var outcome = AttemptOutcome()
            outcome.failure = result.failure.map { ($0, .permanent) }
            return pieceEnded(segment.group, outcome)
        }
        heldBytes -= job.weight
        finish(result, host: job.target.hostKey)
    }

    private mutating func finish(_ result: BatchResult, host: String? = nil) {
        summary.add(result, host: host)
        note(result.isFetched ? .trace : .debug) { .done(result) }
        results.append(result)
    }

    mutating func takeResults() -> [BatchResult] {
        let taken = results
        results = []
        return taken
    }

    // MARK: The log

    /// Notes what happened, where a log wants to know.
    mutating func note(_ level: Logger.Level, _ note: () -> RunNote) {
        guard let logLevel, logLevel <= level else { return }
        notes.append(note())
    }

    private mutating func noteBreaker(at now: MonotonicTime) {
        guard logLevel != nil else { return }
        for change in queues.takeBreakerChanges() {
            let delay = Duration.nanoseconds(max(0, change.end.nanoseconds(since: now)))
            note(change.kind == .closed ? .info : .warning) {
                .breaker(host: change.host, change.kind, delay: delay, reason: change.reason)
            }
        }
    }

    mutating func takeNotes() -> [RunNote] {
        defer { notes = [] }
        return notes
    }

    // MARK: The end

    /// Whether there is more to start, as far as anybody knows.
    var hasMore: Bool { waitingCount + parkedCount > 0 }

    /// Starts nothing any more, and forgets what waits.
    mutating func stop() {
        countAtStop = isInputEnded ? progress.expected : nil
        phase = .stopping
        // Of a body some of which is there the URL has a result.
        for job in queues.removeAllWaiting() where job.segment != nil {
            finish(job, job.interrupted)
        }
        retries.removeAll()
        waitingRobots = []
        parkedCount = 0
        gateDeadline = nil
    }
}
