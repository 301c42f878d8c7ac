import Curl
import Synchronization

/// A body that is fetched in several pieces at once. The first piece is that of the request which a
/// URL has anyway; the others wait for their turns at the host as URLs do, so that its limits hold for
/// all of them. When all have ended the body is put together, or kept for another attempt.
final class SegmentGroup: Sendable {
    /// How the attempt of the URL itself has ended.
    struct MainEnd: Sendable {
        let job: FetchJob
        let outcome: AttemptOutcome
        let queued: Duration
    }

    private struct State {
        /// How many haven't ended, the first among them.
        var open: Int
        var main: MainEnd?
        var verifier: BodyVerifier?
        var failure: (reason: BatchFailure, cause: RetryCause)?
        var retryAfter: String?
        /// Bytes that others than the first have received.
        var transferredBytes: Int64 = 0
        /// Whether it isn't the body any more that it was.
        var isRefused = false
        /// Whether what is there is of no use.
        var isAbandoned = false
    }

    let claim: PartialClaim
    /// What was there when it began.
    let record: PartialRecord
    let pieces: [Range<Int64>]
    private let placement: FilePlacement
    private let begun = MonotonicTime.now
    private let state: Mutex<State>
    /// For the disk threads alone.
    private let opened = Mutex<PartialFile?>(nil)

    /// - Parameter pieces: The first is that of the request that is being answered.
    init(
        _ claim: PartialClaim,
        _ record: PartialRecord,
        _ pieces: [Range<Int64>],
        _ placement: FilePlacement
    ) {
        self.claim = claim
        self.record = record
        self.pieces = pieces
        self.placement = placement
        state = Mutex(State(open: pieces.count))
    }

    /// What fetches the pieces behind the first.
    func jobs(beside job: FetchJob) -> [FetchJob] {
        pieces.dropFirst().map { range in
            var job = job
            job.segment = Segment(range, of: self)
            job.partial = nil
            job.isContinuing = true
            job.waitingSince = begun
            return job
        }
    }

    // MARK: Disk threads

    /// The file of all pieces.
    func file() throws(FileError) -> PartialFile {
        try opened.withLock { opened throws(FileError) in
            if let opened { return opened }
            guard let file = try PartialFile(claim, record) else { throw .inUse(claim.path) }
            opened = file
            return file
        }
    }

    /// The first piece is there, and all of them are to be checked by `verifier`.
    func check(with verifier: BodyVerifier?) { state.withLock { $0.verifier = verifier } }

    /// What is there can't be used.
    func abandon() { state.withLock { $0.isAbandoned = true } }

    /// What the URL's attempt has come to with all its pieces, once all have ended.
    func settle() -> MainEnd? {
        let state = state.withLock { $0 }
        guard let main = state.main else { return nil }
        var job = main.job
        var outcome = main.outcome
        outcome.failure = outcome.failure ?? state.failure
        outcome.retryAfter = outcome.retryAfter ?? state.retryAfter
        outcome.transferredBytes += state.transferredBytes
        let elapsed = MonotonicTime.now.nanoseconds(since: begun)
        outcome.timings.total = (outcome.timings.firstByte ?? .zero) + .nanoseconds(elapsed)
        // Where nothing says why it was abandoned, the file couldn't be had.
        let isRefused = state.isAbandoned ? outcome.failure == nil : state.isRefused
        outcome.isPartRefused = outcome.isPartRefused || isRefused
        // Whatever went wrong, one piece after the other is the surer way.
        job.isInOnePiece = outcome.isPartRefused || outcome.failure != nil
        outcome.end = end(state, &outcome)
        return MainEnd(job: job, outcome: outcome, queued: main.queued)
    }

    private func end(_ state: State, _ outcome: inout AttemptOutcome) -> BodyEnd {
        let file = opened.withLock { $0.take() }
        let isOfNoUse = outcome.isPartRefused || state.isRefused || state.isAbandoned
        guard let file else {
            // Nothing has come, or another run writes it.
            guard isOfNoUse || record.ranges.count == 0 else { return .partial(claim) }
            claim.folder.discard(claim)
            return .dropped
        }
        guard !isOfNoUse else {
            PartialBody.discard(file)
            return .dropped
        }
        do throws(BatchFailure) {
            guard outcome.failure == nil, file.isWhole else {
                return try PartialBody.suspend(file)
            }
            let end = try PartialBody.commit(file, checking: state.verifier, placement)
            outcome.bytes = record.length
            outcome.digests = state.verifier?.finish().digests ?? [:]
            if case .mismatched(let reason) = end { outcome.failure = (reason, .mismatch) }
            return end
        } catch {
            outcome.failure = (error, .permanent)
            return .failed(error)
        }
    }

    // MARK: Any thread

    /// The URL's own attempt has ended. Returns whether that was the last.
    func mainEnded(_ main: MainEnd) -> Bool {
        state.withLock { state in
            state.main = main
            state.open -= 1
            return state.open == 0
        }
    }

    /// One of the others has ended, or won't begin. Returns whether that was the last.
    func pieceEnded(_ outcome: AttemptOutcome) -> Bool {
        state.withLock { state in
            state.isRefused = state.isRefused || outcome.isPartRefused
            state.failure = state.failure ?? outcome.failure
            state.retryAfter = state.retryAfter ?? outcome.retryAfter
            state.transferredBytes += outcome.transferredBytes
            state.open -= 1
            return state.open == 0
        }
    }
}
