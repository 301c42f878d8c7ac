public import CurlTransport
public import HTTPTypes
internal import Posix

/// Limits how many requests start in a time, by a token bucket.
///
/// ```swift
/// // 100 requests a minute to each origin, and up to 10 of them at once.
/// let limit = try RateLimitMiddleware(requests: 100, per: .seconds(60), burst: 10)
/// let client = try HTTPClient(middleware: [limit])
/// ```
///
/// Requests beyond the rate wait in order. A request fails at once with
/// `TransportError.Code.deadlineExceeded` if its turn would come after its deadline, and with
/// `TransportError.Code.queueFull` if too many wait already. In both cases nothing was sent.
/// Cancelling a task that waits leaves its place to the next one.
///
/// The middleware is a `Sendable` value; its copies share their limits.
public struct RateLimitMiddleware: HTTPMiddleware {
    /// What shares one limit.
    public enum Scope: Sendable, Hashable {
        /// Each origin has a limit of its own.
        case eachOrigin
        /// All requests share one limit.
        case all
    }

    private let interval: Duration
    private let scope: Scope
    private let maximumQueued: Int
    private let limiters: OriginStates<RateLimiter>
    private let queue: AdmissionQueue
    private let clock: ResilienceClock

    /// Creates a middleware with limits of its own.
    ///
    /// - Parameters:
    ///   - requests: How many requests may start in each `period`; at least 1.
    ///   - period: More than zero.
    ///   - burst: How many of them may start at once after a quiet time. Default: 1, which spaces
    ///     them evenly. With intervals of less than 10 ms some start together in any case.
    ///   - scope: What shares one limit. Default: each origin has its own.
    ///   - maximumQueued: How many requests may wait for each limit; nil for any number.
    /// - Throws: `TransportError.Code.configuration` for a value out of range.
    public init(
        requests: Int,
        per period: Duration,
        burst: Int = 1,
        scope: Scope = .eachOrigin,
        maximumQueued: Int? = nil
    ) throws(TransportError) {
        try self.init(
            requests: requests,
            per: period,
            burst: burst,
            scope: scope,
            maximumQueued: maximumQueued,
            clock: .continuous
        )
    }

    package init(
        requests: Int,
        per period: Duration,
        burst: Int = 1,
        scope: Scope = .eachOrigin,
        maximumQueued: Int? = nil,
        clock: ResilienceClock
    ) throws(TransportError) {
        guard requests > 0, period > .zero, burst > 0, maximumQueued ?? 0 >= 0 else {
            throw TransportError(
                .configuration,
                phase: .queued,
                message: "a rate limit of \(requests) requests per \(period) with a burst of "
                    + "\(burst) and \(maximumQueued.map(String.init) ?? "any number of") waiting "
                    + "requests isn't possible. Use numbers and times above zero."
            )
        }
        interval = period / requests
        self.scope = scope
        self.maximumQueued = maximumQueued ?? .max
        self.clock = clock
        queue = AdmissionQueue(clock: clock)
        limiters = OriginStates(
            new: { _ in RateLimiter(burst: burst) },
            isForgettable: { $0.isUnused(at: clock.now) }
        )
    }

    /// Sends the request when the rate limit allows it.
    public func intercept(
        _ request: HTTPRequest,
        body: RequestBody,
        context: RequestContext,
        next: any HTTPExchanging
    ) async throws(TransportError) -> HTTPClientResponse {
        let key = scope == .all ? "" : request.origin
        if queue.count(of: key) > 0 || !pass(key) {
            try await wait(key, request, context.deadlineTime)
        }
        return try await next.send(request, body: body, context: context)
    }

    /// Passes if the limit allows it now.
    private func pass(_ key: String) -> Bool {
        let now = clock.now
        return limiters.change(key) { limiter in
            guard limiter.isOpen(interval: interval, at: now) else { return false }
            limiter.pass(interval: interval, at: now)
            return true
        }
    }

    private func wait(
        _ key: String,
        _ request: HTTPRequest,
        _ deadline: MonotonicTime
    ) async throws(TransportError) {
        let name = scope == .all ? "the rate limit" : "the rate limit of \(key)"
        // Those that wait start one after another, so this one's turn is known.
        let opens = limiters.change(key) { $0.opens(interval: interval) }
        let before = interval.wholeNanoseconds.multipliedReportingOverflow(
            by: Int64(queue.count(of: key))
        )
        let turn = opens.advanced(byNanoseconds: before.overflow ? .max : before.partialValue)
        guard turn < deadline else { throw .noTimeToWait(request, for: name) }
        guard maximumQueued > 0 else { throw .tooManyWait(request, for: name, limit: 0) }
        // The first one waits for the limit, and the others for it.
        switch await queue.enter(
            key,
            limit: 1,
            maximumQueued: maximumQueued - 1,
            deadline: deadline
        ) {
        case .admitted: break
        case .refused: throw .tooManyWait(request, for: name, limit: maximumQueued)
        case .cancelled: throw .cancelledWhileWaiting(request)
        case .late: throw .noTimeToWait(request, for: name)
        }
        defer { queue.leave(key, limit: 1) }
        while !pass(key) {
            let opens = limiters.change(key) { $0.opens(interval: interval) }
            guard opens < deadline else { throw .noTimeToWait(request, for: name) }
            guard await clock.wait(until: opens) else { throw .cancelledWhileWaiting(request) }
        }
    }
}
