internal import CurlTransport
internal import Foundation

/// What a WebSocket task has beside what every task has.
struct TaskWebSocket: Sendable {
    /// It outlasts attempts to connect: a server may ask for a credential first.
    let connection = WebSocketConnection(outlastsAttempts: true)
    /// Handlers are called there, when the task is over as well.
    let events: DelegateEvents

    /// What the delegate is told.
    var subprotocol: String?
    var closing: (code: URLSessionWebSocketTask.CloseCode, reason: Data?)?
}
