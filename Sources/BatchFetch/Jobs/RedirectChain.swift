import CurlTransport
import HTTPTypes

/// The redirect that a job follows.
///
/// The job is queued at the new host like any other URL, so that the host's limits and its
/// `robots.txt` apply. It is a separate object because most jobs have none and thousands of jobs
/// are queued.
final class RedirectChain: Sendable {
    /// The maximum number of consecutive redirects.
    static let limit = RedirectPolicy.follow().limit

    /// The target of the redirect.
    let target: FetchTarget
    /// The number of redirects so far.
    let count: Int
    /// The duration of the earlier requests, and their time in queues.
    let spent: Duration
    let queued: Duration
    /// The start of the first request, in microseconds since 1970.
    let startedAt: Int64?

    /// Creates the redirect that a response to `job` requests.
    init(
        _ target: FetchTarget,
        count: Int,
        after outcome: AttemptOutcome,
        of job: FetchJob,
        queued: Duration
    ) {
        let earlier = job.redirects
        self.target = target
        self.count = count
        spent = (earlier?.spent ?? .zero) + (outcome.timings.total ?? .zero)
        self.queued = (earlier?.queued ?? .zero) + queued + (outcome.timings.queue ?? .zero)
        startedAt = earlier?.startedAt ?? outcome.startedAt
    }

    /// Restores a redirect that another process has followed up to here.
    init(
        _ target: FetchTarget,
        count: Int,
        spent: Duration,
        queued: Duration,
        startedAt: Int64?
    ) {
        self.target = target
        self.count = count
        self.spent = spent
        self.queued = queued
        self.startedAt = startedAt
    }

    private init(_ target: FetchTarget, count: Int) {
        self.target = target
        self.count = count
        spent = .zero
        queued = .zero
        startedAt = nil
    }

    /// The redirect as a new attempt starts with it.
    ///
    /// The attempt has its full timeout: that of the list's line, if it has one.
    func renewed(for line: FetchTarget) -> RedirectChain {
        guard var request = target.details?.request else { return self }
        request.timeout = line.details?.request.timeout
        return RedirectChain((try? FetchTarget(request)) ?? target, count: count)
    }
}

extension FetchJob {
    /// The job as it follows a redirect.
    ///
    /// - Parameter timeout: The default timeout of an attempt, over all its requests.
    /// - Throws: ``BatchFailure/Code/tooManyRedirects`` beyond ``RedirectChain/limit``, and
    ///   ``BatchFailure/Code/timeout`` if no time is left.
    func following(
        _ redirect: Redirect,
        _ outcome: AttemptOutcome,
        queued: Duration,
        timeout: Duration? = nil
    ) throws(BatchFailure) -> FetchJob {
        let count = (redirects?.count ?? 0) + 1
        guard count <= RedirectChain.limit else {
            let message = "more than \(RedirectChain.limit) redirects"
            throw BatchFailure(.tooManyRedirects, message)
        }
        var job = continuing
        let spent = (redirects?.spent ?? .zero) + (outcome.timings.total ?? .zero)
        let limit = target.details?.request.timeout ?? timeout
        if let limit, limit <= spent {
            throw BatchFailure(.timeout, "the redirects took longer than the timeout of an attempt")
        }
        job.redirects = RedirectChain(
            try place.following(unconditional(redirect), timeout: limit.map { $0 - spent }),
            count: count,
            after: outcome,
            of: self,
            queued: queued
        )
        return job
    }
}

extension FetchTarget {
    /// The target that follows a redirect of this one.
    ///
    /// The transport has changed the method and fields as RFC 9110 requires. Another origin gets
    /// only fields that are known to be harmless.
    fileprivate func following(
        _ redirect: Redirect,
        timeout: Duration?
    ) throws(BatchFailure) -> FetchTarget {
        var request = details?.request ?? BatchRequest(url: url)
        request.url = redirect.location
        request.timeout = timeout
        request.method = redirect.request.method
        request.headerFields = redirect.request.headerFields
        if redirect.dropsCredentials {
            RedirectFields.removePrivate(from: &request.headerFields)
        }
        if !redirect.keepsBody { request.body = .none }
        if redirect.dropsCredentials { request.isBeyondOrigin = true }
        return try FetchTarget(request)
    }
}
