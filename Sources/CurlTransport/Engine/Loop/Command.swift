/// A command of another thread to a loop.
enum Command: Sendable {
    case start(TransferPlan)
    case cancel(TransferID)
    case setReceiving(TransferID, isPaused: Bool)
    case setSending(TransferID, isPaused: Bool)
    /// A window that was empty has bytes, its end or an error now.
    case requestBodyChanged(TransferID)
    case answerRedirect(TransferID, RedirectDecision)
    case answerTrust(TransferID, TrustDecision)
    case connect(ByteConnectionPlan)
    case connection(TransferID, ByteConnectionCommand)
    /// A shared budget that this loop waits for has room again.
    case budgetChanged
    /// There may be room for the decoders of transfers that wait for memory.
    case decoderMemoryReleased
    /// This loop's share of the connections to a spread origin may have changed.
    case shareChanged(SpreadOrigin)
    /// A test's report of how busy the loop is. The closure is called when it has been handled.
    case loadReported(LoadWindow, @Sendable () -> Void)
    /// Asks for the loop's statistics. The closure is called with nil if the loop has ended.
    case describe(@Sendable (LoopSnapshot?) -> Void)
    case shutdown(ShutdownMode)
}

extension Command {
    /// Completes with an error what the command would have started, because the loop has ended.
    func refuse(_ error: TransportError) {
        switch self {
        case .start(let plan): plan.delegate.reportRefusal(of: plan.id, error)
        case .connect(let plan): plan.refuse(error)
        case .loadReported(_, let handled): handled()
        case .describe(let reply): reply(nil)
        default: break
        }
    }
}

/// A command of another thread to a loop, for one connection.
enum ByteConnectionCommand: Sendable {
    /// The outbox has bytes to send.
    case send
    case finishSending
    case setReceiving(isPaused: Bool)
    case answerTrust(TrustDecision)
    /// In nanoseconds.
    case setIdleLimit(Int64?)
    /// In nanoseconds.
    case close(within: Int64, awaitsPeer: Bool)
}
