internal import CurlURLSession
internal import DequeModule
internal import Foundation

/// A journal's state in memory, beyond its database. Jobs are identified by their numbers.
struct JournalState: Sendable {
    /// Jobs to start, in order. It may contain jobs that were removed meanwhile.
    var waiting = Deque<Int>()
    private(set) var active: [Int: JournalTransfer] = [:]
    /// Jobs that wait for their next attempt.
    var delayed: Set<Int> = []
    /// Jobs that were added or restored, and haven't completed.
    var known: Set<Int> = []
    private var attached: [Int: Attached] = [:]
    var waiters: [Int: [CheckedContinuation<TransferJob, any Error>]] = [:]
    /// Whether a loop is starting jobs.
    var isStarting = false
    /// Requests that hold more than what is stored. Their jobs haven't completed or may be resumed.
    var requests: [Int: URLRequest] = [:]
    /// How many attempts of a job have failed in a row without progress.
    var failuresWithoutProgress: [Int: Int] = [:]
    /// The largest number of bytes of a download that were durable so far.
    var mostBytes: [Int: Int64] = [:]
    /// How many completions are being delivered.
    private var deliveriesInFlight = 0
    /// Whether jobs were added, restored or completed since `finishHandler` was called.
    var hasEvents = false
    var finishHandler: TransferJournal.FinishHandler?
    var finishWaiters: [CheckedContinuation<Void, Never>] = []
    var isClosed = false
    /// Jobs whose records couldn't be read.
    var damaged: [DamagedJob]
    /// Completed jobs whose completion was delivered but couldn't be recorded. Until they are
    /// resumed, these values apply.
    var unrecorded: [Int: TransferJob] = [:]
    /// The errors of jobs without handlers whose records couldn't be read.
    var unreadable: [Int: any Error] = [:]

    /// The handlers of a job's completion. Also the job itself, in case its record can't be read
    /// then.
    private struct Attached: Sendable {
        let job: TransferJob
        var handlers: [TransferJournal.CompletionHandler]
    }

    init(damaged: [DamagedJob]) {
        self.damaged = damaged
    }

    /// Registers a job that is to run. An earlier completion no longer counts.
    mutating func take(_ job: TransferJob, _ handler: TransferJournal.CompletionHandler?) {
        known.insert(job.sequence)
        hasEvents = true
        (unrecorded[job.sequence], unreadable[job.sequence]) = (nil, nil)
        if let handler { attach(handler, to: job) }
    }

    /// Adds a handler for a job's completion.
    mutating func attach(
        _ handler: @escaping TransferJournal.CompletionHandler,
        to job: TransferJob
    ) {
        attached[job.sequence, default: Attached(job: job, handlers: [])].handlers.append(handler)
    }

    /// A job as it was when its first handler was attached; `nil` if it has no handler.
    func attachedJob(_ sequence: Int) -> TransferJob? { attached[sequence]?.job }

    /// Whether anything waits for a job's completion.
    func isAwaited(_ sequence: Int) -> Bool {
        known.contains(sequence) || waiters[sequence] != nil || attached[sequence] != nil
    }

    /// Closes the journal: no handler is called from now on. Returns the continuations that wait.
    mutating func close() -> (
        transfers: [JournalTransfer], waiters: [CheckedContinuation<TransferJob, any Error>]
    ) {
        defer {
            (active, delayed, known) = ([:], [], [])
            (attached, waiters, requests) = ([:], [:], [:])
            (unrecorded, unreadable) = ([:], [:])
        }
        isClosed = true
        return (Array(active.values), waiters.values.flatMap { $0 })
    }

    var isIdle: Bool { known.isEmpty && deliveriesInFlight == 0 }

    /// Who gets a job's completion.
    struct Audience: Sendable {
        let handlers: [TransferJournal.CompletionHandler]
        let waiters: [CheckedContinuation<TransferJob, any Error>]
    }

    /// Records that a job's transfer begins.
    mutating func begin(_ transfer: JournalTransfer) {
        assert(active[transfer.sequence] == nil, "a job has two transfers")
        active[transfer.sequence] = transfer
    }

    /// Records that a job waits for its next attempt.
    mutating func delay(_ sequence: Int) {
        active[sequence] = nil
        delayed.insert(sequence)
    }

    /// Removes a job from the state, and returns who gets its completion. ``endDelivery()`` follows.
    ///
    /// - Parameter keepsRequest: Whether the job may be resumed in this process.
    mutating func takeAudience(_ sequence: Int, keepsRequest: Bool = false) -> Audience {
        active[sequence] = nil
        delayed.remove(sequence)
        known.remove(sequence)
        if !keepsRequest { requests[sequence] = nil }
        (failuresWithoutProgress[sequence], mostBytes[sequence]) = (nil, nil)
        hasEvents = true
        deliveriesInFlight += 1
        return Audience(
            handlers: attached.removeValue(forKey: sequence)?.handlers ?? [],
            waiters: waiters.removeValue(forKey: sequence) ?? []
        )
    }

    /// Records that a completion was delivered.
    mutating func endDelivery() {
        assert(deliveriesInFlight > 0, "a delivery ended that hadn't begun")
        deliveriesInFlight -= 1
    }

    /// Returns whom to notify, once, that no job is left.
    mutating func takeFinish() -> (
        handler: TransferJournal.FinishHandler?, waiters: [CheckedContinuation<Void, Never>]
    ) {
        guard isIdle || isClosed else { return (nil, []) }
        defer { (hasEvents, finishWaiters) = (false, []) }
        return (hasEvents && !isClosed ? finishHandler : nil, finishWaiters)
    }

    /// Counts a failed attempt. Returns whether it got a download further than any attempt before,
    /// and how many attempts have failed in a row since the last progress, including this one.
    mutating func noteFailedAttempt(of job: TransferJob) -> (hasMore: Bool, failures: Int) {
        let most = mostBytes[job.sequence] ?? 0
        let hasMore = job.kind == .download && job.bytes > most
        let failures = hasMore ? 1 : (failuresWithoutProgress[job.sequence] ?? 0) + 1
        mostBytes[job.sequence] = max(most, job.bytes)
        failuresWithoutProgress[job.sequence] = failures
        return (hasMore, failures)
    }

    /// Whether the caller may start the next jobs.
    var mayStart: Bool { !isStarting }

    /// The next job to start; `nil` if none is queued or the concurrency limit is reached.
    mutating func takeNext(limit: Int) -> Int? {
        guard !isClosed, active.count < max(1, limit) else { return nil }
        while let next = waiting.popFirst() {
            if known.contains(next), active[next] == nil { return next }
        }
        return nil
    }
}
