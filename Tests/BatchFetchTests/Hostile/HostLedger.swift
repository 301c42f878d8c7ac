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

    /// A request that came where as many were in flight as may be, as far as the server knew.
    private struct Excess {
        let path: String
        let time: ContinuousClock.Instant
        /// Connections with a request that wasn't answered, then or since.
        var others: Set<Int>
        /// How many of them the client had given up, if it was right to come.
        let count: Int
    }

    /// A client's end of a connection may be overtaken by what another of its threads sends on another
    /// connection: on a busy machine each CPU delivers what was sent on it in its own time.
    private static let overtaking = Duration.seconds(1)

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
        var excesses: [Excess] = []
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

    /// The most that were in flight at any moment, beside what there are ``objections`` to.
    var most: Int { state.withLock { $0.most } }
    var requestCount: Int { state.withLock { $0.arrivals.values.reduce(0, +) } }
    var pauseCount: Int { state.withLock { $0.pauses.count } }
    /// Requests that were on their way when a pause began.
    var latecomers: Int { state.withLock { $0.pauses.reduce(0) { $0 + $1.arrivals } } }
    /// What was done to it that should not be.
    var objections: [String] {
        state.withLock { state in
            state.objections
                + state.excesses.filter { !isExcused($0, state) }.map {
                    "\(limit + $0.count) in flight with \($0.path)"
                }
        }
    }

    /// Whether as many as it needs had ended when the request came, and were only noticed later.
    private func isExcused(_ excess: Excess, _ state: State) -> Bool {
        let ended = excess.others.count {
            guard let record = state.server?.connection($0), let end = record.endedAt else {
                return false
            }
            return record.ending == .peer && end - excess.time < Self.overtaking
        }
        return ended >= excess.count
    }

    /// A request has come. Returns how often its path was asked for before.
    func arrived(_ path: String, on connection: Int) -> Int {
        defer { if most >= limit { isFull.open() } }
        return state.withLock { state in
            // A client that gave up has closed its connection before it asked for anything else.
            let server = state.server
            state.inFlight = state.inFlight.filter { server?.connection($0)?.isOpen ?? true }
            let others = state.inFlight.subtracting([connection])
            state.inFlight.insert(connection)
            state.most = max(state.most, min(limit, state.inFlight.count))
            if state.inFlight.count > limit {
                let count = state.inFlight.count - limit
                let excess = Excess(path: path, time: .now, others: others, count: count)
                state.excesses.append(excess)
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
        state.withLock { Self.settle(connection, &$0) }
    }

    private static func settle(_ connection: Int, _ state: inout State) {
        state.inFlight.remove(connection)
        for index in state.excesses.indices { state.excesses[index].others.remove(connection) }
    }

    /// Its connection is lost before the answer.
    func lost(_ path: String, on connection: Int) {
        state.withLock { state in
            Self.settle(connection, &state)
            state.unanswered.insert(path)
        }
    }

    /// From now on it wants to be left alone.
    func pause(until end: ContinuousClock.Instant) {
        state.withLock { $0.pauses.append(Pause(end: end)) }
    }
}
