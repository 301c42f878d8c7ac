internal import Synchronization

/// What a reachability manager consists of, whatever class it is.
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

    /// - Parameter onStatus: Called on any thread with a status and the number of the run that it is of.
    func start(_ onStatus: @escaping @Sendable (NetworkReachabilityStatus, Int) -> Void) {
        stop()
        let run = state.withLock { $0.run }
        source.start { onStatus($0, run) }
    }

    func stop() {
        state.withLock { $0.run += 1 }
        source.stop()
    }

    /// The manager is gone. What is under way is delivered nevertheless.
    func letGo() {
        source.stop()
    }

    /// Whether monitoring wasn't stopped since a run began.
    func isCurrent(_ run: Int) -> Bool { state.withLock { $0.run == run } }

    /// Takes a status over, and tells who wants to know. False if monitoring was stopped since.
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
