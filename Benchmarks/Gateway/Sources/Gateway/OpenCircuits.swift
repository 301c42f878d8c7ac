internal import CurlResilience
internal import Logging
internal import Synchronization

/// The servers that get no requests at the moment, for `GET /ready`.
///
/// A server is one of them for some seconds after its circuit has opened or refused a request. A
/// load balancer sends nothing to a gateway that isn't ready, so its circuit would stay open if
/// readiness waited for a probe.
final class OpenCircuits: Sendable {
    /// After the first pause of a circuit, the next request is the probe.
    private static let memory = CircuitBreakerMiddleware.Policy().pause

    private let logger: Logger
    /// The last refusal of each origin.
    private let refused = Mutex<[String: ContinuousClock.Instant]>([:])

    init(_ logger: Logger) {
        self.logger = logger
    }

    var origins: Set<String> {
        let start = ContinuousClock.now.advanced(by: .zero - Self.memory)
        return refused.withLock { Set($0.filter { $0.value > start }.keys) }
    }

    /// Notes that the breaker has refused a request to an origin.
    func refuse(_ origin: String) {
        refused.withLock { $0[origin] = .now }
    }

    func record(_ change: CircuitBreakerMiddleware.Change) {
        refused.withLock { $0[change.origin] = change.isOpen ? .now : nil }
        logger.notice(
            "circuit \(change.isOpen ? "open" : "closed")",
            metadata: ["origin": "\(change.origin)"]
        )
    }
}
