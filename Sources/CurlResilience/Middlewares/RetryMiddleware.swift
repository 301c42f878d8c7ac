public import CurlTransport
public import HTTPTypes
internal import Posix

/// Retries requests that failed for a reason that may be temporary.
///
/// ```swift
/// let client = try HTTPClient(middleware: [RetryMiddleware()])
/// ```
///
/// Retried are the statuses 408, 425, 429, 500, 502, 503 and 504, and errors whose
/// `TransportError.retry-swift.property` isn't `TransportError.Retry.never`. A request is sent
/// again only if `RequestContext.idempotency` allows it, or if the server hasn't acted on it: its
/// connection failed, or the status is 425 or 429. Its body must be
/// `RequestBody.isReplayable`. An error while the response's body is read is not retried, nor is
/// `TransportError.Code.circuitOpen`, nor the `TransportError.Code.deadlineExceeded` of a request
/// that another middleware didn't send.
///
/// The delay before a retry is random ("full jitter"), so that clients that failed together don't
/// return together. A `Retry-After` of the server replaces it. No retry is made if the delay ends
/// after `RequestContext.deadline`. If there is no retry, the last response is returned, or the
/// last error thrown. A ``Policy/budgetShare`` limits how many requests an origin in trouble gets.
///
/// Retries run in the task that sends the request. The middleware is a `Sendable` value; its copies
/// share one budget.
public struct RetryMiddleware: HTTPMiddleware {
    /// How often, and after which delay, requests are retried.
    public struct Policy: Sendable, Hashable {
        /// The maximum number of retries of a request. Default: 2.
        public var limit = 2

        /// The maximum first delay, doubled with each retry. Default: 100 ms.
        public var baseDelay = Duration.milliseconds(100)

        /// The maximum random delay. Default: 10 s.
        public var maximumDelay = Duration.seconds(10)

        /// The cap for `Retry-After`; a longer one is shortened to this. Default: 30 s.
        public var maximumRetryAfter = Duration.seconds(30)

        /// The number of retries per request to an origin. Default: 0.2.
        ///
        /// Retries count whatever their delay. Unused ones are saved, up to those of the last 500
        /// requests.
        public var budgetShare = 0.2

        /// Retries that an origin has from the start. Default: 10.
        public var budgetReserve = 10

        /// Creates the default policy.
        public init() {}

        var rules: RetryRules {
            RetryRules(
                limit: limit,
                baseDelay: baseDelay,
                maximumDelay: maximumDelay,
                maximumRetryAfter: maximumRetryAfter
            )
        }

        var budget: RetryBudget {
            RetryBudget.ofRecentRequests(share: budgetShare, reserve: budgetReserve)
        }
    }

    private let policy: Policy
    private let budgets: OriginStates<RetryBudget>
    private let clock: ResilienceClock

    /// Creates a middleware with budgets of its own.
    public init(_ policy: Policy = Policy()) {
        self.init(policy, clock: .continuous)
    }

    package init(_ policy: Policy = Policy(), clock: ResilienceClock) {
        self.policy = policy
        self.clock = clock
        budgets = OriginStates(
            new: { _ in policy.budget },
            isForgettable: { $0.saved >= Double(policy.budgetReserve) }
        )
    }

    /// Sends the request, and retries it as the policy says.
    public func intercept(
        _ request: HTTPRequest,
        body: RequestBody,
        context: RequestContext,
        next: any HTTPExchanging
    ) async throws(TransportError) -> HTTPClientResponse {
        let origin = request.origin
        budgets.change(origin) { $0.earn() }
        var attempt = 1
        while true {
            let result = await Result { () async throws(TransportError) in
                try await next.send(request, body: body, context: context)
            }
            let time = retryTime(result, attempt, request, body, context)
            guard let time, budgets.change(origin, { $0.spend() }) else {
                return try result.get()
            }
            guard await wait(until: time, draining: result) else {
                throw .cancelledWhileWaiting(request)
            }
            attempt += 1
        }
    }

    /// When the request is sent again; nil if it isn't.
    private func retryTime(
        _ result: Result<HTTPClientResponse, TransportError>,
        _ attempt: Int,
        _ request: HTTPRequest,
        _ body: RequestBody,
        _ context: RequestContext
    ) -> MonotonicTime? {
        guard body.isReplayable, !Task.isCancelled, let cause = RetryCause(result) else {
            return nil
        }
        let decision = policy.rules.decision(
            afterAttempt: attempt,
            cause: cause,
            isIdempotent: context.idempotency.allowsRepeating(request),
            retryAfter: result.retryAfter(now: WallClock.secondsSince1970),
            share: clock.share
        )
        guard case .retry(let delay, _) = decision else { return nil }
        let time = clock.now.advanced(by: delay)
        return time < context.deadlineTime ? time : nil
    }

    /// Waits, and reads a short body meanwhile.
    private func wait(
        until time: MonotonicTime,
        draining result: Result<HTTPClientResponse, TransportError>
    ) async -> Bool {
        guard case .success(let response) = result, time > clock.now else {
            return await clock.wait(until: time)
        }
        return await withTaskGroup(of: Void.self) { group in
            group.addTask { await response.drain() }
            defer { group.cancelAll() }
            return await clock.wait(until: time)
        }
    }
}
