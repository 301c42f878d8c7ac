/// What is sent and received over a WebSocket.
package enum WebSocketMessage: Sendable, Hashable {
    case text(String)
    case binary([UInt8])
}
