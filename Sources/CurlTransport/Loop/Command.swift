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
    /// A shared budget on which this loop waits has room again.
    case budgetChanged
    case shutdown(ShutdownMode)
}
