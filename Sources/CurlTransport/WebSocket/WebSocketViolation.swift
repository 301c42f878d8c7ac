/// What a server does against the protocol, or beyond what is taken, so that the WebSocket has to fail.
/// Source: RFC 6455, section 7.1.7.
package struct WebSocketViolation: Error, Sendable, Hashable {
    /// What the server is told.
    package let status: WebSocketStatus

    /// What was wrong, in English, without a full stop.
    package let reason: String

    static func protocolError(_ reason: String) -> Self {
        Self(status: .protocolError, reason: reason)
    }

    static func invalidText(_ reason: String) -> Self {
        Self(status: .invalidPayload, reason: reason)
    }

    static func tooBig(limit: Int) -> Self {
        Self(status: .messageTooBig, reason: "a message has more than \(limit) bytes")
    }
}
