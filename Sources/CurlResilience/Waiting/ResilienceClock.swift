internal import CurlTransport
package import Posix

/// The time, delays and random numbers of middlewares, which tests replace.
package struct ResilienceClock: Sendable {
    /// The instant that is zero as a ``MonotonicTime``.
    private static let origin = ContinuousClock.now

    private let read: @Sendable () -> MonotonicTime
    private let sleep: @Sendable (MonotonicTime) async throws -> Void
    private let random: @Sendable () -> Double

    /// - Parameters:
    ///   - now: The current time.
    ///   - sleep: Waits until a time, and throws if the task is cancelled.
    ///   - random: A number from 0 to 1.
    package init(
        now: @escaping @Sendable () -> MonotonicTime,
        sleep: @escaping @Sendable (MonotonicTime) async throws -> Void,
        random: @escaping @Sendable () -> Double
    ) {
        read = now
        self.sleep = sleep
        self.random = random
    }

    /// The clock of deadlines, and the system's random numbers.
    package static let continuous = ResilienceClock(
        now: { time(of: ContinuousClock.now) },
        sleep: { try await ContinuousClock().sleep(until: instant(at: $0)) },
        random: { Double.random(in: 0...1) }
    )

    package static func time(of instant: ContinuousClock.Instant) -> MonotonicTime {
        MonotonicTime(nanoseconds: origin.duration(to: instant).wholeNanoseconds)
    }

    package static func instant(at time: MonotonicTime) -> ContinuousClock.Instant {
        origin.advanced(by: .nanoseconds(time.nanoseconds))
    }

    /// The current time.
    var now: MonotonicTime { read() }

    /// A random number from 0 to 1.
    var share: Double { random() }

    /// The time since `start`, zero or more.
    func elapsed(since start: MonotonicTime) -> Duration {
        .nanoseconds(max(0, now.nanoseconds(since: start)))
    }

    /// Waits until a time. Returns false if the task was cancelled.
    func wait(until time: MonotonicTime) async -> Bool {
        guard time > now else { return !Task.isCancelled }
        do {
            try await sleep(time)
        } catch {
            return false
        }
        return !Task.isCancelled
    }

    /// The result of `body`, which must end when it is cancelled: that happens at the deadline.
    func limit<Value: Sendable>(
        until deadline: MonotonicTime,
        _ body: @escaping @Sendable () async -> Value?
    ) async -> Value? {
        guard deadline < .distantFuture else { return await body() }
        return await withTaskGroup(of: Value?.self) { group in
            group.addTask {
                _ = await wait(until: deadline)
                return nil
            }
            group.addTask { await body() }
            var value: Value?
            for await result in group {
                value = result ?? value
                group.cancelAll()
            }
            return value
        }
    }
}

extension RequestContext {
    /// The deadline as middlewares compare it; the distant future without one.
    var deadlineTime: MonotonicTime {
        deadline.map(ResilienceClock.time) ?? .distantFuture
    }
}
