internal import CurlTransport
internal import Foundation

/// How a task waits for a way to its server: it tries again, at first soon, then less and less often.
struct ConnectivityWait: Sendable {
    /// What has yet to be looked into: whether it is for want of a way.
    private var obstacle: TransportError?
    private var attempts = 0

    /// The longest time between two attempts, in seconds.
    private static let longestDelay: TimeInterval = 30

    mutating func note(_ error: TransportError) {
        obstacle = error
    }

    mutating func takeObstacle() -> TransportError? {
        obstacle.take()
    }

    /// Whether the task has waited before.
    var hasBegun: Bool { attempts > 0 }

    /// How many seconds pass until the next attempt: half a second, and twice as many each time.
    mutating func nextDelay() -> TimeInterval {
        defer { attempts += 1 }
        return attempts < 6 ? 0.5 * Double(1 << attempts) : Self.longestDelay
    }

    /// Whether an error may be one for want of a way: no route, or nobody to ask for an address.
    static func isConceivable(for error: TransportError) -> Bool {
        [.networkUnreachable, .hostNotFound, .proxyNotFound].contains(error.code)
    }

    /// Whether it is. Reads the kernel's tables where the error alone doesn't tell: a name that nobody
    /// knows isn't found with a way, either.
    static func isTheCause(of error: TransportError) -> Bool {
        error.code == .networkUnreachable || !NetworkRoutes.current.leadAnywhere
    }
}
