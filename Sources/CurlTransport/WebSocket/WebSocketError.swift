/// Why a WebSocket couldn't be opened, or has ended.
package enum WebSocketError: Error, Sendable, Hashable {
    /// The request is invalid. The reason is in English, without a full stop.
    case invalidRequest(String)

    /// This side has cancelled it.
    case cancelled

    /// The connection couldn't be opened, or was lost.
    case connection(TransportError)

    /// The server refused the handshake: its status, and the reason, in English without a full
    /// stop.
    case refused(statusCode: Int, String)

    /// The server has violated the protocol.
    case violation(WebSocketViolation)

    /// It was closed in order. Nothing can be sent or received any more.
    case closed(WebSocketStatus)
}

/// The status code of a close frame. Source: RFC 6455, section 7.4.
package struct WebSocketStatus: RawRepresentable, Sendable, Hashable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    package static let normalClosure = Self(rawValue: 1000)
    package static let goingAway = Self(rawValue: 1001)
    package static let protocolError = Self(rawValue: 1002)
    package static let unsupportedData = Self(rawValue: 1003)
    /// Never sent: the close frame had no status.
    package static let noneReceived = Self(rawValue: 1005)
    /// Never sent: there was no close frame.
    package static let abnormalClosure = Self(rawValue: 1006)
    package static let invalidPayload = Self(rawValue: 1007)
    package static let policyViolation = Self(rawValue: 1008)
    package static let messageTooBig = Self(rawValue: 1009)
    package static let extensionMissing = Self(rawValue: 1010)
    package static let internalError = Self(rawValue: 1011)

    /// Whether a close frame may have this status.
    ///
    /// These are the codes of the protocol that aren't reserved for local use, codes registered
    /// later, and codes for libraries and applications.
    package var isSendable: Bool {
        switch rawValue {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}

/// A violation of the protocol or of a limit, for which the WebSocket must fail.
///
/// Source: RFC 6455, section 7.1.7.
package struct WebSocketViolation: Error, Sendable, Hashable {
    /// The status to send to the server.
    package let status: WebSocketStatus

    /// What is wrong, in English without a full stop.
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
