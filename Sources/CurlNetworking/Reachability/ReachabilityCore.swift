internal import Synchronization

/// The state of a reachability manager, independent of its class.
final class ReachabilityCore: Sendable {
    private let source: any NetworkReachability
    private let state = Mutex(State())

    private struct State: Sendable {
        var status = NetworkReachabilityStatus.unknown
        var onChange: (@Sendable (NetworkReachabilityStatus) -> Void)?
        var run = 0
    }

    init(_ source: any NetworkReachability) {
        self.source = source
    }

    var status: NetworkReachabilityStatus { state.withLock { $0.status } }

    var onChange: (@Sendable (NetworkReachabilityStatus) -> Void)? {
        get { state.withLock { $0.onChange } }
        set { state.withLock { $0.onChange = newValue } }
    }

    /// - Parameter onStatus: Called on any thread with a status and the number of its run.
    func start(_ onStatus: @escaping @Sendable (NetworkReachabilityStatus, Int) -> Void) {
        stop()
        let run = state.withLock { $0.run }
        source.start { onStatus($0, run) }
    }

    func stop() {
        state.withLock { $0.run += 1 }
        source.stop()
    }

    /// Stops the source when the manager is deallocated.
    ///
    /// Statuses in flight are still delivered.
    func release() {
        source.stop()
    }

    /// Whether monitoring hasn't been stopped since a run started.
    func isCurrent(_ run: Int) -> Bool { state.withLock { $0.run == run } }

    /// Stores a status and calls the handler.
    ///
    /// It returns `false` if monitoring was stopped since.
    func take(_ status: NetworkReachabilityStatus, of run: Int) -> Bool {
        let onChange = state.withLock {
            state -> (@Sendable (NetworkReachabilityStatus) -> Void)?? in
            guard state.run == run else { return nil }
            state.status = status
            return state.onChange
        }
        guard let onChange else { return false }
        onChange?(status)
        return true
    }
}
