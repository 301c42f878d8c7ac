/// Why a WebSocket came to nothing, or to its end.
package enum WebSocketError: Error, Sendable, Hashable {
    /// The request can't be made as it is. In English, without a full stop.
    case invalidRequest(String)

    /// Somebody on this side ended it.
    case cancelled

    /// The connection couldn't be made, or was lost.
    case connection(TransportError)

    /// The server didn't agree to speak the protocol: its status, and what was wrong, in English and
    /// without a full stop.
    case refused(statusCode: Int, String)

    /// The server doesn't keep to the protocol.
    case violation(WebSocketViolation)

    /// It was closed in order: nothing can be sent or received any more.
    case closed(WebSocketStatus)
}
