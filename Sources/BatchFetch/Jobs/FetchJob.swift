import Posix

/// A URL, or a piece of its body, during a run.
struct FetchJob: NamedURL, Sendable {
    let target: FetchTarget
    let line: Int
    /// The position in the whole input, from 1, across all lists.
    var ordinal = 0
    /// The number of attempts started.
    var attempts = 0
    /// Whether a received body didn't match its checksum.
    var hasMismatched = false
    /// The earlier response, if the request can be made conditional.
    var earlier: EarlierResponse?
    /// The claim to an incomplete body from an earlier attempt or run.
    var partial: PartialClaim?
    /// The piece to fetch, for a job that fetches a piece.
    var segment: Segment?
    /// Whether this attempt requests the whole body although a part exists.
    ///
    /// The part is kept until the whole body has arrived.
    var requestsWhole = false
    /// Whether the body must not be fetched in several concurrent pieces.
    var isInOnePiece = false
    /// Whether its host gets no other request before this one is answered.
    var isProbe = false
    /// Whether a reused connection ended without an answer in this attempt.
    var wasUnanswered = false
    /// The time since which the job is queued.
    var waitingSince: MonotonicTime
    /// Whether the job fetches a host's `robots.txt`, not a listed URL.
    var isRobots = false
    /// The redirect that the job follows; `nil` before the first.
    var redirects: RedirectChain?
    /// Whether the next request continues the attempt, as after a redirect.
    var isContinuing = false
    /// Whether the connection stays open after the attempt.
    var keepsConnection = true
    /// Whether the source of work has further URLs of the host, which come later.
    var isFollowed = false
    /// The result of the last attempt while a retry is pending.
    var lastResult: LastResult?
    /// The mirror that the job uses; `nil` for the URL itself.
    var mirror: JobMirror?
    /// The key of the request, if a journal of an endless list needs it.
    var key: UInt64?
}

/// The result of a job's last attempt.
///
/// It is a separate object because most jobs have none and thousands of jobs are queued.
final class LastResult: Sendable {
    let result: BatchResult

    init(_ result: BatchResult) {
        self.result = result
    }
}

extension FetchJob {
    /// The target of the next request.
    var place: FetchTarget { redirects?.target ?? source }

    /// The job as it continues the same attempt.
    var continuing: FetchJob {
        var job = self
        job.isContinuing = true
        return job
    }

    /// The job as it is retried.
    ///
    /// It restarts at the first URL. If the server may have processed a non-idempotent request,
    /// such as a `POST` that it answered with 303, the job retries only the redirect's request.
    func repeated(always repeatsUnsafe: Bool) -> FetchJob {
        var job = self
        job.redirects = repeatsUnsafe || target.isIdempotent ? nil : redirects?.renewed(for: target)
        return job
    }

    /// The job as it repeats a request that got no answer.
    ///
    /// This applies when a reused connection ended without an answer, as when the server closes it
    /// at the same moment. The request is repeated once in an attempt, and only if the server may
    /// receive it twice; otherwise `nil`.
    func retryingUnanswered(after outcome: AttemptOutcome, always repeatsUnsafe: Bool) -> FetchJob?
    {
        guard outcome.isUnanswered, !wasUnanswered, !isRobots,
            repeatsUnsafe || place.isIdempotent
        else { return nil }
        var job = continuing
        job.wasUnanswered = true
        return job
    }

    /// The job after a body that didn't match its checksum.
    var mismatching: FetchJob {
        var job = self
        job.hasMismatched = true
        return job
    }

    /// The number of bytes of content to send.
    var weight: Int { target.details?.weight ?? 0 }

    /// Creates the job that fetches the `robots.txt` of a job's host.
    init(robotsFor job: FetchJob, at now: MonotonicTime) {
        self.init(target: job.place.robots, line: job.line, waitingSince: now)
        isRobots = true
    }

