internal import CurlURLSession
internal import Foundation

/// What a journal knows beside what is written down. Jobs go by their numbers.
struct JournalState: Sendable {
    /// What is to be begun, in order. Jobs that were removed meanwhile are among them.
    var waiting = WorkQueue<Int>()
    var active: [Int: JournalTransfer] = [:]
    /// Those that wait for another attempt.
    var delayed: Set<Int> = []
    /// Those that were added or restored, and aren't over.
    var known: Set<Int> = []
    private var attached: [Int: Attached] = [:]
    var waiters: [Int: [CheckedContinuation<TransferJob, any Error>]] = [:]
    /// Jobs are being begun.
    var isStarting = false
    /// Requests with something in them that isn't stored: of jobs that aren't over, or may go on.
    var requests: [Int: URLRequest] = [:]
    /// How many attempts have brought nothing, one after another.
    var vainAttempts: [Int: Int] = [:]
    /// How many bytes of a download have been on the disk for certain, at most.
    var mostBytes: [Int: Int64] = [:]
    /// Completions that are being told.
    var telling = 0
    /// Something has happened since it was told that nothing is left to do.
    var hasEvents = false
    var finishHandler: TransferJournal.FinishHandler?
    var finishWaiters: [CheckedContinuation<Void, Never>] = []
    var isClosed = false
    /// Whose records couldn't be read.
    var damaged: [DamagedJob]
    /// Ends that were told and couldn't be written down: until the jobs go on, that is what they are.
    var unrecorded: [Int: TransferJob] = [:]
    /// Why jobs couldn't be begun of which nothing else is known.
    var unreadable: [Int: any Error] = [:]

    /// Who is told of a job's end by a call, and the job, should its record not be readable then.
    private struct Attached: Sendable {
        let job: TransferJob
        var handlers: [TransferJournal.CompletionHandler]
    }

    init(damaged: [DamagedJob]) {
        self.damaged = damaged
    }

    /// A job is to be done from now on. Should it have been told of before, that counts no longer.
    mutating func take(_ job: TransferJob, _ handler: TransferJournal.CompletionHandler?) {
        known.insert(job.sequence)
        hasEvents = true
        (unrecorded[job.sequence], unreadable[job.sequence]) = (nil, nil)
        if let handler { attach(handler, to: job) }
    }

    /// Has one more told of a job's end.
    mutating func attach(
        _ handler: @escaping TransferJournal.CompletionHandler,
        to job: TransferJob
    ) {
        attached[job.sequence, default: Attached(job: job, handlers: [])].handlers.append(handler)
    }

    /// A job as it was when somebody wanted to be told of its end; `nil` where nobody does.
    func attachedJob(_ sequence: Int) -> TransferJob? { attached[sequence]?.job }

    /// Whether anybody is to be told of a job's end.
    func isAwaited(_ sequence: Int) -> Bool {
        known.contains(sequence) || waiters[sequence] != nil || attached[sequence] != nil
    }

    /// The journal is closed: nobody is told of anything. Who waits is handed over.
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

    var isIdle: Bool { known.isEmpty && telling == 0 }

    /// Who is told of a job's end, and is forgotten here with all else about it.
    struct Audience: Sendable {
        let handlers: [TransferJournal.CompletionHandler]
        let waiters: [CheckedContinuation<TransferJob, any Error>]
    }

    /// - Parameter keepsRequest: Whether the job may go on in this process.
    mutating func takeAudience(_ sequence: Int, keepsRequest: Bool = false) -> Audience {
        active[sequence] = nil
        delayed.remove(sequence)
        known.remove(sequence)
        if !keepsRequest { requests[sequence] = nil }
        (vainAttempts[sequence], mostBytes[sequence]) = (nil, nil)
        hasEvents = true
        telling += 1
        return Audience(
            handlers: attached.removeValue(forKey: sequence)?.handlers ?? [],
            waiters: waiters.removeValue(forKey: sequence) ?? []
        )
    }

    /// Who is told that nothing is left to do, if that is so and wasn't told yet.
    mutating func takeFinish() -> (
        handler: TransferJournal.FinishHandler?, waiters: [CheckedContinuation<Void, Never>]
    ) {
        guard isIdle || isClosed else { return (nil, []) }
        defer { (hasEvents, finishWaiters) = (false, []) }
        return (hasEvents && !isClosed ? finishHandler : nil, finishWaiters)
    }

    /// Notes that an attempt has failed. Whether it has brought a download further than any before, and how
    /// many attempts haven't, one after another.
    mutating func noteVainAttempt(of job: TransferJob) -> (hasMore: Bool, vain: Int) {
        let most = mostBytes[job.sequence] ?? 0
        let hasMore = job.kind == .download && job.bytes > most
        let vain = hasMore ? 1 : (vainAttempts[job.sequence] ?? 0) + 1
        mostBytes[job.sequence] = max(most, job.bytes)
        vainAttempts[job.sequence] = vain
        return (hasMore, vain)
    }

    /// Whether the next jobs may be begun by whoever asks.
    var mayStart: Bool { !isStarting }

    /// The next job to begin; `nil` where there is none, or enough are under way.
    mutating func takeNext(limit: Int) -> Int? {
        guard !isClosed, active.count < max(1, limit) else { return nil }
        while let next = waiting.popFirst() {
            if known.contains(next), active[next] == nil { return next }
        }
        return nil
    }
}
