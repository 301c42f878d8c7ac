internal import Curl

/// One connection for bytes on its loop: from the plan to the completion.
///
/// Lives on the loop thread and is reachable from no other. libcurl's callbacks come in through
/// `ByteChannel+Callbacks.swift`; what has to be done outside of them is asked of the driver.
final class ByteChannel {
    let plan: ByteConnectionPlan
    let driver: Driver
    let endpoint: Endpoint

    var machine = ByteConnectionStateMachine()
    var origin: Scheduler.OriginIndex?
    var hop: Hop?
    /// The socket that is watched for this channel, and what for. Nil before it is open.
    var socket: Int32?
    var interest: SocketInterest = []

    /// What is to be sent, and how much of its first piece has been.
    var outgoing = FIFO<[UInt8]>()
    var offset = 0
    /// The system took no more, or the same bytes have to be offered again.
    var isSendingBlocked = false
    var bytesSent: Int64 = 0
    var bytesSentToldOf: Int64 = 0

    var isReceivingPaused = false
    var bytesReceived: Int64 = 0
    /// Had its share of a turn.
    var isHeld = false
    var isTouched = false

    /// Why the connection has to end, where it isn't libcurl that says so. The first reason counts.
    var failure: TransportError?
    var trust = TrustState()

    var lastActivity: MonotonicTime
    var enqueued: MonotonicTime
    /// Time spent waiting for a place.
    var queueTime: Int64 = 0
    /// In nanoseconds.
    var idleLimit: Int64?
    /// When the end that was asked for must have come, and how long it was given.
    var closing: (deadline: MonotonicTime, limit: Int64)?
    /// What the kernel held unsent when a time limit was last looked at.
    private var unsentBytes = 0
    var notedFacts: NotedFacts?

    init(plan: ByteConnectionPlan, driver: Driver) throws(TransportError) {
        self.plan = plan
        self.driver = driver
        endpoint = try driver.endpoint(of: plan.target)
        idleLimit = plan.options.limits.idle
        lastActivity = driver.now
        enqueued = driver.now
    }

    var id: TransferID { plan.connection.id }

    var connection: ByteConnection { plan.connection }

    var delegate: any ByteConnectionDelegate { plan.delegate }

    var options: TransferOptions { plan.options.options }

    var isDrained: Bool { outgoing.isEmpty }

    /// Apart from the requests to the same origin: a connection for bytes is never one of theirs.
    var originKey: OriginKey {
        OriginKey(
            origin: endpoint.identity,
            route: "\(plan.options.route) for bytes",
            hasName: plan.options.needsLookup(of: endpoint)
        )
    }

    /// Whether the peer can be told of the end of this side alone. TLS would take the end of the
    /// socket's side for an attack.
    var canFinishSending: Bool {
        guard !endpoint.isSecure else { return false }
        switch options.proxy {
        case .none: return true
        case .server(let server, _): return server.kind != .https
        case .servers(let server, _, _): return server?.kind != .https
        case .environment: return false
        }
    }

    /// Records why the connection ends.
    func fail(_ error: TransportError) {
        if failure == nil { failure = error }
    }

    // MARK: Time limits

    /// When the next of the time limits is over, and what that means.
    func nextDeadline() -> (time: MonotonicTime, code: TransportError.Code)? {
        let limits = plan.options.limits
        var next: (time: MonotonicTime, code: TransportError.Code)?
        func consider(_ limit: Int64?, since start: MonotonicTime, _ code: TransportError.Code) {
            guard let limit else { return }
            let time = start.advanced(byNanoseconds: limit)
            if next.map({ time < $0.time }) ?? true { next = (time, code) }
        }
        consider(plan.totalLimit, since: plan.submitted, .deadlineExceeded)
        switch machine.state {
        case .connecting:
            if let hop { consider(limits.connect, since: hop.started, .connectTimeout) }
        case .open:
            // One that is held back on purpose isn't idle.
            if !isReceivingPaused { consider(idleLimit, since: lastActivity, .idleTimeout) }
        case .waiting, .askingTrust, .completed:
            break
        }
        return next
    }

    /// Whether bytes have left the kernel since this was last asked: it takes more than a slow peer
    /// does, and is busy with them for long.
    func hasMovedUnseen() -> Bool {
        guard let socket else { return false }
        let unsent = SocketQueue.unsentBytes(of: socket)
        defer { unsentBytes = unsent }
        return unsent != unsentBytes
    }
}

@available(*, unavailable)
extension ByteChannel: Sendable {}
