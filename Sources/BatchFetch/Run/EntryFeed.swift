import Posix

/// Numbers lines, and passes them to the run in batches.
struct EntryFeed: LineReceiver {
    private static let portion = 128
    /// The batch size for lines that are only counted.
    private static let longPortion = 8192

    private let core: RunCore
    private let options: BatchInput.Options
    private var entries: [InputEntry] = []
    private var ordinal = 0
    /// The URLs completed by an earlier run, since the last flush.
    private var skipped = 0
    private let hash = KeyedHash()
    private var seen = SeenSet()
    /// The ordinals of the first requests by their hashes, if duplicates have results.
    private var firstOrdinals: [UInt64: Int] = [:]
    /// The answered requests of an endless list with a journal.
    private var answered: AnsweredRequests?
    private var duplicates = 0
    private var skippedEntries = 0
    /// Set if a malformed line has ended a strict run.
    private(set) var failure: BatchFailure?
    /// When the run had no room for the first time.
    private var firstWait: MonotonicTime?
    /// The queue on disk, once a few hosts fill the run's queue.
    private var frontier: FrontierFeeder?
    /// Whether that queue can't be used. Then reading waits for room in the run's queue.
    private var hasNoFrontier = false
    /// Why jobs on disk are lost, if so.
    private var frontierFailure: BatchFailure?

    init(_ core: RunCore, _ options: BatchInput.Options) {
        self.core = core
        self.options = options
        answered = core.answered
        entries.reserveCapacity(Self.portion)
    }

    /// Adds a line; false if the run is ending.
    mutating func add(_ line: InputLine) -> Bool {
        ordinal += 1
        let isDone = core.isDone(ordinal)
        // A completed URL must still be remembered if later duplicates of it are possible.
        if isDone, options.deduplication == .off { return skip() }
        var entry = InputEntry(line, ordinal: ordinal, at: MonotonicTime.now)
        if answered != nil { entry.addKey() }
        guard options.shard?.contains(entry) != false else { return skipEntry() }
        if options.reportsDuplicates {
            if let result = duplicateResult(of: entry) {
                return isDone || isAnswered(entry) ? skip() : append(.done(result))
            }
        } else if isDuplicate(entry) {
            return skipEntry()
        }
        if isDone || isAnswered(entry) { return skip() }
        var wasSlow = false
        switch entry {
        case .job(let job):
            if core.wasFetchedEarlier(job) { return skip() }
            guard let known = known(job) else { break }
            entry = known
            // The file was read to verify it, which may have taken long.
            if case .done = known {
                wasSlow = job.target.details?.request.digests.isEmpty == false
            }
        case .done(let result):
            guard options.isStrict else { break }
            failure = Self.strictFailure(result)
        }
        entries.append(entry)
        guard failure == nil else {
            _ = flush()
            return false
        }
        // After slow work the batch is passed on without waiting for more lines.
        return entries.count < Self.portion && !wasSlow || flush()
    }

    /// Whether an earlier run has answered this request of an endless list; takes that answer.
    private mutating func isAnswered(_ entry: InputEntry) -> Bool {
        guard answered != nil, let key = entry.key else { return false }
        return answered?.take(key) ?? false
    }

    private mutating func append(_ entry: InputEntry) -> Bool {
        entries.append(entry)
        return entries.count < Self.portion || flush()
    }

    /// The job with data of earlier runs, or its early result. `nil` if there is neither.
    private func known(_ job: FetchJob) -> InputEntry? {
        guard let restored = core.addingEarlierState(job) else {
            return core.earlyResult(for: job).map(InputEntry.done)
        }
        return core.earlyResult(for: restored).map(InputEntry.done) ?? .job(restored)
    }

