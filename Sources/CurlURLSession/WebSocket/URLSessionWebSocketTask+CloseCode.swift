extension URLSessionWebSocketTask {
    /// Why a connection was closed (RFC 6455, 7.4.1).
    public enum CloseCode: Int, Sendable {
        /// It isn't closed, or for a reason that isn't known.
        case invalid = 0
        /// What the connection was for is done.
        case normalClosure = 1000
        /// The other end goes away.
        case goingAway = 1001
        /// The protocol was broken.
        case protocolError = 1002
        /// Data of a kind that can't be taken.
        case unsupportedData = 1003
        /// The other end gave no reason. Never sent.
        case noStatusReceived = 1005
        /// The connection was lost. Never sent.
        case abnormalClosure = 1006
        /// Text that isn't UTF-8, or the like.
        case invalidFramePayloadData = 1007
        /// A policy was broken.
        case policyViolation = 1008
        /// A message was too large.
        case messageTooBig = 1009
        /// The server lacks an extension. Sent by clients alone.
        case mandatoryExtensionMissing = 1010
        /// The server failed.
        case internalServerError = 1011
        /// The TLS handshake failed. Never sent.
        case tlsHandshakeFailure = 1015
    }
}
