import CurlResilience
import Posix
import Synchronization

/// A body that is fetched in several concurrent pieces.
///
/// The URL's own request fetches the first piece. The others are queued at the host like URLs, so
/// that the host's limits apply to all of them. When all have ended, the body is completed, or kept
/// for another attempt.
final class SegmentGroup: Sendable {
    /// The end of the URL's own attempt.
    struct MainEnd: Sendable {
        let job: FetchJob
        let outcome: AttemptOutcome
        let queued: Duration
    }

    private struct State {
        /// The number of unfinished pieces, including the first.
        var open: Int
        var main: MainEnd?
        var failure: (reason: BatchFailure, cause: RetryCause)?
        var retryAfter: String?
        /// Bytes that the pieces other than the first have received.
        var transferredBytes: Int64 = 0
        /// Whether a piece was refused, for example because the body has changed.
        var isRefused = false
    }

    /// The file of all pieces.
    let file: SegmentedFile
    private let startTime = MonotonicTime.now
    private let state: Mutex<State>

    init(_ file: SegmentedFile) {
        self.file = file
        state = Mutex(State(open: file.pieces.count))
    }

    /// The jobs that fetch all pieces except the first.
    func jobs(beside job: FetchJob) -> [FetchJob] {
        file.pieces.dropFirst().map { range in
            var job = job
            job.segment = Segment(range, of: self)
            job.partial = nil
            job.isContinuing = true
            job.waitingSince = startTime
            return job
        }
    }

    // MARK: Disk threads

    /// The combined outcome of the pieces, once all have ended.
    func settle() -> MainEnd? {
        let state = state.withLock { $0 }
        guard let main = state.main else { return nil }
        var job = main.job
        var outcome = main.outcome
        outcome.failure = outcome.failure ?? state.failure
        outcome.retryAfter = outcome.retryAfter ?? state.retryAfter
        outcome.transferredBytes += state.transferredBytes
        let elapsed = MonotonicTime.now.nanoseconds(since: startTime)
        outcome.timings.total = (outcome.timings.firstByte ?? .zero) + .nanoseconds(elapsed)
        // Abandoned without a failure means that the file couldn't be opened.
        let isRefused = file.isAbandoned ? outcome.failure == nil : state.isRefused
        outcome.isPartRefused = outcome.isPartRefused || isRefused
        // After any error the next attempt fetches the body in one piece, which is more reliable.
        job.isInOnePiece = outcome.isPartRefused || outcome.failure != nil
        outcome.end = end(state, &outcome)
        return MainEnd(job: job, outcome: outcome, queued: main.queued)
    }

    private func end(_ state: State, _ outcome: inout AttemptOutcome) -> BodyEnd {
        do throws(BatchFailure) {
            let (end, digests) = try file.close(
                isRefused: outcome.isPartRefused || state.isRefused,
                hasFailed: outcome.failure != nil
            )
            guard let digests else { return end }
            outcome.bytes = file.record.length
            outcome.digests = digests
            if case .mismatched(let reason) = end { outcome.failure = (reason, .mismatch) }
            return end
        } catch {
            outcome.failure = (error, .permanent)
            return .failed(error)
        }
    }

    // MARK: Any thread

    /// Records the end of the URL's own attempt; returns whether it was the last piece.
    func mainEnded(_ main: MainEnd) -> Bool {
        state.withLock { state in
            state.main = main
            assert(state.open > 0, "more pieces ended than there are")
            state.open -= 1
            return state.open == 0
        }
    }

    /// Records the end of another piece, or that it won't start; returns whether it was the last.
    func pieceEnded(_ outcome: AttemptOutcome) -> Bool {
        state.withLock { state in
            state.isRefused = state.isRefused || outcome.isPartRefused
            state.failure = state.failure ?? outcome.failure
            state.retryAfter = state.retryAfter ?? outcome.retryAfter
            state.transferredBytes += outcome.transferredBytes
            assert(state.open > 0, "more pieces ended than there are")
            state.open -= 1
            return state.open == 0
        }
    }
}

/// A piece of a body, fetched concurrently by its own request.
final class Segment: Sendable {
    let group: SegmentGroup
    let range: Range<Int64>

    init(_ range: Range<Int64>, of group: SegmentGroup) {
        self.range = range
        self.group = group
    }

    /// The requested part. A response with the complete body is refused: another request fetches
    /// that.
    var part: RequestedPart {
        var part = group.file.record.part(range)
        part.acceptsWhole = false
        return part
    }
}

/// Divides the missing ranges of a body among several requests. Pure.
enum SegmentPlan {
    /// The shortest body that is fetched in several pieces: 32 MiB.
    static let shortestBody: Int64 = 32 << 20
    /// The shortest piece that is worth its own request: 8 MiB.
    static let shortestPiece: Int64 = 8 << 20

    /// Splits `gaps` into up to `count` pieces of similar length, in order.
    ///
    /// If there are more gaps than `count`, the last ones are left for later.
    static func pieces(of gaps: [Range<Int64>], upTo count: Int) -> [Range<Int64>] {
        let missing = gaps.reduce(0) { $0 + Int64($1.count) }
        let wanted = max(1, min(Int64(count), missing / shortestPiece))
        let length = max(1, (missing - 1) / wanted + 1)
        let all = gaps.flatMap { gap in
            // A gap that is at most half a piece too long isn't split.
            let rest = Int64(gap.count) % length
            let pieces = max(1, Int64(gap.count) / length + (rest > length / 2 ? 1 : 0))
            let size = (Int64(gap.count) - 1) / pieces + 1
            return (0..<pieces).map { number in
                let start = gap.lowerBound + number * size
                return start..<(start + min(size, gap.upperBound - start))
            }
        }
        return Array(all.prefix(count))
    }
}
