package import CurlURLSession
package import Dispatch
internal import Synchronization

/// Determines whether the kernel has a route, and repeats that after changes.
///
/// Changes are those of routes, addresses and interfaces. A route doesn't mean that the host
/// answers.
package final class RouteReachability: NetworkReachability {
    private let hasRoute: @Sendable () -> Bool
    private let makeMonitor: MonitorMaker
    private let pause: DispatchTimeInterval
    /// The serial queue on which routes are looked up.
    private let queue = DispatchQueue(label: "curl-networking-reachability")
    private let state = Mutex(State())

    /// Creates a monitor that calls a function at changes.
    ///
    /// It calls the function on the given queue until it is released.
    package typealias MonitorMaker =
        @Sendable (DispatchQueue, @escaping @Sendable () -> Void) throws -> any Sendable

    private struct State: Sendable {
        var monitor: (any Sendable)?
        var onStatus: (@Sendable (NetworkReachabilityStatus) -> Void)?
        /// Counts starts and stops, to ignore results of earlier runs.
        var run = 0
        var isScheduled = false
    }

    /// - Parameters:
    ///   - host: The target; `nil` for the network as a whole, which needs a default route.
    ///   - pause: How long changes are collected, because an interface that comes up causes many.
    ///   - routes: Returns the kernel's routes. Not called for a host.
    package init(
        host: HostRoute? = nil,
        pause: DispatchTimeInterval = .milliseconds(200),
        makeMonitor: @escaping MonitorMaker = { try RouteMonitor(queue: $0, onChange: $1) },
        routes: @escaping @Sendable () -> NetworkRoutes = { NetworkRoutes.current }
    ) {
        hasRoute = { host?.exists ?? routes().haveDefault }
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
            queue.async { [weak self] in self?.report(run) }
        } catch {
            // Without reports of changes, a status determined now would soon be wrong.
            queue.async { [weak self] in self?.report(.unknown, run) }
        }
    }

    package func stop() {
        let last = state.withLock { state in
            state.run += 1
            state.isScheduled = false
            defer { (state.monitor, state.onStatus) = (nil, nil) }
            return (state.monitor, state.onStatus)
        }
        // Released after the lock is unlocked.
        extendLifetime(last)
    }

    /// Schedules a new look-up after the pause, unless one is already scheduled.
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
            self?.report(run)
        }
    }

    private func report(_ run: Int) {
        guard state.withLock({ $0.run == run }) else { return }
        report(hasRoute() ? .reachableViaWiFi : .notReachable, run)
    }

    private func report(_ status: NetworkReachabilityStatus, _ run: Int) {
        state.withLock { $0.run == run ? $0.onStatus : nil }?(status)
    }
}
