internal import Foundation
internal import Synchronization

/// What time it is, by the system's clock unless told otherwise.
final class CacheClock: Sendable {
    /// A closure that a lock holds by itself is wrapped anew whenever the lock is taken, and each call
    /// goes through all of these.
    private struct Source: Sendable {
        var now: @Sendable () -> Date
    }

    private let source = Mutex(Source { Date() })

    var now: Date { source.withLock { $0.now }() }

    /// Goes by another clock from now on.
    func follow(_ other: @escaping @Sendable () -> Date) {
        source.withLock { $0.now = other }
    }
}
