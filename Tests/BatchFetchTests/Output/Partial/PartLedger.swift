import Synchronization
import TestSupport

/// Records the requests to a `PartServer`, on its thread.
final class PartLedger: Sendable {
    /// The requests in flight when a request arrived.
    private struct Crowd {
        let time = ContinuousClock.now
        let count: Int
        /// Its connections whose request was unanswered then, and still is.
        var unanswered: Set<Int>
    }

    private struct State {
        weak var server: LoopbackServer?
        /// Connections with an unanswered request.
        var inFlight: Set<Int> = []
        var most = 0
        var crowds: [Crowd] = []
        var bodyBytes = 0
        var arrivals: [ContinuousClock.Instant] = []
        var callbacks: [(count: Int, gate: Gate)] = []
    }

    private let state = Mutex(State())

    func begin(_ server: LoopbackServer) { state.withLock { $0.server = server } }

    /// The most requests in flight at any moment.
    var most: Int { state.withLock { $0.most } }

    /// The most requests in flight at any moment. Above `limit` it doesn't count requests that the
    /// client had ended by then, and whose end the server noticed later.
    func most(limit: Int) -> Int {
        state.withLock { state in
            state.crowds.map { crowd in
                guard crowd.count > limit else { return crowd.count }
                let ended = crowd.unanswered.count {
                    state.server?.connection($0)?.wasGivenUp(by: crowd.time) ?? false
                }
                return max(limit, crowd.count - ended)
            }.max() ?? 0
        }
    }

    /// The bytes of bodies that have been sent or are being sent.
    var bodyBytes: Int { state.withLock { $0.bodyBytes } }
    /// The arrival times of the requests.
    var arrivals: [ContinuousClock.Instant] { state.withLock { $0.arrivals } }

    /// Resets all counts.
    func reset() {
        state.withLock { state in
            (state.inFlight, state.most, state.bodyBytes, state.arrivals) = ([], 0, 0, [])
            state.crowds = []
        }
    }

    /// Opens a gate as soon as `count` requests are in flight.
    func open(_ gate: Gate, atOnce count: Int) {
        state.withLock { $0.callbacks.append((count, gate)) }
    }

    /// Records the arrival of a request. Returns how many arrived before.
    func arrived(on connection: Int) -> Int {
        let (number, gates) = state.withLock { state in
            // A client that gave up has closed its connection before its next request.
            let server = state.server
            state.inFlight = state.inFlight.filter { server?.connection($0)?.isOpen ?? true }
            state.inFlight.insert(connection)
            state.most = max(state.most, state.inFlight.count)
            state.arrivals.append(.now)
            state.crowds.append(Crowd(count: state.inFlight.count, unanswered: state.inFlight))
            let most = state.most
            return (
                state.arrivals.count - 1, state.callbacks.filter { $0.count <= most }.map(\.gate)
            )
        }
        for gate in gates { gate.open() }
        return number
    }

    /// Records that the connection's request is answered, or never will be.
    func answered(on connection: Int) {
        state.withLock { state in
            state.inFlight.remove(connection)
            for index in state.crowds.indices { state.crowds[index].unanswered.remove(connection) }
        }
    }

    /// Records that `count` more bytes are sent.
    func sends(_ count: Int) {
        state.withLock { $0.bodyBytes += count }
    }
}
