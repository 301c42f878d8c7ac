internal import HTTPTypes
internal import Posix

/// One transfer on its loop, from the plan to the completion.
///
/// Confined to the loop thread. libcurl's callbacks are in `Transfer+Callbacks.swift`. The driver
/// performs work that must be done outside of them.
final class Transfer: TurnMember {
    let plan: TransferPlan
    let driver: LoopDriver
    /// The transfer's handle for the delegate.
    let handle: TransferHandle

    var machine = TransferStateMachine()
    /// The request of the current attempt.
    var request: HTTPRequest
    var endpoint: Endpoint
    var entry: SchedulerEntry
    /// Whether the current attempt may use an open connection.
    var mayReuseConnection = false
    var attempt: TransferAttempt?
    var parser: ResponseHeadParser
    /// Whether the parser has borrowed the loop's memory for a head.
    var hasHeadMemory = false
    var body: BodySource?

    /// The error that ends the transfer, if libcurl didn't cause it. The first one counts.
    var failure: TransportError?
    var redirects = TransferRedirects()
    var sendsCredentials = true
    var trust = TrustState()
    var retries = RequestRetries()
    /// Whether the current attempt uses HTTP/3 because its origin has announced it.
    var usesAltSvc = false
    /// Which directions the delegate or the client has paused.
    var paused = PausedDirections()
    var turn = TurnMarks()
    var lastActivity: MonotonicTime
    var reportedBytesSent: Int64 = 0
    /// Collects the metrics of completed attempts; nil while the transfer waits, to save memory.
    var metricsBuilder: TransferMetricsBuilder?

    init(plan: TransferPlan, driver: LoopDriver) throws(TransportError) {
        self.plan = plan
        self.driver = driver
        handle = TransferHandle(id: plan.id, loop: driver.loop)
        request = plan.request
        parser = plan.options.makeParser()
        lastActivity = driver.now
        entry = SchedulerEntry(at: driver.now)
        endpoint = try driver.endpoints.endpoint(of: plan.request)
        try RequestChecks.check(plan.request, body: plan.body)
        if plan.body.isPresent {
            body = BodySource(plan.body) {
                [loop = driver.loop, id = plan.id] in
                loop.post(.requestBodyChanged(id))
            }
        }
        try RequestChecks.check(
            length: body?.length,
            against: request.headerFields,
            hasBody: plan.body.isPresent
        )
    }

    var id: TransferID { plan.id }

    var delegate: any TransferDelegate { plan.delegate }

    /// The index of the origin in the scheduler; nil if neither queued nor started.
    var origin: Scheduler.OriginIndex? { entry.origin }

    var options: TransferOptions { plan.options.options }

    /// Records the error that ends the transfer. It overrides libcurl's code.
    func fail(_ error: TransportError) {
        if failure == nil { failure = error }
    }

    // MARK: Timeouts

    /// The next timeout to pass, and its error code; nil if there is none.
    func nextDeadline() -> Deadline? {
        let limits = plan.options.limits
        var next: Deadline?
        next.consider(plan.totalLimit, since: plan.submitted, .deadlineExceeded)
        if attempt == nil, origin != nil {
            next.consider(limits.queue, since: entry.enqueued, .poolTimeout)
        }
        // While the delegate decides on a redirect, only the total timeout runs.
        guard let attempt, machine.isFlowing else { return next }
        guard let sendingStarted = attempt.connection.sendingStarted else {
            next.consider(limits.connect, since: attempt.started, .connectTimeout)
            return next
        }
        if !attempt.response.hasHead, attempt.sending.isComplete {
            next.consider(
                limits.firstByte,
                since: max(sendingStarted, lastActivity),
                .firstByteTimeout
            )
        }
        // A transfer that is paused on purpose isn't idle.
        if !attempt.heldBack.receiving, !paused.receiving, !paused.sending {
            next.consider(limits.idle, since: max(sendingStarted, lastActivity), .idleTimeout)
        }
        return next
    }
}

@available(*, unavailable)
extension Transfer: Sendable {}

/// The redirects of a transfer: the current one, and how many were followed.
struct TransferRedirects {
    /// The redirect that is being followed or decided on, and its response head.
    private(set) var current: Redirect?
    private(set) var head: ResponseHead?
    private(set) var count = 0

    mutating func propose(_ redirect: Redirect, head: ResponseHead) {
        current = redirect
        self.head = head
    }

    /// Changes the request of the current redirect.
    mutating func change(_ request: HTTPRequest) {
        current?.request = request
    }

    /// Removes and returns the current redirect, if there is one.
    @discardableResult
    mutating func take() -> Redirect? {
        defer {
            current = nil
            head = nil
        }
        return current
    }

    mutating func followed() {
        count += 1
    }
}
