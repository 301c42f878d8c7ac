import CurlTransport
import TestSupport

/// A WebSocket delegate that records its calls in order.
final class SocketRecorder: WebSocketDelegate {
    enum Event: Sendable, Equatable {
        case open(String?)
        case refused(Int)
        case close(Int, String)
        case metrics
        case completed(WebSocketError?, Int?)
    }

    private let state = Watched<[Event]>([])

    var events: [Event] { state.read { $0 } }

    func event(_ event: Event) async throws {
        try await state.wait { $0.contains(event) ? () : nil }
    }

    func opened() async throws {
        try await state.wait { events in
            events.contains { if case .open = $0 { true } else { false } } ? () : nil
        }
    }

    /// Waits for the end and returns its error (nil for none) and status.
    func end() async throws -> (error: WebSocketError?, status: Int?) {
        try await state.wait { events in
            guard case .completed(let error, let status) = events.last else { return nil }
            return (error, status)
        }
    }

    private func record(_ event: Event) { state.update { $0.append(event) } }

    func webSocket(
        _ socket: WebSocketConnection,
        didOpenWith subprotocol: String?,
        head: ResponseHead
    ) {
        record(.open(subprotocol))
    }

    func webSocket(_ socket: WebSocketConnection, wasRefusedWith head: ResponseHead) {
        record(.refused(head.statusCode))
    }

    func webSocket(
        _ socket: WebSocketConnection,
        didReceiveClose status: WebSocketStatus,
        reason: String
    ) {
        record(.close(Int(status.rawValue), reason))
    }

    func webSocket(
        _ socket: WebSocketConnection,
        didFinishCollecting metrics: TransferMetrics
    ) {
        record(.metrics)
    }

    func webSocket(
        _ socket: WebSocketConnection,
        didCompleteWith error: WebSocketError?,
        status: WebSocketStatus?
    ) {
        record(.completed(error, status.map { Int($0.rawValue) }))
    }
}
