/// What other threads ask of a loop.
enum Command: Sendable {
    case start(TransferPlan)
    case cancel(TransferID)
    case setReceiving(TransferID, isPaused: Bool)
    case setSending(TransferID, isPaused: Bool)
    /// A window that had nothing to send has bytes, its end or an error now.
    case requestBodyChanged(TransferID)
    case answerRedirect(TransferID, RedirectDecision)
    case answerTrust(TransferID, TrustDecision)
    case connect(ByteConnectionPlan)
    case connection(TransferID, ByteConnectionCommand)
    /// A shared budget on which this loop waits has room again.
    case budgetChanged
    case shutdown(ShutdownMode)
}

extension Command {
    /// Completes what the command would have begun, where the loop takes nothing more.
    func refuse(_ error: TransportError) {
        switch self {
        case .start(let plan): plan.delegate.tellRefusal(of: plan.id, error)
        case .connect(let plan): plan.refuse(error)
        default: break
        }
    }
}
