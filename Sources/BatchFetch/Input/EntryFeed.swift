import Curl

/// Numbers what was read, and hands it to the run in portions, as there is room.
struct EntryFeed {
    private static let portion = 128
    /// Of what needs no more than counting.
    private static let longPortion = 8192

    private let core: RunCore
    private let options: BatchInput.Options
    private var entries: [InputEntry] = []
    private var ordinal = 0
    /// What an earlier run had done with, since the last time.
    private var skipped = 0
    private let hash = KeyedHash()
    private var seen = SeenSet()
    private var duplicates = 0
    private var passedOver = 0
    /// Set where the first malformed line ends the run.
    private(set) var failure: BatchFailure?
    /// When there was no room for the first time.
    private var firstWait: MonotonicTime?
    /// Where jobs go once few hosts fill the room of all others; why they can't, if so.
    private var frontier: FrontierFeeder?
    private var frontierFailure: BatchFailure?

    init(_ core: RunCore, _ options: BatchInput.Options) {
        self.core = core
        self.options = options
        entries.reserveCapacity(Self.portion)
    }

    /// Takes a line; false if the run is ending.
    mutating func add(_ line: InputLine) -> Bool {
        ordinal += 1
        let isDone = core.isDone(ordinal)
        // What is done must still be known where another like it follows.
        if isDone, options.deduplication == .off { return skip() }
        var entry = InputEntry(line, ordinal: ordinal, at: MonotonicTime.now)
        guard options.shard?.contains(entry) != false, !isDuplicate(entry) else {
            return passOver()
        }
        if isDone { return skip() }
        var wasSlow = false
        switch entry {
        case .job(let job):
            if core.haveFetched(job) { return skip() }
            guard let known = known(job) else { break }
            entry = known
            // Its file has been read, to verify it.
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
        // What has taken long isn't kept waiting for others.
        return entries.count < Self.portion && !wasSlow || flush()
    }

    /// What becomes of a job by what was there before the run; `nil` where that is nothing.
    private func known(_ job: FetchJob) -> InputEntry? {
        guard let recalled = core.recalling(job) else {
            return core.earlyResult(for: job).map(InputEntry.done)
        }
        return core.earlyResult(for: recalled).map(InputEntry.done) ?? .job(recalled)
    }

    /// Counts what the next line asks for, which is one URL, without finding out what it is, where an
    /// earlier run had done with it; nil where it has to be taken by ``add(_:)``. False if the run is
    /// ending.
    mutating func skipDone(_ record: InputRecord) -> Bool? {
        guard core.isDone(ordinal + 1) else { return nil }
        if options.deduplication != .off {
            guard options.shard == nil, case .line(.text(let text)) = record.content,
                URLNormalisation.isNormal(text.utf8.span)
            else { return nil }
            // The key of a URL that is as it would be made, and of nothing else.
            guard seen.insert(hash.hash(text.utf8.span)) else {
                ordinal += 1
                duplicates += 1
                return passOver()
            }
        }
        ordinal += 1
        return skip()
    }

    private mutating func passOver() -> Bool {
        passedOver += 1
        // A list of which nothing is taken must be left when the run ends, too.
        return passedOver.isMultiple(of: Self.portion) ? flush() : true
    }

    private mutating func skip() -> Bool {
        skipped += 1
        return skipped < Self.longPortion || flush()
    }

    private mutating func isDuplicate(_ entry: InputEntry) -> Bool {
        guard options.deduplication != .off, case .job(let job) = entry else { return false }
        let key = options.deduplication.key(of: job.target)
        if seen.insert(hash.hash(key)) { return false }
        duplicates += 1
        return true
    }

    /// Hands on what has gathered, and waits for room; false if the run is ending.
    mutating func flush() -> Bool {
        if duplicates > 0 { core.skipDuplicates(duplicates) }
        duplicates = 0
        guard !entries.isEmpty || skipped > 0 else { return !core.isStopping }
        let jobs = frontier == nil ? [] : takeJobs()
        let hasRoom = core.offer(entries, skipped: skipped)
        skipped = 0
        entries.removeAll(keepingCapacity: true)
        guard frontierFailure == nil, park(jobs) else { return false }
        return hasRoom ? !core.isStopping : waitForRoom()
    }

    /// Whether nothing more is to be read.
    var isOver: Bool { failure != nil || frontierFailure != nil }

    private mutating func waitForRoom() -> Bool {
        let now = MonotonicTime.now
        let first = firstWait ?? now
        firstWait = first
        let earliest = frontier == nil ? first.advanced(by: RunState.patience) : nil
        switch core.waitForRoom(starvingFrom: earliest) {
        case .room: return true
        case .ending: return false
        case .starving: return beginFrontier()
        }
    }

    // MARK: What waits on the disk

    private mutating func beginFrontier() -> Bool {
        do throws(BatchFailure) {
            frontier = try FrontierFeeder(core)
            return true
        } catch {
            frontierFailure = error
            return false
        }
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

    /// False if nothing more can be kept.
    private mutating func park(_ jobs: [FetchJob]) -> Bool {
        guard let frontier, !jobs.isEmpty else { return true }
        do throws(BatchFailure) {
            try frontier.append(jobs)
            return true
        } catch {
            frontierFailure = error
            return false
        }
    }

    /// Returns when the run has been given all that waits on the disk, or is ending; why not all could be
    /// read, if so.
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
