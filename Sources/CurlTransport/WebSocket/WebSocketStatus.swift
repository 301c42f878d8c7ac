/// Why a WebSocket is closed, as a number. Source: RFC 6455, section 7.4.
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

    /// Whether it may stand in a close frame: those of the protocol that aren't set aside for what
    /// never goes over the wire, those registered since, and what is for libraries and applications.
    package var isSendable: Bool {
        switch rawValue {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}
