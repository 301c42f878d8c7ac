internal import CurlResilience
internal import Logging
internal import Synchronization

/// The servers that get no requests at the moment, for `GET /ready`.
final class OpenCircuits: Sendable {
    private let logger: Logger
    private let open = Mutex<Set<String>>([])

    init(_ logger: Logger) {
        self.logger = logger
    }

    var origins: Set<String> { open.withLock { $0 } }

    func record(_ change: CircuitBreakerMiddleware.Change) {
        open.withLock { origins in
            if change.isOpen {
                origins.insert(change.origin)
            } else {
                origins.remove(change.origin)
            }
        }
        logger.notice(
            "circuit \(change.isOpen ? "open" : "closed")",
            metadata: ["origin": "\(change.origin)"]
        )
    }
}
