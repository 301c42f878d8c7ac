internal import Posix
internal import Synchronization

/// Receives the events of a client's WebSocket, for the tasks that wait for its opening or its end.
final class WebSocketEvents: WebSocketDelegate {
    /// The result of an accepted handshake.
    struct Opening: Sendable {
        let subprotocol: String?
        let head: ResponseHead
    }

    private struct State {
        var opening: Opening?
        var end: WebSocketError?
        var hasEnded = false
        /// Whether the program has closed the WebSocket.
        var isClosing = false
        /// Why this side has cancelled it, if the program hasn't.
        var failure: WebSocketError?
        var metrics: TransferMetrics?
        var waiters: [CheckedContinuation<Void, Never>] = []

        mutating func takeWaiters() -> [CheckedContinuation<Void, Never>] {
            defer { waiters = [] }
            return waiters
        }
    }

    private let state = Mutex(State())
    private let trustHook: (@Sendable (ServerTrust) async -> TrustDecision)?
    private let hookTasks: CallerTasks?

    /// Creates a recipient in the task whose task-local values the hook gets.
    init(hooks: ClientHooks, options: TransferOptions) {
        trustHook = options.tls.evaluatesServerTrust ? hooks.serverTrust : nil
        hookTasks = trustHook == nil ? nil : CallerTasks()
    }

    var metrics: TransferMetrics? { state.withLock { $0.metrics } }

    var hasEnded: Bool { state.withLock { $0.hasEnded } }

    /// Whether the program has closed the WebSocket.
    var isClosing: Bool { state.withLock { $0.isClosing } }

    /// Records that the program closes the WebSocket.
    func beginClosing() {
        state.withLock { $0.isClosing = true }
    }

    /// Records why this side cancels the WebSocket. Only the first reason is kept.
    func fail(_ error: WebSocketError) {
        state.withLock { state in
            if state.failure == nil, !state.isClosing { state.failure = error }
        }
    }

    /// The error to report for one of the connection.
    func reported(_ error: WebSocketError) -> WebSocketError {
        guard error == .cancelled else { return error }
        return state.withLock { $0.failure } ?? error
    }

    // MARK: Waiting

    /// Waits until the handshake has been accepted, or the WebSocket has ended.
    func opened() async throws(WebSocketError) -> Opening {
        await wait { $0.opening != nil || $0.hasEnded }
        let (opening, end) = state.withLock { ($0.opening, $0.end) }
        guard let opening else { throw end ?? .cancelled }
        return opening
    }

    /// Waits for the end.
    func ended() async {
        await wait { $0.hasEnded }
    }

    private func wait(until isReached: (State) -> Bool) async {
        while !state.withLock({ isReached($0) }) {
            await withCheckedContinuation { continuation in
                let isReached = state.withLock { state in
                    if isReached(state) { return true }
                    state.waiters.append(continuation)
                    return false
                }
                if isReached { continuation.resume() }
            }
        }
    }

    private func change(_ change: (inout State) -> Void) {
        let waiters = state.withLock { state in
            change(&state)
            return state.takeWaiters()
        }
        for waiter in waiters { waiter.resume() }
    }

    // MARK: WebSocketDelegate

    func webSocket(_ socket: WebSocketConnection, didReceive trust: ServerTrust) -> TrustDecision {
        guard let trustHook, let hookTasks else { return .performDefaultHandling }
        hookTasks.start {
            let decision = await trustHook(trust)
            socket.answer(trust: decision == .later ? .reject : decision)
        }
        return .later
    }

    func webSocket(
        _ socket: WebSocketConnection,
        didOpenWith subprotocol: String?,
        head: ResponseHead
    ) {
        change { $0.opening = Opening(subprotocol: subprotocol, head: head) }
    }

    func webSocket(
        _ socket: WebSocketConnection,
        didReceiveClose status: WebSocketStatus,
        reason: String
    ) {}

    func webSocket(_ socket: WebSocketConnection, didFinishCollecting metrics: TransferMetrics) {
        state.withLock { $0.metrics = metrics }
    }

    func webSocket(
        _ socket: WebSocketConnection,
        didCompleteWith error: WebSocketError?,
        status: WebSocketStatus?
    ) {
        change { state in
            state.end = error
            state.hasEnded = true
        }
    }
}