    /// Counts the next record without parsing it, if it is completed.
    ///
    /// For a record with one URL, which an earlier run has completed.
    mutating func skipIfCompleted(_ record: InputRecord) -> SkipResult {
        guard core.isDone(ordinal + 1) else { return .notCompleted }
        if options.deduplication != .off {
            guard options.shard == nil, !options.reportsDuplicates,
                case .line(.text(let text)) = record.content,
                URLNormalisation.isNormal(text.utf8.span)
            else { return .notCompleted }
            // The text of a URL in normal form is the key, and no other URL has this key.
            guard seen.insert(hash.hash(text.utf8.span)) else {
                ordinal += 1
                duplicates += 1
                return skipEntry() ? .skipped : .stop
            }
        }
        ordinal += 1
        return skip() ? .skipped : .stop
    }

    private mutating func skipEntry() -> Bool {
        skippedEntries += 1
        // Flushing shows whether the run is ending, also if no line of the list is taken.
        return skippedEntries.isMultiple(of: Self.portion) ? flush() : true
    }

    private mutating func skip() -> Bool {
        skipped += 1
        return skipped < Self.longPortion || flush()
    }

    /// The result of a duplicate; `nil` for the first request with its key.
    private mutating func duplicateResult(of entry: InputEntry) -> BatchResult? {
        guard options.deduplication != .off, case .job(let job) = entry else { return nil }
        let key = hash.hash(options.deduplication.key(of: job.target))
        guard let first = firstOrdinals[key] else {
            firstOrdinals[key] = job.ordinal
            return nil
        }
        var result = BatchResult(url: job.target.url, line: job.line, ordinal: job.ordinal)
        result.tag = job.target.details?.request.tag
        result.duplicateOf = first
        result.requestKey = job.key
        return result
    }

    private mutating func isDuplicate(_ entry: InputEntry) -> Bool {
        guard options.deduplication != .off, case .job(let job) = entry else { return false }
        let key = options.deduplication.key(of: job.target)
        if seen.insert(hash.hash(key)) { return false }
        duplicates += 1
        return true
    }

    /// Passes the collected lines on and waits for room. Returns false if the run is ending.
    mutating func flush() -> Bool {
        if duplicates > 0 { core.skipDuplicates(duplicates) }
        duplicates = 0
        guard !entries.isEmpty || skipped > 0 else { return !core.isStopping }
        let jobs = frontier == nil ? [] : takeJobs()
        let hasRoom = core.offer(entries, skipped: skipped)
        skipped = 0
        entries.removeAll(keepingCapacity: true)
        guard frontierFailure == nil, spill(jobs) else { return false }
        return hasRoom ? !core.isStopping : waitForRoom()
    }

    /// Whether the run is ending, or an error has ended the reading.
    var isStopping: Bool { core.isStopping || failure != nil || frontierFailure != nil }

    func wait(forReadable file: borrowing FileDescriptor) -> Bool {
        if core.reader.wait(orReadable: file) { return true }
        core.reader.clear()
        return false
    }

    func noteRead(_ count: Int64, of size: Int64) { core.noteRead(count, of: size) }

    func noteIgnored(_ name: String) {
        if core.inputWarnings.note(name) { core.log?.add(.ignored(name)) }
    }

    private mutating func waitForRoom() -> Bool {
        let now = MonotonicTime.now
        let first = firstWait ?? now
        firstWait = first
        let mayBegin = frontier == nil && !hasNoFrontier
        let earliest = mayBegin ? first.advanced(by: RunState.starvationDelay) : nil
        switch core.waitForRoom(starvingFrom: earliest) {
        case .room: return true
        case .ending: return false
        case .starving: return beginFrontier()
        }
    }

    // MARK: Queue on disk

    private mutating func beginFrontier() -> Bool {
        do throws(BatchFailure) {
            let feeder = try FrontierFeeder(core)
            frontier = feeder
            guard let failure = feeder.writeFailure else { return true }
            return continueWithoutFrontier(failure)
        } catch {
            return continueWithoutFrontier(error)
        }
    }

    /// Passes all jobs of the queue on disk to the run. From then on no other is used.
    ///
    /// Blocks until the hosts have had room for these jobs. Returns false if the run is ending.
    private mutating func continueWithoutFrontier(_ failure: BatchFailure) -> Bool {
        core.warn(ofUnwritableFrontier: failure)
        hasNoFrontier = true
        frontierFailure = frontier?.finish()
        frontier = nil
        core.endFrontier()
        return frontierFailure == nil && !core.isStopping
    }

