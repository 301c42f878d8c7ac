/// Why a WebSocket couldn't be opened, or has ended.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum WebSocketError: Error, Sendable, Hashable {
    /// The request is invalid. The reason is in English, without a full stop.
    case invalidRequest(String)

    /// This side has closed or cancelled it, or the waiting task was cancelled.
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

extension WebSocketError: CustomStringConvertible {
    /// The reason, in English, on one line.
    public var description: String {
        switch self {
        case .invalidRequest(let reason): "invalid WebSocket request: \(reason)"
        case .cancelled: "the WebSocket, or the task that waits for it, was cancelled"
        case .connection(let error): "the WebSocket's connection failed: \(error)"
        case .refused(let status, let reason):
            "the WebSocket was refused with the status \(status): \(reason)"
        case .violation(let violation):
            "the server has violated the WebSocket protocol: \(violation.reason)"
        case .closed(let status): "the WebSocket was closed with the status \(status.rawValue)"
        }
    }
}

/// The status code of a close frame. Source: RFC 6455, section 7.4.
public struct WebSocketStatus: RawRepresentable, Sendable, Hashable {
    /// The number in the close frame.
    public let rawValue: UInt16

    /// Creates a status, such as one from 4000 to 4999 for the application.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// 1000: the conversation has ended as planned.
    public static let normalClosure = Self(rawValue: 1000)
    /// 1001: a server shuts down, or a page is left.
    public static let goingAway = Self(rawValue: 1001)
    /// 1002: the other side has violated the protocol.
    public static let protocolError = Self(rawValue: 1002)
    /// 1003: the other side has sent a kind of message that isn't accepted.
    public static let unsupportedData = Self(rawValue: 1003)
    /// 1005, never sent: the close frame had no status.
    public static let noneReceived = Self(rawValue: 1005)
    /// 1006, never sent: there was no close frame.
    public static let abnormalClosure = Self(rawValue: 1006)
    /// 1007: a message doesn't match its kind, such as text that isn't UTF-8.
    public static let invalidPayload = Self(rawValue: 1007)
    /// 1008: a message violates a rule of this side.
    public static let policyViolation = Self(rawValue: 1008)
    /// 1009: a message is too large.
    public static let messageTooBig = Self(rawValue: 1009)
    /// 1010: the server didn't agree to a required extension.
    public static let extensionMissing = Self(rawValue: 1010)
    /// 1011: a server can't continue because of an error of its own.
    public static let internalError = Self(rawValue: 1011)

    /// Whether a close frame may have this status.
    ///
    /// These are the codes of the protocol that aren't reserved for local use, codes registered
    /// later, and codes for libraries and applications.
    public var isSendable: Bool {
        switch rawValue {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}

/// A violation of the protocol or of a limit, for which the WebSocket must fail.
///
/// Source: RFC 6455, section 7.1.7.
public struct WebSocketViolation: Error, Sendable, Hashable {
    /// The status to send to the server.
    public let status: WebSocketStatus

    /// What is wrong, in English without a full stop.
    public let reason: String

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
