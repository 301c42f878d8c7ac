/// What the frames that came amount to.
package enum WebSocketEvent: Sendable, Hashable {
    case message(WebSocketMessage)
    case ping([UInt8])
    case pong([UInt8])
    /// The server closes; nil where it doesn't say why.
    case close(WebSocketStatus?, reason: String)
}
