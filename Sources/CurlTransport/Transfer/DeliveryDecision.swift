/// A delegate's answer to what it was handed: how the flow goes on.
public enum DeliveryDecision: Sendable {
    /// More is welcome.
    case proceed

    /// What was handed over is taken, but no more before ``TransferHandle/resumeReceiving()``.
    case pause

    /// End the transfer with ``TransportError/Code/cancelled``.
    case cancel
}
