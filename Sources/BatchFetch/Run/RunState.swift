import CurlResilience
import Logging
import Posix

/// The state of a run under one lock, and its decisions.
///
/// Pure: methods return the actions to take, and the caller passes the current time.
struct RunState: Sendable {
    enum Phase: Sendable {
        case running
        /// No attempt starts any more; those in flight may end.
        case stopping
    }

    /// The maximum bytes of request content in memory (64 MiB); beyond it the reader waits until
    /// some has been sent.
    static let maximumHeldBytes = 64 * 1024 * 1024
    /// How long few hosts may keep the reader waiting.
    static let starvationDelay = Duration.seconds(1)

    let configuration: BatchConfiguration
    var phase = Phase.running
    var queues: HostQueues<FetchJob>
    private(set) var retries = TimedHeap<FetchJob>()
    private var budget: RetryBudget
    var robots: RobotsRequests
    /// The rate limit of all hosts together.
    private var gate = RateLimiter()
    /// When the gate opens, if a job is waiting for that.
    private(set) var gateDeadline: MonotonicTime?
    private(set) var inFlight = 0
    /// The request content in bytes of queued and in-flight jobs.
    var heldBytes = 0
    private(set) var isInputEnded = false
    /// The number of URLs at the stop, if it was known.
    private(set) var countAtStop: Int?
    /// When the next requests to hosts may start that had to wait when the run was stopped.
    private(set) var pausesAtStop: [String: MonotonicTime] = [:]
    private(set) var summary = BatchSummary()
    /// Results that the consumer hasn't taken yet.
    private(set) var results: [BatchResult] = []
    /// Why the input ended early; `nil` if it didn't.
    private(set) var inputFailure: BatchFailure?
    /// Why the run ended early by itself; `nil` if it didn't.
    var stopFailure: BatchFailure?
    /// The pending notes for the log.
    var notes: NoteBuffer
    /// The last time when more hosts wouldn't have allowed more starts.
    ///
    /// That is, when the concurrency limit was reached or another limit delayed a start.
    private(set) var busyAt = MonotonicTime(nanoseconds: .min)
    /// The number of jobs on disk.
    var spilledCount = 0
    /// The bodies in pieces.
    var segments = SegmentGroups()
    var frontierWait = FrontierWait.nothing
    /// Why output failed, during the run or when it was closed.
    private(set) var outputFailure: BatchFailure?

    init(_ configuration: BatchConfiguration) {
        self.configuration = configuration
        let politeness = configuration.politeness
        queues = HostQueues(
            policies: politeness.policies(concurrency: configuration.concurrencyPerHost),
            isAdaptive: politeness.isAdaptive,
            breaker: politeness.breaker,
            groups: politeness.groups,
            addresses: configuration.connection.addressesByHost
        )
        notes = NoteBuffer(level: configuration.logger?.logLevel)
        queues.recordsBreakerChanges = notes.isRecording
        robots = RobotsRequests(obeysRobots: politeness.obeysRobots)
        budget = RetryBudget(
            share: configuration.retry.budgetShare,
            reserve: configuration.retry.budgetReserve
        )
    }

    // MARK: Input

    mutating func add(_ job: FetchJob) { add(job, at: job.waitingSince) }

