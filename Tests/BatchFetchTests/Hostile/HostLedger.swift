import Synchronization
import TestSupport

/// Records, on the server's thread, how clients treat a host.
final class HostLedger: Sendable {
    /// A time in which the host wants no requests.
    private struct Pause {
        let end: ContinuousClock.Instant
        /// When the client has received the request for the pause, even on a busy machine.
        let delivery = ContinuousClock.now + ConnectionRecord.overtaking / 2
        var arrivals = 0
        /// The arrivals after the delivery.
        var late = 0
    }

    /// A request that arrived at the limit of requests in flight, as seen by the server.
    private struct Excess {
        let path: String
        let time: ContinuousClock.Instant
        /// The connections whose request was unanswered then, and still is.
        var others: Set<Int>
        /// How many of them the client must have closed for the request to be allowed.
        let count: Int
    }

    private struct State {
        weak var server: LoopbackServer?
        /// Connections with an unanswered request.
        var inFlight: Set<Int> = []
        var most = 0
        var pauses: [Pause] = []
        var arrivals: [String: Int] = [:]
        /// Paths whose connection was lost before the first byte of the answer: if the connection
        /// had served another request, libcurl retries by itself.
        var unanswered: Set<String> = []
        var excesses: [Excess] = []
        var objections: [String] = []
    }

    let limit: Int
    /// Opens when the number of requests in flight first reaches the limit.
    let isFull = Gate()
    private let state = Mutex(State())

    init(limit: Int) {
        self.limit = limit
    }

    func begin(_ server: LoopbackServer) { state.withLock { $0.server = server } }

    /// The most requests in flight at any moment, without those in ``objections``.
    var most: Int { state.withLock { $0.most } }
    var requestCount: Int { state.withLock { $0.arrivals.values.reduce(0, +) } }
    var pauseCount: Int { state.withLock { $0.pauses.count } }
    /// Requests that arrived during a pause.
    var latecomers: Int { state.withLock { $0.pauses.reduce(0) { $0 + $1.arrivals } } }
    /// The violations of the host's limits.
    var objections: [String] {
        state.withLock { state in
            state.objections
                + state.excesses.filter { !isExcused($0, state) }.map {
                    "\(limit + $0.count) in flight with \($0.path)"
                }
        }
    }

    /// Whether enough connections had ended by the request's arrival, unnoticed by the server.
    private func isExcused(_ excess: Excess, _ state: State) -> Bool {
        let ended = excess.others.count {
            state.server?.connection($0)?.wasGivenUp(by: excess.time) ?? false
        }
        return ended >= excess.count
    }

    /// Records the arrival of a request. Returns how often its path was requested before.
    func arrived(_ path: String, on connection: Int) -> Int {
        defer { if most >= limit { isFull.open() } }
        return state.withLock { state in
            // A client that gave up has closed its connection before its next request.
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

    /// Counts a request that arrives during a pause. A client with one request in flight sends the
    /// next one after the pause. With more of them, each request that was in flight may end and be
    /// followed by another before the client reads the response that requests the pause, and by any
    /// number before that response is delivered.
    private func count(_ path: String, _ state: inout State) {
        let now = ContinuousClock.now
        for index in state.pauses.indices where now < state.pauses[index].end {
            state.pauses[index].arrivals += 1
            guard limit == 1 || now >= state.pauses[index].delivery else { continue }
            state.pauses[index].late += 1
            if state.pauses[index].late > limit - 1 {
                let left = state.pauses[index].end - now
                state.objections.append("\(path) came \(left) before the end of a pause")
            }
        }
    }

    /// Records that the connection's request is answered.
    func answered(on connection: Int) {
        state.withLock { Self.settle(connection, &$0) }
    }

    private static func settle(_ connection: Int, _ state: inout State) {
        state.inFlight.remove(connection)
        for index in state.excesses.indices { state.excesses[index].others.remove(connection) }
    }

    /// Records that the connection is lost before the answer.
    func lost(_ path: String, on connection: Int) {
        state.withLock { state in
            Self.settle(connection, &state)
            state.unanswered.insert(path)
        }
    }

    /// Starts a pause in which the host wants no requests.
    func pause(until end: ContinuousClock.Instant) {
        state.withLock { $0.pauses.append(Pause(end: end)) }
    }
}
