import Synchronization
import TestSupport

/// What a `PartServer` keeps account of, on its thread.
final class PartLedger: Sendable {
    private struct State {
        weak var server: LoopbackServer?
        /// Connections with a request that isn't answered.
        var inFlight: Set<Int> = []
        var most = 0
        var bodyBytes = 0
        var arrivals: [ContinuousClock.Instant] = []
        var callbacks: [(count: Int, gate: Gate)] = []
    }

    private let state = Mutex(State())

    func begin(_ server: LoopbackServer) { state.withLock { $0.server = server } }

    /// The most requests that were in flight at any moment.
    var most: Int { state.withLock { $0.most } }
    /// Bytes of bodies that were sent, or are just being sent.
    var bodyBytes: Int { state.withLock { $0.bodyBytes } }
    /// When each of the requests came.
    var arrivals: [ContinuousClock.Instant] { state.withLock { $0.arrivals } }

    /// Forgets what there was.
    func beginAnew() {
        state.withLock { state in
            (state.inFlight, state.most, state.bodyBytes, state.arrivals) = ([], 0, 0, [])
        }
    }

    /// Opens a gate as soon as so many are in flight.
    func open(_ gate: Gate, atOnce count: Int) {
        state.withLock { $0.callbacks.append((count, gate)) }
    }

    /// A request has come. Returns how many came before.
    func arrived(on connection: Int) -> Int {
        let (number, gates) = state.withLock { state in
            // A client that gave up has closed its connection before it asked for anything else.
            let server = state.server
            state.inFlight = state.inFlight.filter { server?.connection($0)?.isOpen ?? true }
            state.inFlight.insert(connection)
            state.most = max(state.most, state.inFlight.count)
            state.arrivals.append(.now)
            let most = state.most
            return (
                state.arrivals.count - 1, state.callbacks.filter { $0.count <= most }.map(\.gate)
            )
        }
        for gate in gates { gate.open() }
        return number
    }

    /// It is answered now, or never will be.
    func answered(on connection: Int) {
        state.withLock { _ = $0.inFlight.remove(connection) }
    }

    /// So many bytes more are sent.
    func sends(_ count: Int) {
        state.withLock { $0.bodyBytes += count }
    }
}
