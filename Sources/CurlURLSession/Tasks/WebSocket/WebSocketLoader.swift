internal import CurlTransport
internal import Foundation
internal import Synchronization

/// Connects a task's WebSocket. Loads nothing, and ends when the connection is closed or can't be
/// opened.
final class WebSocketLoader: Loader, WebSocketDelegate {
    private struct State {
        /// Whether the server has refused the WebSocket with an HTTP response.
        var isRefused = false
        /// Set just before the end.
        var metrics: TransferMetrics?
    }

    private let socket: WebSocketConnection
    private let request: WebSocketRequest
    private let transport: Transport
    private let client: TaskCore
    private let state = Mutex(State())

    init(
        _ request: WebSocketRequest,
        over socket: WebSocketConnection,
        transport: Transport,
        client: TaskCore
    ) {
        self.socket = socket
        self.request = request
        self.transport = transport
        self.client = client
    }

    // MARK: Loader

    func start() {
        guard !socket.connect(request, over: transport, delegate: self) else { return }
        end(.transport(.cancelled))
    }

    func cancel() {
        socket.cancel()
    }

    /// Messages flow on demand, unless the task is suspended.
    func allow(receiving: Bool, sending: Bool) {
        socket.setSuspended(!sending)
    }

    func answer(trust decision: TrustDecision) {
        socket.answer(trust: decision)
    }

    private func end(_ failure: LoadOutcome.Failure?) {
        let metrics = state.withLock { $0.metrics.take() }
        client.loader(self, didReceive: .end(LoadOutcome(failure: failure, metrics: metrics)))
        client.loader(self, didReceive: .endOfLastTurn)
    }

    // MARK: WebSocketDelegate

    func webSocket(
        _ socket: WebSocketConnection,
        didReceive trust: ServerTrust
    ) -> TrustDecision {
        let decision = client.loader(self, didReceive: trust)
        client.loader(self, didReceive: .endOfTurn)
        return decision
    }

    func webSocket(
        _ socket: WebSocketConnection,
        didOpenWith subprotocol: String?,
        head: ResponseHead
    ) {
        _ = client.loader(self, didReceive: .head(head))
        client.state.withLock { $0.noteOpening(subprotocol, by: self) }
        client.loader(self, didReceive: .endOfTurn)
    }

    func webSocket(_ socket: WebSocketConnection, wasRefusedWith head: ResponseHead) {
        if head.statusCode != 101 { state.withLock { $0.isRefused = true } }
        _ = client.loader(self, didReceive: .head(head))
        client.loader(self, didReceive: .endOfTurn)
    }

    func webSocket(
        _ socket: WebSocketConnection,
        didReceiveClose status: WebSocketStatus,
        reason: String
    ) {
        let closing = TaskWebSocket.Closing(status, reason: reason)
        client.state.withLock { $0.noteClosing(closing, by: self) }
        client.updateClosing()
        client.loader(self, didReceive: .endOfTurn)
    }

    func webSocket(
        _ socket: WebSocketConnection,
        didFinishCollecting metrics: TransferMetrics
    ) {
        state.withLock { $0.metrics = metrics }
    }

    func webSocket(
        _ socket: WebSocketConnection,
        didCompleteWith error: WebSocketError?,
        status: WebSocketStatus?
    ) {
        switch error {
        case .none:
            client.state.withLock { $0.noteUnansweredClosing(by: self) }
            client.updateClosing()
            end(nil)
        case .connection(let error) where error.code != .emptyReply:
            end(.transport(error))
        case .refused where state.withLock({ $0.isRefused }):
            // The task handles the refusing response.
            end(nil)
        case .some(let error):
            end(.other(client.state.withLock { $0.userError(of: error) }))
        }
    }
}