    /// The result of the job if it fails without another attempt.
    func failed(_ failure: BatchFailure) -> BatchResult {
        var result = BatchResult(url: target.url, line: line, ordinal: ordinal)
        result.tag = target.details?.request.tag
        result.mirror = mirror?.target.url
        result.requestKey = key
        result.attempts = attempts
        result.failure = failure
        return result
    }

    /// Why the URLs of a host fail that the circuit breaker has given up.
    static func pauseReason(of host: String) -> String {
        "\(host) is paused after repeated failures"
    }

    /// The result when the circuit breaker gives up on the host.
    ///
    /// It is the result of the job's last attempt if there was one, and otherwise refers to the
    /// host's last failure.
    func unavailable(since failure: BatchFailure?) -> BatchResult {
        let reason = Self.pauseReason(of: place.hostKey)
        if let lastResult { return lastResult.result.withoutRetry(reason) }
        let detail = failure.map { "\(reason); the last failure: \($0.message)" }
        var unavailable = BatchFailure(.hostUnavailable, detail ?? reason)
        unavailable.curlCode = failure?.curlCode
        unavailable.systemErrno = failure?.systemErrno
        return failed(unavailable)
    }
}

extension FetchJob {
    /// The result of the job when the run ends between two requests.
    var interrupted: BatchResult {
        failed(
            BatchFailure(.cancelled, "the run ended while this URL was in flight")
        )
    }
}

extension BatchResult {
    /// The result if a retry was due but isn't possible.
    func withoutRetry(_ reason: String) -> BatchResult {
        guard let failure else { return self }
        var result = self
        result.failure = failure.adding("not retried: \(reason)")
        return result
    }
}

extension FetchJob {
    /// Creates the result of the job from its last attempt.
    ///
    /// - Parameter earlier: The earlier response that the server has confirmed.
    func result(
        of outcome: AttemptOutcome,
        queued: Duration,
        unchangedSince earlier: EarlierResponse? = nil
    ) -> BatchResult {
        var result = BatchResult(url: target.url, line: line, ordinal: ordinal)
        result.tag = target.details?.request.tag
        result.mirror = mirror?.target.url
        result.requestKey = key
        result.finalURL = outcome.finalURL
        result.status = outcome.status
        result.failure = outcome.failure?.reason
        result.attempts = attempts
        result.bytes = outcome.bytes
        result.transferredBytes = outcome.transferredBytes
        result.digests = outcome.digests
        result.contentType = outcome.contentType
        result.contentEncoding = outcome.contentEncoding
        result.etag = outcome.etag
        result.lastModified = outcome.lastModified
        result.peer = outcome.peer
        result.startedAt = redirects?.startedAt ?? outcome.startedAt
        result.httpVersion = outcome.httpVersion
        result.isConnectionReused = outcome.isConnectionReused
        result.timings = timings(of: outcome, queued: queued)
        result.place.take(outcome.end)
        if let earlier { result.inherit(earlier) }
        return result
    }

    /// The timings including the requests before a redirect.
    private func timings(of outcome: AttemptOutcome, queued: Duration) -> BatchTimings {
        var timings = outcome.timings
        timings.queue = queued + (timings.queue ?? .zero)
        guard let redirects else { return timings }
        timings.queue = timings.queue.map { $0 + redirects.queued }
        timings.firstByte = timings.firstByte.map { $0 + redirects.spent }
        timings.total = timings.total.map { $0 + redirects.spent }
        return timings
    }
}

extension BodyPlace {
    /// Records where the body is stored.
    fileprivate mutating func take(_ end: BodyEnd) {
        switch end {
        case .file(let path): self.path = path
        case .existing(let path):
            self.path = path
            isExisting = true
        case .shard(let name, let offset):
            shard = name
            shardOffset = offset
        case .memory(let bytes): body = bytes
        case .stored(let body): stored = body
        case .dropped, .partial, .segment, .mismatched, .failed: break
        }
    }
}
