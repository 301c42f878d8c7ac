import Curl

/// A URL on its way through a run.
struct FetchJob: Sendable {
    let target: FetchTarget
    let line: Int
    /// Which one of the whole input it is, from 1, whatever line of whatever list it stands on.
    var ordinal = 0
    /// How many attempts have been started.
    var attempts = 0
    /// Whether a body has come that was not the expected one.
    var hasMismatched = false
    /// What an earlier run got, where the server can be asked whether that is still right.
    var earlier: EarlierResponse?
    /// What is there of the body, from an earlier attempt or an earlier run.
    var partial: PartialClaim?
    /// The piece of the body that it fetches, where it isn't a URL but a part of one.
    var segment: Segment?
    /// Whether this attempt asks for the whole body though a part is there, which stays until the whole
    /// has come.
    var asksForWhole = false
    /// Whether its body isn't fetched in several pieces at once.
    var isInOnePiece = false
    /// Whether a kept connection has ended without an answer to it in this attempt.
    var wasUnanswered = false
    /// Since when it waits for its turn.
    var waitingSince: MonotonicTime
    /// Whether it is a host's `robots.txt`, and no URL of the list.
    var isRobots = false
    /// Where redirects have led; nil before the first.
    var hop: RedirectHop?
    /// Whether what is started next goes on with an attempt that was redirected.
    var isContinuing = false
    /// What the last attempt came to, while it waits for another.
    var lastResult: LastResult?
}

/// Kept apart from the job: most have none, and thousands of jobs wait.
final class LastResult: Sendable {
    let result: BatchResult

    init(_ result: BatchResult) {
        self.result = result
    }
}

extension FetchJob {
    /// What is asked for next, and of whom.
    var place: FetchTarget { hop?.target ?? target }

    /// As it goes on with an attempt.
    var continuing: FetchJob {
        var job = self
        job.isContinuing = true
        return job
    }

    /// As it is tried again: from the beginning, or what a redirect has led to where the server may have
    /// acted on what came before, as on a `POST` that it answered with 303.
    func repeated(always repeatsUnsafe: Bool) -> FetchJob {
        var job = self
        job.hop = repeatsUnsafe || target.isIdempotent ? nil : hop?.renewed(for: target)
        return job
    }

    /// As it is asked for once more where a kept connection ended without an answer, as it does where the
    /// server closes it at the same moment: once in an attempt, and nothing that the server may not be
    /// asked twice.
    func askingAgain(after outcome: AttemptOutcome, always repeatsUnsafe: Bool) -> FetchJob? {
        guard outcome.isUnanswered, !wasUnanswered, !isRobots,
            repeatsUnsafe || place.isIdempotent
        else { return nil }
        var job = continuing
        job.wasUnanswered = true
        return job
    }

    /// As it is once a body has come that was not the expected one.
    var mismatching: FetchJob {
        var job = self
        job.hasMismatched = true
        return job
    }

    /// Bytes of content that it is to send.
    var weight: Int { target.details?.weight ?? 0 }

    /// Fetches what is asked before a URL's host is asked for the URL.
    init(robotsFor job: FetchJob, at now: MonotonicTime) {
        self.init(target: job.place.robots, line: job.line, waitingSince: now)
        isRobots = true
    }

    /// What becomes of it without a further attempt.
    func failed(_ failure: BatchFailure) -> BatchResult {
        var result = BatchResult(url: target.url, line: line, ordinal: ordinal)
        result.tag = target.details?.request.tag
        result.attempts = attempts
        result.failure = failure
        return result
    }

    /// What becomes of it when its host is given up: what its own last attempt came to, if there was one,
    /// and else what is known of the host.
    func unavailable(since failure: BatchFailure?) -> BatchResult {
        let reason = "\(place.hostKey) has only failed for some time, and is left alone for now"
        if let lastResult { return lastResult.result.withoutRetry(reason) }
        let detail = failure.map { "\(reason); the last failure: \($0.message)" }
        var unavailable = BatchFailure(.hostUnavailable, detail ?? reason)
        unavailable.curlCode = failure?.curlCode
        unavailable.systemErrno = failure?.systemErrno
        return failed(unavailable)
    }
}

extension FetchJob {
    /// What becomes of it when the run ends between two requests.
    var interrupted: BatchResult {
        failed(
            BatchFailure(.cancelled, "the run was ended while this URL was being fetched")
        )
    }
}

extension BatchResult {
    /// As it is, where another attempt was due and can't be had.
    func withoutRetry(_ reason: String) -> BatchResult {
        guard let failure else { return self }
        var result = self
        result.failure = failure.adding("no further attempt: \(reason)")
        return result
    }
}
