/// A client's say in what goes on during its transfers. Each is optional.
///
/// All of them run in tasks of their own, never on a loop thread.
public struct ClientHooks: Sendable {
    /// Asked for each redirect under ``RedirectPolicy/Mode/ask``; the transfer waits meanwhile.
    public var redirect: (@Sendable (Redirect) async -> RedirectDecision)?

    /// Asked for each new chain of certificates of an origin, before the request is sent, where
    /// ``TLSConfiguration/evaluatesServerTrust`` is set; the transfer waits meanwhile.
    public var serverTrust: (@Sendable (ServerTrust) async -> TrustDecision)?

    /// Told each line that libcurl says under ``TransferOptions/isVerbose``, without secrets, in
    /// order for each transfer, between its turns.
    ///
    /// The transfer doesn't wait for it. Of the lines that come while it is busy, the last 1,024 are
    /// kept, and of their text 1 MiB; a line of the kind ``TransferLogLine/Kind/dropped`` says how
    /// many are missing before them.
    public var log: (@Sendable (TransferID, TransferLogLine) async -> Void)?

    /// Creates hooks that do nothing.
    public init() {}
}
