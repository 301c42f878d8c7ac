public import CurlTransport
public import HTTPTypes
internal import Posix

/// Sends no requests to an origin that keeps failing, until a probe succeeds.
///
/// ```swift
/// let client = try HTTPClient(middleware: [CircuitBreakerMiddleware()])
/// ```
///
/// Each origin has a breaker. After several failures in a row it opens: for the length of a pause,
/// requests fail at once with `TransportError.Code.circuitOpen`. After the pause the next request
/// is the probe. Until its response's head has arrived, the others still fail at once. If the probe
/// fails, the next pause is twice as long. Otherwise the breaker closes.
///
/// Failures are the statuses 408, 500, 502, 503 and 504, and transfers that failed for a reason
/// that may be temporary. Every other status is a success. A cancelled request counts as neither.
///
/// The middleware is a `Sendable` value; its copies share their breakers.
public struct CircuitBreakerMiddleware: HTTPMiddleware {
    /// When the breaker of an origin opens, and for how long.
    public struct Policy: Sendable, Hashable {
        /// Consecutive failures that open the breaker. Default: 10; at least 1.
        public var threshold = 10

        /// The first pause. Default: 5 s.
        public var pause = Duration.seconds(5)

        /// The maximum pause. Default: 60 s.
        public var maximumPause = Duration.seconds(60)

        /// Creates the default policy.
        public init() {}

        var limits: CircuitBreaker.Limits {
            CircuitBreaker.Limits(
                threshold: max(1, threshold),
                pause: max(.zero, pause),
                maximumPause: max(.zero, maximumPause)
            )
        }
    }

    /// A breaker has opened or closed.
    public struct Change: Sendable, Hashable {
        /// The origin, such as `https://example.org:443`.
        public let origin: String
        /// Whether the breaker is open now.
        public let isOpen: Bool
    }

    private let breakers: OriginStates<CircuitBreaker>
    private let changed: (@Sendable (Change) -> Void)?
    private let clock: ResilienceClock

    /// Creates a middleware with breakers of its own.
    ///
    /// - Parameter changed: Called when a breaker opens and when it closes, in the task of the
    ///   request that caused it. It isn't called for each further pause.
    public init(
        _ policy: Policy = Policy(),
        changed: (@Sendable (Change) -> Void)? = nil
    ) {
        self.init(policy, changed: changed, clock: .continuous)
    }

    package init(
        _ policy: Policy = Policy(),
        changed: (@Sendable (Change) -> Void)? = nil,
        clock: ResilienceClock
    ) {
        let limits = policy.limits
        breakers = OriginStates(
            new: { _ in CircuitBreaker(limits) },
            isForgettable: \.hasNoFailures
        )
        self.changed = changed
        self.clock = clock
    }

    /// Sends the request if the breaker of its origin allows it.
    ///
    /// - Throws: `TransportError.Code.circuitOpen` if it doesn't; nothing is sent then.
    public func intercept(
        _ request: HTTPRequest,
        body: RequestBody,
        context: RequestContext,
        next: any HTTPExchanging
    ) async throws(TransportError) -> HTTPClientResponse {
        let origin = request.origin
        let start = clock.now
        let permit = breakers.change(origin) { $0.permit(at: start) }
        if case .refused(let end) = permit {
            let pause = end.map { Duration.nanoseconds($0.nanoseconds(since: start)) }
            throw .circuitOpen(request, pause: pause)
        }
        let result = await Result { () async throws(TransportError) in
            try await next.send(request, body: body, context: context)
        }
        let feedback = HostFeedback(result, latency: clock.elapsed(since: start))
        let now = clock.now
        let change = breakers.change(origin) { breaker -> Change? in
            let wasBroken = breaker.isBroken
            _ = breaker.attemptEnded(feedback, isProbe: permit == .probe, at: now)
            guard breaker.isBroken != wasBroken else { return nil }
            return Change(origin: origin, isOpen: breaker.isBroken)
        }
        if let change { changed?(change) }
        return try result.get()
    }
}
