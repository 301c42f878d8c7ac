internal import Posix

/// One connection for bytes on its loop, from the plan to the completion.
///
/// Lives on the loop thread and isn't reachable from any other thread.
/// `ByteChannel+Callbacks.swift` has libcurl's callbacks; the driver does the work that must happen
/// outside of them.
final class ByteChannel: TurnMember {
    let plan: ByteConnectionPlan
    let driver: LoopDriver
    let endpoint: Endpoint

    var machine = ByteConnectionStateMachine()
    var entry: SchedulerEntry
    var attempt: TransferAttempt?
    /// The socket watched for this channel, and the events watched for. Nil before the channel is
    /// open.
    var socket: Int32?
    var interest: SocketInterest = []

    var outgoing = SendQueue()
    var isReceivingPaused = false
    var bytesReceived: Int64 = 0
    var turn = TurnMarks()

    /// Why the connection has to end, if libcurl doesn't report it. Only the first reason is kept.
    var failure: TransportError?
    var trust = TrustState()

    var lastActivity: MonotonicTime
    /// In nanoseconds.
    var idleLimit: Int64?
    /// The deadline of a requested close, and its timeout in nanoseconds.
    var closing: (deadline: MonotonicTime, limit: Int64)?
    var metricsBuilder: TransferMetricsBuilder?

    init(plan: ByteConnectionPlan, driver: LoopDriver) throws(TransportError) {
        self.plan = plan
        self.driver = driver
        endpoint = try driver.endpoints.endpoint(of: plan.target)
        idleLimit = plan.options.limits.idle
        lastActivity = driver.now
        entry = SchedulerEntry(at: driver.now)
    }

    var id: TransferID { plan.connection.id }

    var connection: ByteConnection { plan.connection }

    var delegate: any ByteConnectionDelegate { plan.delegate }

    /// The index of the origin in the scheduler; nil if neither queued nor started.
    var origin: Scheduler.OriginIndex? { entry.origin }

    var options: TransferOptions { plan.options.options }

    /// Differs from the key of requests to the same origin, because they never share a connection.
    var originKey: OriginKey {
        OriginKey(
            origin: endpoint.identity,
            route: "\(plan.options.route) for bytes",
            hasName: plan.options.needsLookup(of: endpoint)
        )
    }

    /// Whether this side alone can be ended. Over TLS, ending the socket's sending side would look
    /// like a truncation attack.
    var canFinishSending: Bool {
        guard !endpoint.isSecure else { return false }
        switch options.proxy {
        case .none: return true
        case .server(let server, _): return server.kind != .https
        case .servers(let server, _, _): return server?.kind != .https
        case .environment: return false
        }
    }

    /// Records why the connection ends. Only the first reason is kept.
    func fail(_ error: TransportError) {
        if failure == nil { failure = error }
    }

    // MARK: Timeouts

    /// The next deadline of all timeouts, and the error code for it.
    func nextDeadline() -> Deadline? {
        let limits = plan.options.limits
        var next: Deadline?
        next.consider(plan.totalLimit, since: plan.submitted, .deadlineExceeded)
        switch machine.state {
        case .connecting:
            if let attempt {
                next.consider(limits.connect, since: attempt.started, .connectTimeout)
            }
        case .open:
            // A connection whose receiving is paused on purpose isn't idle.
            if !isReceivingPaused { next.consider(idleLimit, since: lastActivity, .idleTimeout) }
        case .waiting:
            next.consider(limits.queue, since: entry.enqueued, .poolTimeout)
        case .askingTrust, .completed:
            break
        }
        return next
    }

    /// Whether the number of unsent bytes in the kernel has changed since the last call.
    ///
    /// The kernel buffers more bytes than a slow peer accepts, and may take long to send them.
    func hasSentInBackground() -> Bool {
        guard let socket else { return false }
        return outgoing.changes(unsentBytes: SocketQueue.unsentBytes(of: socket))
    }
}

@available(*, unavailable)
extension ByteChannel: Sendable {}