    mutating func add(_ job: FetchJob, at now: MonotonicTime) {
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

    /// Records an output failure; the first one counts.
    mutating func failOutput(_ failure: BatchFailure) {
        outputFailure = outputFailure ?? failure
    }

    mutating func enqueue(_ job: FetchJob, isFirst: Bool = false, at now: MonotonicTime) {
        if job.isRobots { return robots.retry(job) }
        let host = job.place.hostKey
        if queues.isGivenUp(host: host, at: now) {
            return conclude(job, job.unavailable(since: queues.lastFailure(of: host)), at: now)
        }
        if let failure = robots.access(for: job.place, at: now).failure {
            return conclude(job, job.failed(failure), at: now)
        }
        queues.add(job, host: host, isFirst: isFirst)
        // A host that was idle has lost its crawl delay.
        if let delay = robots.crawlDelay(of: host, at: now) {
            queues.require(interval: capped(delay), host: host)
        }
    }

    private func capped(_ crawlDelay: Duration) -> Duration {
        min(crawlDelay, configuration.politeness.maximumCrawlDelay)
    }

    // MARK: Attempts

    /// Returns up to `count` jobs to start now.
    ///
    /// - Parameter behindUntil: When the next attempt may start, if the bandwidth limit is
    ///   exceeded.
    mutating func start(
        upTo count: Int,
        at now: MonotonicTime,
        behindUntil: MonotonicTime? = nil
    ) -> [FetchJob] {
        guard phase == .running else { return [] }
        // Done even if no job can start: otherwise an expired deadline would remain the next one.
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
                job.requestsWhole = false
                if job.attemptsAtSource > 1 { summary.progress.retries += 1 } else { budget.earn() }
            }
            job.isContinuing = false
            job.isProbe = !job.isRobots && queues.hasStartedProbe
            inFlight += 1
            if job.isRobots { robots.started() }
            job.keepsConnection =
                job.isRobots || job.isFollowed
                || queues.needsConnection(host: job.place.hostKey)
            notes.add(.trace) { .attemptStarted(url: job.target.url, attempt: job.attempts) }
            if job.segment == nil, let part = job.requestedPart {
                notes.add(.debug) { .resumingPartial(url: job.target.url, bytes: part.present) }
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
        if let job = robots.nextRetry() {
            queues.noteStart(host: job.place.hostKey, at: now)
            return job
        }
        while let job = queues.next(at: now) {
            let host = job.place.hostKey
            let access = robots.access(for: job.place, at: now)
            if let failure = access.failure {
                queues.finished(host: host, isProbe: queues.hasStartedProbe, at: now)
                conclude(job, job.failed(failure), at: now)
                continue
            }
            guard access == .unknown else { return job }
            // `robots.txt` is fetched first, and the other jobs of the host wait for it.
            queues.withdrawProbe(host: host, at: now)
            queues.add(job, host: host, isFirst: true)
            queues.block(host: host)
            return FetchJob(robotsFor: job, at: now)
        }
        return nil
    }

    /// Records the end of a request and the host's requested pause.
    mutating func release(
        _ job: FetchJob,
        feedback: HostFeedback = .neutral,
        failure: BatchFailure? = nil,
        pause: Duration? = nil,
        at now: MonotonicTime
    ) {
        assert(inFlight > 0, "an attempt ended that wasn't started")
        inFlight -= 1
        let host = job.place.hostKey
        let givenUp = queues.finished(
            host: host,
            feedback,
            failure,
            pause: pause,
            isProbe: job.isProbe,
            at: now
        )
        for job in givenUp { conclude(job, job.unavailable(since: failure), at: now) }
        notes.add(queues.takeBreakerChanges(), at: now)
        // Applies even if this URL isn't retried, because other URLs of the host are.
        guard let pause, phase == .running else { return }
        queues.hold(host: host, until: now.advanced(by: pause))
        notes.add(.info) { .hostPaused(host: host, delay: pause) }
    }

    /// Ends an attempt, and completes its job if it isn't retried.
    mutating func ended(_ attempt: EndedAttempt, at now: MonotonicTime) {
        let job = attempt.job
        if attempt.isReleased {
            segments.close()
        } else {
            let failure = attempt.result.failure
            release(
                job,
                feedback: attempt.feedback,
                failure: failure,
                pause: attempt.pause,
                at: now
            )
        }
        guard case .retry(let delay, let holdsHost) = attempt.decision else {
            return conclude(job, attempt.result, at: now)
        }
        // A job that would be retried isn't completed: a resumed run fetches it.
        guard phase == .running else { return finish(job, job.interrupted) }
        let host = job.place.hostKey
        if holdsHost, queues.isGivenUp(host: host, at: now) {
            let result = attempt.result.withoutRetry(FetchJob.pauseReason(of: host))
            return conclude(job, result, at: now)
        }
        // A delay that the server requested doesn't use the retry budget.
        guard holdsHost || budget.spend() else {
            let result = attempt.result.withoutRetry("the retry budget is used up")
            return conclude(job, result, at: now)
        }
        notes.add(.debug) {
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

    /// Queues `next`, which follows a redirect or continues the same URL.
    ///
    /// - Parameter isReleased: Whether all its requests have ended already, as those for pieces
    ///   have.
    mutating func redirected(
        _ job: FetchJob,
        to next: FetchJob,
        feedback: HostFeedback,
        isReleased: Bool = false,
        at now: MonotonicTime
    ) {
        if isReleased {
            segments.close()
        } else {
            release(job, feedback: feedback, at: now)
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

    /// Ends the fetch of a host's `robots.txt`.
    mutating func endedRobots(
        _ job: FetchJob,
        _ answer: RobotsAnswer,
        decision: RetryDecision,
        at now: MonotonicTime
    ) {
        assert(inFlight > 0, "an attempt ended that wasn't started")
        inFlight -= 1
        robots.ended()
        guard phase == .running else { return }
        let host = job.place.hostKey
        var interval = Duration.zero
        switch (answer, decision) {
        case (.file(let file), _):
            robots.learn(file, of: host, at: now)
            interval = capped(file.crawlDelay ?? .zero)
            notes.add(.debug) { [interval] in .robotsRead(host: host, crawlDelay: interval) }
        case (.refused(let reason), _):
            robots.refuse(reason, of: host, at: now)
            notes.add(.info) { .robotsUnavailable(host: host, reason: reason) }
        case (.unavailable, .retry(let delay, let holdsHost)):
            // The host's minimum interval applies to `robots.txt` too.
            let opening = queues.nextStart(of: host).map { $0.nanoseconds(since: now) } ?? 0
            let delay = max(delay, .nanoseconds(opening))
            return retry(job, after: delay, holdsHost: holdsHost, at: now)
        case (.unavailable(let reason), .giveUp):
            robots.miss(reason, of: host, at: now)
            notes.add(.info) { .robotsUnavailable(host: host, reason: reason) }
        }
        // Disallowed jobs fail now instead of waiting for their turn.
        for job in queues.removeWaiting(host: host) { enqueue(job, at: now) }
        queues.unblock(host: host, interval: interval)
        queues.finished(host: host, isProbe: false, at: now)
    }

    // MARK: Results

    mutating func finish(_ job: FetchJob, _ result: BatchResult) {
        if let segment = job.segment {
            var outcome = AttemptOutcome()
            outcome.failure = result.failure.map { ($0, .permanent) }
            return segments.pieceEnded(segment.group, outcome)
        }
        heldBytes -= job.weight
        finish(result, host: job.source.hostKey)
    }

    private mutating func finish(_ result: BatchResult, host: String? = nil) {
        summary.add(result, host: host)
        notes.add(result.isFetched ? .trace : .debug) { .done(result) }
        results.append(result)
    }

    mutating func takeResults() -> [BatchResult] {
        let taken = results
        results = []
        return taken
    }

    // MARK: The end

    /// Stops starting attempts and drops queued jobs.
    mutating func stop() {
        countAtStop = isInputEnded ? progress.expected : nil
        phase = .stopping
        pausesAtStop.merge(queues.pauses) { max($0, $1) }
        // Queued pieces must end, so that their URL gets a result.
        for job in queues.removeAllWaiting() where job.segment != nil {
            finish(job, job.interrupted)
        }
        retries.removeAll()
        robots.dropRetries()
        spilledCount = 0
        gateDeadline = nil
    }
}