    /// Removes and returns the entries that are jobs.
    private mutating func takeJobs() -> [FetchJob] {
        var jobs: [FetchJob] = []
        entries.removeAll { entry in
            guard case .job(let job) = entry else { return false }
            jobs.append(job)
            return true
        }
        return jobs
    }

    /// Returns false if the run is ending.
    private mutating func spill(_ jobs: [FetchJob]) -> Bool {
        guard let frontier, !jobs.isEmpty else { return true }
        frontier.append(jobs)
        guard let failure = frontier.writeFailure else { return true }
        return continueWithoutFrontier(failure)
    }

    /// Blocks until the run has all jobs from disk or is ending. Returns the error, if any.
    mutating func finish() -> BatchFailure? {
        let late = frontier?.finish()
        frontier = nil
        return frontierFailure ?? late
    }

    private static func strictFailure(_ result: BatchResult) -> BatchFailure {
        let reason = result.failure?.message ?? "it is malformed"
        return BatchFailure(
            .input,
            "line \(result.line) is malformed, which ends a strict run: \(reason)"
        )
    }
}

/// A line of the input: a job, or an immediate result.
enum InputEntry {
    case job(FetchJob)
    case done(BatchResult)

    /// The position in the whole input, from 1.
    var ordinal: Int {
        switch self {
        case .job(let job): job.ordinal
        case .done(let result): result.ordinal
        }
    }

    /// The key that a journal of an endless list records; `nil` without such a journal.
    var key: UInt64? {
        switch self {
        case .job(let job): job.key
        case .done(let result): result.requestKey
        }
    }

    /// Adds the key for a journal of an endless list.
    mutating func addKey() {
        switch self {
        case .job(var job):
            job.key = RequestKey.key(of: job.target)
            self = .job(job)
        case .done(var result):
            result.requestKey = RequestKey.key(ofLine: result.url)
            self = .done(result)
        }
    }

    init(_ line: InputLine, ordinal: Int? = nil, at now: MonotonicTime) {
        let ordinal = ordinal ?? line.number
        let place = line.source.map { "\($0): " } ?? ""
        func failure(_ url: String, _ reason: BatchFailure) -> InputEntry {
            var result = BatchResult(url: url, line: line.number, ordinal: ordinal)
            result.failure = BatchFailure(reason.code, place + reason.message)
            return .done(result)
        }
        func job(_ url: String, _ target: () throws(BatchFailure) -> FetchTarget) -> InputEntry {
            do throws(BatchFailure) {
                return .job(
                    FetchJob(
                        target: try target(),
                        line: line.number,
                        ordinal: ordinal,
                        waitingSince: now
                    )
                )
            } catch {
                return failure(url, error)
            }
        }
        self =
            switch line.content {
            case .text(let text):
                job(text) { () throws(BatchFailure) in try FetchTarget(text) }
            case .request(let request):
                job(request.url) { () throws(BatchFailure) in
                    try request.checkMirrors()
                    return try FetchTarget(request)
                }
            case .malformed(let beginning, let reason):
                failure(beginning, reason)
            case .tooLong(let beginning):
                failure(
                    beginning + "…",
                    BatchFailure(
                        .lineTooLong,
                        "line \(line.number) is too long: the limit is 16 KiB for a URL, and "
                            + "1 MiB for a line of JSONL (use body_file for a large body)"
                    )
                )
            case .notUTF8(let repaired):
                failure(
                    repaired,
                    BatchFailure(.invalidURL, "line \(line.number) is not UTF-8")
                )
            }
    }
}

extension InputShard {
    /// Whether an entry belongs to this part.
    ///
    /// A malformed entry, which has no host, is assigned by its ordinal.
    func contains(_ entry: InputEntry) -> Bool {
        let number =
            switch entry {
            case .job(let job): StableHash.hash(job.target.host.utf8)
            case .done(let result): StableHash.mixed(UInt64(result.ordinal))
            }
        return Int(number % UInt64(count)) == index
    }
}
