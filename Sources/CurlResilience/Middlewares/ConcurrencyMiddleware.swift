public import CurlTransport
public import HTTPTypes
internal import Posix

/// Limits how many requests to an origin are in flight, and adapts the limit to its answers.
///
/// ```swift
/// var policy = ConcurrencyMiddleware.Policy()
/// policy.maximum = 100
/// policy.origins["https://slow.example"] = 4
/// let client = try HTTPClient(middleware: [ConcurrencyMiddleware(policy)])
/// ```
///
/// The limit begins at the maximum. It halves when the origin fails, answers 429, or takes more
/// than four times as long as usual and more than 200 ms. Failures of requests that were in flight
/// together count once. Each success raises it: by about one when as many requests as it allows
/// have succeeded. At one request in flight, a delay between requests grows from 250 ms to 60 s.
///
/// Requests beyond the limit wait in order, until their deadline. A request is in flight until the
/// body of its response has ended or was released.
///
/// The middleware is a `Sendable` value; its copies share their limits.
public struct ConcurrencyMiddleware: HTTPMiddleware {
    /// How many requests may be in flight, and how many may wait.
    public struct Policy: Sendable, Hashable {
        /// The maximum number of requests in flight to an origin. Default: 64; at least 1.
        public var maximum = 64

        /// The maxima of single origins, such as `https://example.org` or `http://10.0.0.1:8080`.
        ///
        /// Default: none.
        public var origins: [String: Int] = [:]

        /// How many requests may wait for each origin; nil for any number. Default: 1,000.
        public var maximumQueued: Int? = 1000

        /// Whether the limit adapts to answers. Default: true. Otherwise it is the maximum.
        public var isAdaptive = true

        /// Creates the default policy.
        public init() {}
    }

    /// The state of one origin.
    private struct Origin: Sendable {
        let limit: Int
        var pace: AdaptivePace
        var lastStart: MonotonicTime?

        init(limit: Int) {
            self.limit = max(1, limit)
            pace = AdaptivePace(limit: limit)
        }
    }

    private let policy: Policy
    private let origins: OriginStates<Origin>
    private let queue: AdmissionQueue
    private let clock: ResilienceClock

    /// Creates a middleware with limits of its own.
    ///
    /// - Throws: `TransportError.Code.invalidURL` or `TransportError.Code.unsupportedURL` if an
    ///   origin of the policy isn't one.
    public init(_ policy: Policy = Policy()) throws(TransportError) {
        try self.init(policy, clock: .continuous)
    }

    package init(_ policy: Policy = Policy(), clock: ResilienceClock) throws(TransportError) {
        var limits: [String: Int] = [:]
        for (origin, limit) in policy.origins {
            limits[try HTTPRequest(url: origin).origin] = limit
        }
        self.policy = policy
        self.clock = clock
        queue = AdmissionQueue(clock: clock)
        origins = OriginStates(
            new: { [limits] in Origin(limit: limits[$0] ?? policy.maximum) },
            isForgettable: \.pace.isUnlimited
        )
    }

    /// Sends the request when the limit of its origin allows it.
    ///
    /// - Throws: `TransportError.Code.queueFull` if too many requests wait, or
    ///   `TransportError.Code.deadlineExceeded` if the deadline passes in the queue. Nothing was
    ///   sent then.
    public func intercept(
        _ request: HTTPRequest,
        body: RequestBody,
        context: RequestContext,
        next: any HTTPExchanging
    ) async throws(TransportError) -> HTTPClientResponse {
        let key = request.origin
        let lease = try await enter(key, request, context)
        do throws(TransportError) {
            try await waitForPace(key, request, context)
        } catch {
            lease.release()
            throw error
        }
        var context = context
        context.observers.append(lease)
        let start = clock.now
        let sent = context
        let result = await Result { () async throws(TransportError) in
            try await next.send(request, body: body, context: sent)
        }
        let feedback = HostFeedback(result, latency: clock.elapsed(since: start))
        let now = clock.now
        let allowed = origins.change(key) { origin in
            origin.pace.attemptEnded(feedback, at: now)
            return concurrency(origin)
        }
        switch result {
        case .success(let response): lease.hold(until: response.id)
        case .failure: lease.release()
        }
        // A higher limit admits more than the place that becomes free.
        queue.leave(key, limit: allowed, isEnd: false)
        return try result.get()
    }

    private func concurrency(_ origin: Origin) -> Int {
        policy.isAdaptive ? origin.pace.concurrency : origin.limit
    }

    private func enter(
        _ key: String,
        _ request: HTTPRequest,
        _ context: RequestContext
    ) async throws(TransportError) -> Lease {
        let allowed = origins.change(key) { concurrency($0) }
        var name: String { "the concurrency limit of \(key)" }
        switch await queue.enter(
            key,
            limit: allowed,
            maximumQueued: policy.maximumQueued ?? .max,
            deadline: context.deadlineTime
        ) {
        case .admitted: break
        case .refused:
            throw .tooManyWait(request, for: name, limit: policy.maximumQueued ?? .max)
        case .cancelled: throw .cancelledWhileWaiting(request)
        case .late: throw .noTimeToWait(request, for: name)
        }
        return Lease { [self] in
            queue.leave(key, limit: origins.change(key) { concurrency($0) })
        }
    }

    /// Waits for the delay between two requests to an origin that struggles.
    private func waitForPace(
        _ key: String,
        _ request: HTTPRequest,
        _ context: RequestContext
    ) async throws(TransportError) {
        guard policy.isAdaptive else { return }
        while true {
            let now = clock.now
            let opens = origins.change(key) { origin -> MonotonicTime? in
                let delay = origin.pace.delay
                let opens = origin.lastStart?.advanced(by: delay) ?? now
                guard opens <= now else { return opens }
                origin.lastStart = now
                return nil
            }
            guard let opens else { return }
            guard opens < context.deadlineTime else {
                throw .noTimeToWait(request, for: "the delay between requests to \(key)")
            }
            guard await clock.wait(until: opens) else { throw .cancelledWhileWaiting(request) }
        }
    }
}
