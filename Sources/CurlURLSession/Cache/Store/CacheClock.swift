internal import Foundation
internal import Synchronization

/// What time it is, by the system's clock unless told otherwise.
final class CacheClock: Sendable {
    private let source = Mutex<@Sendable () -> Date>({ Date() })

    var now: Date { source.withLock { $0 }() }

    /// Goes by another clock from now on.
    func follow(_ other: @escaping @Sendable () -> Date) {
        source.withLock { $0 = other }
    }
}
