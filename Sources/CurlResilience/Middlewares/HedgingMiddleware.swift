public import CurlTransport
public import HTTPTypes
internal import Posix

/// Sends a request a second time if the first takes unusually long, and uses the faster response.
///
/// ```swift
/// let client = try HTTPClient(middleware: [HedgingMiddleware()])
/// ```
///
/// It shortens the slowest response times, for a few requests more. Hedged are requests that
/// `RequestContext.idempotency` allows to repeat and whose body is
/// `RequestBody.isReplayable`. No second request is sent after the deadline, nor if the budget is
/// used up.
///
/// The first response wins, and the other request is cancelled. If one fails, is refused by another
/// middleware, or is answered with 408, 425, 429, 500, 502, 503 or 504, the other one counts.
///
/// Observers of transfers can tell the second request (`TransferEnd.isHedge`) and the one that was
/// cancelled (`TransferEnd.lostHedge`) from retries and failures; the middlewares of `CurlServices`
/// do.
///
/// Don't hedge a server that is slow because it has too many requests: put
/// ``ConcurrencyMiddleware`` or ``CircuitBreakerMiddleware`` inside. The middleware is a `Sendable`
/// value; its copies share budgets and measurements.
public struct HedgingMiddleware: HTTPMiddleware {
    /// When the second request is sent.
    public enum Delay: Sendable, Hashable {
        /// After this time.
        case fixed(Duration)
        /// When the response takes longer than this share of the recent ones of the origin, from 0
        /// to 1.
        ///
        /// The response times of the last 1,000 requests count, up to the response's head. There
        /// is no second request until 50 are measured, and none before 1 ms.
        case percentile(Double)
    }

    /// When, and how often, a second request is sent.
    public struct Policy: Sendable, Hashable {
        /// When it is sent. Default: when the response takes longer than 95 % of the others.
        public var delay = Delay.percentile(0.95)

        /// The number of second requests per request to an origin. Default: 0.05.
        ///
        /// Unused ones are saved, up to those of the last 500 requests.
        public var budgetShare = 0.05

        /// Second requests that an origin has from the start. Default: 5.
        public var budgetReserve = 5

        /// Creates the default policy.
        public init() {}
    }

    /// The state of one origin.
    private struct Origin: Sendable {
        var budget: RetryBudget
        var latencies = LatencyEstimate()
    }

    /// The end of one of the waiting tasks.
    private enum Event: Sendable {
        case result(Result<HTTPClientResponse, TransportError>, isSecond: Bool)
        /// The delay is over; false if the task was cancelled.
        case delayed(Bool)
    }

    private static let minimumCount = 50
    private static let minimumDelay = Duration.milliseconds(1)

    private let policy: Policy
    private let origins: OriginStates<Origin>
    private let clock: ResilienceClock

    /// Creates a middleware with budgets and measurements of its own.
    public init(_ policy: Policy = Policy()) {
        self.init(policy, clock: .continuous)
    }

    package init(_ policy: Policy = Policy(), clock: ResilienceClock) {
        self.policy = policy
        self.clock = clock
        let origin = Origin(
            budget: .ofRecentRequests(share: policy.budgetShare, reserve: policy.budgetReserve)
        )
        origins = OriginStates(
            new: { _ in origin },
            // Without its measurements, an origin in use would have no second requests for a time.
            isForgettable: {
                $0.budget.saved >= Double(policy.budgetReserve)
                    && $0.latencies.count < Self.minimumCount
            }
        )
    }

    /// Sends the request, and a second time if it takes long.
    public func intercept(
        _ request: HTTPRequest,
        body: RequestBody,
        context: RequestContext,
        next: any HTTPExchanging
    ) async throws(TransportError) -> HTTPClientResponse {
        let key = request.origin
        let delay = origins.change(key) { origin in
            origin.budget.earn()
            return self.delay(origin)
        }
        let start = clock.now
        let send: @Sendable (HedgedRequest?) async -> Result<HTTPClientResponse, TransportError> = {
            var marked = context
            if let hedge = $0 { marked.hedge = hedge }
            let sent = marked
            let result = await Result { () async throws(TransportError) in
                try await next.send(request, body: body, context: sent)
            }
            return result
        }
        let time = delay.map { start.advanced(by: $0) }
        guard let time, time < context.deadlineTime, body.isReplayable,
            context.idempotency.allowsRepeating(request)
        else { return try record(await send(nil), key, start).get() }
        return try record(await hedge(send, at: time, key), key, start).get()
    }

    /// The delay of the second request; nil for none.
    private func delay(_ origin: Origin) -> Duration? {
        switch policy.delay {
        case .fixed(let delay): return max(.zero, delay)
        case .percentile(let share):
            guard origin.latencies.count >= Self.minimumCount else { return nil }
            return origin.latencies.duration(atShare: share).map { max(Self.minimumDelay, $0) }
        }
    }

    /// Measures the time until a response.
    private func record(
        _ result: Result<HTTPClientResponse, TransportError>,
        _ key: String,
        _ start: MonotonicTime
    ) -> Result<HTTPClientResponse, TransportError> {
        if case .percentile = policy.delay, case .success = result {
            let latency = clock.elapsed(since: start)
            origins.change(key) { $0.latencies.record(latency) }
        }
        return result
    }

    private func hedge(
        _ send:
            @escaping @Sendable (HedgedRequest?) async -> Result<HTTPClientResponse, TransportError>,
        at time: MonotonicTime,
        _ key: String
    ) async -> Result<HTTPClientResponse, TransportError> {
        let clock = clock
        let race = HedgeRace()
        return await withTaskGroup(of: Event.self) { group in
            // The other request ends, and releases its response.
            defer { group.cancelAll() }
            group.addTask {
                .result(await send(HedgedRequest(race, isSecond: false)), isSecond: false)
            }
            group.addTask { .delayed(await clock.wait(until: time)) }
            var inFlight = 1
            var worse: Result<HTTPClientResponse, TransportError>?
            while let event = await group.next() {
                switch event {
                case .delayed(let isOver):
                    guard isOver, origins.change(key, { $0.budget.spend() }) else { continue }
                    inFlight += 1
                    race.sendSecond()
                    group.addTask {
                        .result(await send(HedgedRequest(race, isSecond: true)), isSecond: true)
                    }
                case .result(let result, let isSecond):
                    inFlight -= 1
                    // A failure isn't hedged: retries are another middleware's.
                    guard inFlight > 0, Self.isWorse(result) else {
                        // If the task was cancelled, so were both.
                        if !Task.isCancelled { race.end(wonBySecond: isSecond) }
                        return Self.isRefusal(result) ? worse ?? result : result
                    }
                    // A response isn't kept: it may hold the place that the other request waits for.
                    if case .failure = result { worse = result }
                }
            }
            return worse ?? .failure(.cancelledInHedging)
        }
    }
}

extension HedgingMiddleware {
    /// Whether the other request's result is used if that is still in flight.
    private static func isWorse(_ result: Result<HTTPClientResponse, TransportError>) -> Bool {
        if case .failure = result { return true }
        return RetryCause(result)?.isRetryable(isIdempotent: true) == true
    }

    /// Whether the request wasn't sent, which says less than any other result.
    private static func isRefusal(_ result: Result<HTTPClientResponse, TransportError>) -> Bool {
        guard case .failure(let error) = result else { return false }
        return error.isLocalRefusal
    }
}

extension TransportError {
    /// Unreachable as long as each request has a result.
    fileprivate static let cancelledInHedging = TransportError(
        .cancelled,
        phase: .queued,
        message: "the request was cancelled"
    )
}
