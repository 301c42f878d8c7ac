/// What other threads ask of a loop for one connection.
enum ByteConnectionCommand: Sendable {
    /// There are bytes to send.
    case send
    case finishSending
    case setReceiving(isPaused: Bool)
    case answerTrust(TrustDecision)
    /// In nanoseconds.
    case setIdleLimit(Int64?)
    /// In nanoseconds.
    case close(within: Int64, awaitsPeer: Bool)
}
