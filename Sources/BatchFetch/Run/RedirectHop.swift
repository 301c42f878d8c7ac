import CurlTransport
import HTTPTypes

/// Where a redirect has led a job. It waits for its turn at that host as any other URL does, so that the
/// host's limits and its `robots.txt` hold for it too. Kept apart from the job: most have none, and
/// thousands of jobs wait.
final class RedirectHop: Sendable {
    /// One more is a failure.
    static let limit = RedirectPolicy.follow().limit

    /// The request that follows.
    let target: FetchTarget
    /// How many redirects have led here.
    let count: Int
    /// How long the requests before it took, and waited for their turns.
    let spent: Duration
    let queued: Duration
    /// When the first of them was started.
    let startedAt: Int64?

    /// What follows a response of `job`, which redirects it.
    init(
        _ target: FetchTarget,
        count: Int,
        after outcome: AttemptOutcome,
        of job: FetchJob,
        queued: Duration
    ) {
        let earlier = job.hop
        self.target = target
        self.count = count
        spent = (earlier?.spent ?? .zero) + (outcome.timings.total ?? .zero)
        self.queued = (earlier?.queued ?? .zero) + queued + (outcome.timings.queue ?? .zero)
        startedAt = earlier?.startedAt ?? outcome.startedAt
    }

    private init(_ target: FetchTarget, count: Int) {
        self.target = target
        self.count = count
        spent = .zero
        queued = .zero
        startedAt = nil
    }

    /// As another attempt begins with it, which has all its time: that of the list's line, if it has one.
    func renewed(for line: FetchTarget) -> RedirectHop {
        guard var request = target.details?.request else { return self }
        request.timeout = line.details?.request.timeout
        return RedirectHop((try? FetchTarget(request)) ?? target, count: count)
    }
}

extension FetchJob {
    /// As it goes on after a response that redirects.
    ///
    /// - Parameter timeout: How long an attempt may take, where the list says nothing else: all its requests
    ///   together.
    func following(
        _ redirect: Redirect,
        _ outcome: AttemptOutcome,
        queued: Duration,
        timeout: Duration? = nil
    ) throws(BatchFailure) -> FetchJob {
        let count = (hop?.count ?? 0) + 1
        guard count <= RedirectHop.limit else {
            let message = "more than \(RedirectHop.limit) redirects follow each other"
            throw BatchFailure(.tooManyRedirects, message)
        }
        var job = continuing
        let spent = (hop?.spent ?? .zero) + (outcome.timings.total ?? .zero)
        let limit = target.details?.request.timeout ?? timeout
        if let limit, limit <= spent {
            throw BatchFailure(.timeout, "the redirects took all the time that an attempt has")
        }
        job.hop = RedirectHop(
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
    /// The request that follows a redirect of this one: the transport has changed method and fields as
    /// RFC 9110 says, and left out what must not reach another origin.
    fileprivate func following(
        _ redirect: Redirect,
        timeout: Duration?
    ) throws(BatchFailure) -> FetchTarget {
        var request = details?.request ?? BatchRequest(url: url)
        request.url = redirect.location
        request.timeout = timeout
        request.method = redirect.request.method
        request.headerFields = redirect.request.headerFields
        if !redirect.keepsBody { request.body = .none }
        return try FetchTarget(request)
    }
}
