package import CurlURLSession
package import Dispatch
internal import Synchronization

/// Whether the kernel has a route, asked again whenever its routes, addresses or interfaces change.
///
/// A route doesn't mean that anybody answers.
package final class RouteReachability: NetworkReachability {
    private let hasRoute: @Sendable () -> Bool
    private let makeMonitor: MonitorMaker
    private let pause: DispatchTimeInterval
    /// Where routes are looked up, one look-up after the other.
    private let queue = DispatchQueue(label: "curl-networking-reachability")
    private let state = Mutex(State())

    /// What begins to call a function at changes on a queue, until the monitor is let go of.
    package typealias MonitorMaker =
        @Sendable (DispatchQueue, @escaping @Sendable () -> Void) throws -> any Sendable

    private struct State: Sendable {
        var monitor: (any Sendable)?
        var onStatus: (@Sendable (NetworkReachabilityStatus) -> Void)?
        /// Counts starts, so that what was begun before the last one is of no more interest.
        var run = 0
        var isScheduled = false
    }

    /// - Parameters:
    ///   - host: What should be reached; `nil` for anything beyond this machine.
    ///   - pause: How long changes are gathered, as there are many where an interface comes up.
    package init(
        host: HostRoute? = nil,
        pause: DispatchTimeInterval = .milliseconds(200),
        makeMonitor: @escaping MonitorMaker = { try RouteMonitor(queue: $0, onChange: $1) }
    ) {
        hasRoute = { host?.exists ?? NetworkRoutes.current.leadAnywhere }
        self.pause = pause
        self.makeMonitor = makeMonitor
    }

    deinit {
        stop()
    }

    package func start(_ onStatus: @escaping @Sendable (NetworkReachabilityStatus) -> Void) {
        stop()
        let run = state.withLock { state in
            state.onStatus = onStatus
            return state.run
        }
        do {
            let monitor = try makeMonitor(queue) { [weak self] in self?.noteChange(run) }
            state.withLock { state in
                if state.run == run { state.monitor = monitor }
            }
            queue.async { [weak self] in self?.tell(run) }
        } catch {
            // Nobody will tell of changes, so that what is found out now would soon be wrong.
            queue.async { [weak self] in self?.tell(.unknown, run) }
        }
    }

    package func stop() {
        let last = state.withLock { state in
            state.run += 1
            state.isScheduled = false
            defer { (state.monitor, state.onStatus) = (nil, nil) }
            return (state.monitor, state.onStatus)
        }
        // Let go of outside of the lock.
        extendLifetime(last)
    }

    /// Looks again after a while, unless that is about to happen.
    private func noteChange(_ run: Int) {
        let isFirst = state.withLock { state in
            guard state.run == run, !state.isScheduled else { return false }
            state.isScheduled = true
            return true
        }
        guard isFirst else { return }
        queue.asyncAfter(deadline: .now() + pause) { [weak self] in
            self?.state.withLock { state in
                if state.run == run { state.isScheduled = false }
            }
            self?.tell(run)
        }
    }

    private func tell(_ run: Int) {
        guard state.withLock({ $0.run == run }) else { return }
        tell(hasRoute() ? .reachableViaWiFi : .notReachable, run)
    }

    private func tell(_ status: NetworkReachabilityStatus, _ run: Int) {
        state.withLock { $0.run == run ? $0.onStatus : nil }?(status)
    }
}
