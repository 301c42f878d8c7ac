internal import CurlNetworking
internal import Synchronization

/// A reachability source that a test controls.
final class ScriptedReachability: NetworkReachability {
    private struct State: Sendable {
        var onStatus: (@Sendable (NetworkReachabilityStatus) -> Void)?
        var starts = 0
        var stops = 0
    }

    private let state = Mutex(State())
    private let initial: NetworkReachabilityStatus?

    init(initial: NetworkReachabilityStatus? = nil) {
        self.initial = initial
    }

    var starts: Int { state.withLock { $0.starts } }
    var isStarted: Bool { state.withLock { $0.onStatus != nil } }

    func start(_ onStatus: @escaping @Sendable (NetworkReachabilityStatus) -> Void) {
        state.withLock { state in
            state.starts += 1
            state.onStatus = onStatus
        }
        if let initial { onStatus(initial) }
    }

    func stop() {
        state.withLock { $0.onStatus = nil }
    }

    func report(_ status: NetworkReachabilityStatus) {
        state.withLock { $0.onStatus }?(status)
    }
}
