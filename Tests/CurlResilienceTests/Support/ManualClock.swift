import CurlResilience
import Posix
import TestSupport

/// A clock that stands still until a test advances it.
final class ManualClock: Sendable {
    private struct State: Sendable {
        var now: MonotonicTime
        var waits: [MonotonicTime] = []
    }

    private let start = ResilienceClock.time(of: .now)
    private let state: Watched<State>
    private let isAutomatic: Bool

    /// - Parameter isAutomatic: Whether each wait advances the clock to its end.
    init(isAutomatic: Bool = false) {
        state = Watched(State(now: start))
        self.isAutomatic = isAutomatic
    }

    /// The clock for a middleware.
    ///
    /// - Parameter random: The number that it returns as a random one.
    func resilience(random: Double = 1) -> ResilienceClock {
        ResilienceClock(
            now: { self.state.read { $0.now } },
            sleep: { try await self.wait(until: $0) },
            random: { random }
        )
    }

    private func wait(until time: MonotonicTime) async throws {
        state.update { state in
            state.waits.append(time)
            if isAutomatic { state.now = max(state.now, time) }
        }
        try await state.wait { $0.now >= time ? () : nil }
    }

    /// The time since the clock's start.
    var elapsed: Duration {
        .nanoseconds(state.read { $0.now.nanoseconds }) - .nanoseconds(start.nanoseconds)
    }

    /// The ends of all waits so far, since the clock's start.
    var waits: [Duration] {
        state.read { state in
            state.waits.map { .nanoseconds($0.nanoseconds(since: start)) }
        }
    }

    func advance(by duration: Duration) {
        state.update { $0.now = $0.now.advanced(by: duration) }
    }

    /// Waits until this many waits have begun.
    func begun(_ count: Int) async throws {
        try await state.wait { $0.waits.count >= count ? () : nil }
    }

    /// The instant this long after the clock's current time.
    func deadline(after duration: Duration) -> ContinuousClock.Instant {
        ResilienceClock.instant(at: state.read { $0.now }.advanced(by: duration))
    }
}
