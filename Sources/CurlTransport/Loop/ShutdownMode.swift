/// How a transport comes to its end.
public enum ShutdownMode: Sendable, Hashable {
    /// What runs or waits ends at once with ``TransportError/Code/shutdown``.
    case cancel

    /// What was started before goes on to its end; nothing new is taken.
    case finish
}
