import Foundation
import Synchronization

@testable import CurlURLSession

/// A clock that only advances when a test advances it.
final class ManualClock: Sendable {
    private let time: Mutex<Date>

    /// Starts at `start`, by default January 1, 2026.
    init(_ start: Date = Date(timeIntervalSince1970: 1_767_225_600)) {
        time = Mutex(start)
    }

    var now: Date { time.withLock { $0 } }

    func advance(by seconds: TimeInterval) {
        time.withLock { $0 = $0.addingTimeInterval(seconds) }
    }

    /// Makes a cache use this clock.
    func drive(_ cache: URLCache) -> URLCache {
        cache.store.clock.follow { self.now }
        return cache
    }
}
