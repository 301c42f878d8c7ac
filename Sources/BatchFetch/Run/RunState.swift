import Curl

/// All that changes in a run, under one lock, and the decisions about it. Pure: what has to be done
/// is returned, and the time comes as an argument.
struct RunState: Sendable {
    private enum Phase: Sendable {
        case running
        /// Nothing is started any more; what runs may end.
        case stopping
    }

    /// Content beyond this waits in the list until some of it has been sent.
    private static let maximumHeldBytes = 64 * 1024 * 1024

    private let configuration: BatchConfiguration
    private var phase = Phase.running
    private var queues: HostQueues<FetchJob>
    private var retries = TimedHeap<FetchJob>()
    private var inFlight = 0
    /// Bytes of content that requests are to send, of all that wait or are in flight.
    private var heldBytes = 0
    private var isInputEnded = false
    private(set) var summary = BatchSummary()
    /// Results that nobody has taken yet.
    private var results: [BatchResult] = []
    /// Why the input ended early.
    private(set) var inputFailure: BatchFailure?
    /// What went wrong when the output was closed.
    private(set) var outputFailure: BatchFailure?

    init(_ configuration: BatchConfiguration) {
        self.configuration = configuration
        queues = HostQueues(limitPerHost: configuration.concurrencyPerHost)
    }

    private var waitingCount: Int { queues.waitingCount + retries.count }
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
        isInputEnded && inFlight == 0 && waitingCount == 0
    }

    var isStopping: Bool { phase == .stopping }

    /// When something waits for a moment and not for an event: that moment.
    var nextDeadline: MonotonicTime? {
        switch (retries.nextTime, queues.nextHoldEnd) {
        case (let retry?, let hold?): min(retry, hold)
        case (let retry, let hold): retry ?? hold
        }
    }

    var progress: BatchProgress {
        var progress = summary.progress
        progress.inFlight = inFlight
        progress.waiting = waitingCount
        return progress
    }

    // MARK: Input

    mutating func add(_ job: FetchJob) {
        guard phase == .running else { return }
        heldBytes += job.target.details?.weight ?? 0
        let isFirst = job.target.details.map { $0.request.priority > 0 } ?? false
        queues.add(job, host: job.target.hostKey, isFirst: isFirst)
    }

    mutating func addDone(_ result: BatchResult) {
        guard phase == .running else { return }
        finish(result)
    }

    mutating func endInput(_ failure: BatchFailure?) {
        isInputEnded = true
        inputFailure = failure
    }

    mutating func skipDuplicates(_ count: Int) { summary.progress.duplicates += count }

    mutating func failOutput(_ failure: BatchFailure) { outputFailure = failure }

    // MARK: Attempts

    /// Up to `count` jobs that are to be started now.
    mutating func start(upTo count: Int, at now: MonotonicTime) -> [FetchJob] {
        guard phase == .running else { return [] }
        // Also where nothing can be started: what is due must not stay the next deadline.
        queues.endHolds(at: now)
        while let job = retries.popDue(at: now) {
            queues.add(job, host: job.target.hostKey, isFirst: true)
        }
        let room = min(
            count,
            configuration.concurrency - inFlight,
            resultLimit - results.count
        )
        guard room > 0, queues.waitingCount > 0 else { return [] }
        var jobs: [FetchJob] = []
        jobs.reserveCapacity(min(room, queues.waitingCount))
        while jobs.count < room, var job = queues.next(at: now) {
            job.attempts += 1
            if job.attempts > 1 { summary.progress.retries += 1 }
            inFlight += 1
            jobs.append(job)
        }
        return jobs
    }

    /// An attempt has ended, and the job with it unless `decision` says otherwise.
    mutating func ended(
        _ job: FetchJob,
        decision: RetryDecision,
        result: BatchResult,
        at now: MonotonicTime
    ) {
        inFlight -= 1
        queues.finished(host: job.target.hostKey)
        guard phase == .running, case .retry(let delay, let holdsHost) = decision else {
            heldBytes -= job.target.details?.weight ?? 0
            return finish(result)
        }
        let due = now.advanced(by: delay)
        var job = job
        job.waitingSince = due
        retries.insert(job, at: due)
        if holdsHost { queues.hold(host: job.target.hostKey, until: due) }
    }

    // MARK: Results

    private mutating func finish(_ result: BatchResult) {
        summary.add(result)
        results.append(result)
    }

    mutating func takeResults() -> [BatchResult] {
        let taken = results
        results = []
        return taken
    }

    // MARK: The end

    /// Starts nothing any more, and forgets what waits.
    mutating func stop() {
        phase = .stopping
        _ = queues.removeAllWaiting()
        retries.removeAll()
    }
}
