import CurlTransport
import TestSupport

/// A WebSocket delegate that sends every message back.
final class EchoClient: WebSocketDelegate {
    private struct State: Sendable {
        var subprotocol: String?
        var isOpen = false
        var end: (error: WebSocketError?, status: WebSocketStatus?)?
    }

    private let state = Watched(State())

    func start(_ socket: WebSocketConnection) {
        socket.receive { result in
            guard case .success(let message) = result else { return }
            socket.send(message) { _ in }
            self.start(socket)
        }
    }

    /// Waits for the end.
    func end() async throws -> (error: WebSocketError?, status: WebSocketStatus?) {
        try await state.wait { $0.end }
    }

    func webSocket(
        _ socket: WebSocketConnection,
        didOpenWith subprotocol: String?,
        head: ResponseHead
    ) {
        state.update { state in
            state.isOpen = true
            state.subprotocol = subprotocol
        }
    }

    func webSocket(
        _ socket: WebSocketConnection,
        didReceiveClose status: WebSocketStatus,
        reason: String
    ) {}

    func webSocket(
        _ socket: WebSocketConnection,
        didCompleteWith error: WebSocketError?,
        status: WebSocketStatus?
    ) {
        state.update { $0.end = (error, status) }
    }
}
