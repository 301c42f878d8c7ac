import Synchronization
import TestSupport

/// What a host keeps of the requests that come, on its server's thread, to know at any moment how it is
/// treated.
final class HostLedger: Sendable {
    /// A time in which the host wants to be left alone.
    private struct Pause {
        let end: ContinuousClock.Instant
        var arrivals = 0
    }

    private struct State {
        weak var server: LoopbackServer?
        /// Connections with a request that isn't answered.
        var inFlight: Set<Int> = []
        var most = 0
        var pauses: [Pause] = []
        var arrivals: [String: Int] = [:]
        /// Whose connection was lost before a byte of the answer: libcurl asks again by itself where the
        /// connection had served another request.
        var unanswered: Set<String> = []
        var objections: [String] = []
    }

    let limit: Int
    /// Open from the moment on at which as many were in flight as may be.
    let isFull = Gate()
    private let state = Mutex(State())

    init(limit: Int) {
        self.limit = limit
    }

    func begin(_ server: LoopbackServer) { state.withLock { $0.server = server } }

    /// The most that were in flight at any moment.
    var most: Int { state.withLock { $0.most } }
    var requestCount: Int { state.withLock { $0.arrivals.values.reduce(0, +) } }
    var pauseCount: Int { state.withLock { $0.pauses.count } }
    /// Requests that were on their way when a pause began.
    var latecomers: Int { state.withLock { $0.pauses.reduce(0) { $0 + $1.arrivals } } }
    /// What was done to it that should not be.
    var objections: [String] { state.withLock { $0.objections } }

    /// A request has come. Returns how often its path was asked for before.
    func arrived(_ path: String, on connection: Int) -> Int {
        defer { if most >= limit { isFull.open() } }
        return state.withLock { state in
            // A client that gave up has closed its connection before it asked for anything else.
            let server = state.server
            state.inFlight = state.inFlight.filter { server?.connection($0)?.isOpen ?? true }
            state.inFlight.insert(connection)
            state.most = max(state.most, state.inFlight.count)
            if state.inFlight.count > limit {
                state.objections.append("\(state.inFlight.count) in flight with \(path)")
            }
            let isRepeated = state.unanswered.remove(path) != nil
            if !isRepeated { count(path, &state) }
            defer { state.arrivals[path, default: 0] += 1 }
            return state.arrivals[path, default: 0]
        }
    }

    /// Whoever is alone at a host comes after the pause. Of others, each one that was in flight may have ended
    /// and been followed by another before the client has read of the pause.
    private func count(_ path: String, _ state: inout State) {
        let now = ContinuousClock.now
        for index in state.pauses.indices where now < state.pauses[index].end {
            state.pauses[index].arrivals += 1
            if state.pauses[index].arrivals > limit - 1 {
                let left = state.pauses[index].end - now
                state.objections.append("\(path) came \(left) before the end of a pause")
            }
        }
    }

    /// It is answered now.
    func answered(on connection: Int) {
        state.withLock { _ = $0.inFlight.remove(connection) }
    }

    /// Its connection is lost before the answer.
    func lost(_ path: String, on connection: Int) {
        state.withLock { state in
            state.inFlight.remove(connection)
            state.unanswered.insert(path)
        }
    }

    /// From now on it wants to be left alone.
    func pause(until end: ContinuousClock.Instant) {
        state.withLock { $0.pauses.append(Pause(end: end)) }
    }
}
