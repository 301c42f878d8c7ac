/// Optional callbacks that a client calls during its transfers.
///
/// Each call runs in a separate task, never on a loop thread. The task has the task-local values
/// and the priority of the task that sends the request. Cancelling the sending task doesn't cancel
/// it.
public struct ClientHooks: Sendable {
    /// Decides about each redirect under ``RedirectPolicy/Mode/ask``; the transfer waits for the
    /// answer.
    public var redirect: (@Sendable (Redirect) async -> RedirectDecision)?

    /// Decides whether to trust the server's certificates, for each new connection.
    ///
    /// Called before the request is sent, if ``TLSConfiguration/evaluatesServerTrust`` is set. The
    /// transfer waits for the answer. Each request over a unix socket has a new connection then.
    public var serverTrust: (@Sendable (ServerTrust) async -> TrustDecision)?

    /// Receives each line that libcurl logs under ``TransferOptions/isVerbose``, without secrets.
    ///
    /// The lines of each transfer arrive in order, between the turns of its loop. The transfer
    /// doesn't wait for the hook. While the hook is busy, at most the last 1,024 lines and 1 MiB of
    /// text are kept. A line of the kind ``TransferLogLine/Kind/dropped`` gives the number of lines
    /// missing before it.
    public var log: (@Sendable (TransferID, TransferLogLine) async -> Void)?

    /// Creates hooks that do nothing.
    public init() {}

    /// Whether a transfer with these options calls any of the hooks.
    func areCalled(under options: TransferOptions) -> Bool {
        redirect != nil && options.redirects.mode == .ask
            || serverTrust != nil && options.tls.evaluatesServerTrust
            || log != nil && options.isVerbose
    }
}
