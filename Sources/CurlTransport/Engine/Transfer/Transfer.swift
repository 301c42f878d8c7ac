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

/// The states of one transfer as a pure value: events in, actions out.
///
/// A transfer is queued and runs one attempt. For a redirect or a retry, it may be queued and run
/// again. It completes exactly once, in any order of events.
struct TransferStateMachine {
    private(set) var state = State.waiting

    enum State: Equatable {
        /// In the scheduler's queue.
        case waiting
        /// One attempt is in the multi handle.
        case running
        /// One attempt is in the multi handle, and the transfer only waits for its end.
        case leaving(discarded: Int)
        /// The delegate decides on a proposed redirect; the attempt may have ended meanwhile.
        case asking(ended: AttemptEnd?)
        /// The delegate decides on a server's trust. No attempt runs.
        case askingTrust
        case completed
    }

    /// The result of an attempt.
    enum AttemptEnd: Equatable {
        case success
        case failure(TransportError)

        var error: TransportError? {
            if case .failure(let error) = self { error } else { nil }
        }
    }

    /// The maximum redirect body that is read to keep its connection reusable.
    static let maximumDiscarded = 64 * 1024

    var isCompleted: Bool { state == .completed }

    /// Whether an attempt is in the multi handle and may transfer its body.
    var isFlowing: Bool {
        switch state {
        case .running, .leaving: true
        default: false
        }
    }

    /// Whether an attempt is in the multi handle.
    private var hasAttempt: Bool {
        switch state {
        case .running, .leaving, .asking(ended: nil): true
        case .asking, .waiting, .askingTrust, .completed: false
        }
    }

    // MARK: The attempt

    /// Starts an attempt. Returns false if none may start any more.
    mutating func start() -> Bool {
        guard state == .waiting else { return false }
        state = .running
        return true
    }

    enum BodyAction: Equatable {
        case deliver
        case discard
        case pause
        case abort
    }

    /// Decides what to do with received body bytes.
    mutating func bodyArrived(_ count: Int) -> BodyAction {
        // In the other states, libcurl may deliver bytes while the loop removes their attempt.
        assert(state != .askingTrust, "bytes arrived while the delegate decides on trust")
        switch state {
        case .running:
            return .deliver
        case .leaving(let discarded):
            let sum = discarded + count
            guard sum <= Self.maximumDiscarded else { return .abort }
            state = .leaving(discarded: sum)
            return .discard
        case .asking:
            return .pause
        case .waiting, .askingTrust, .completed:
            return .abort
        }
    }

    enum EndAction: Equatable {
        case complete(TransportError?)
        case startNextAttempt
        case wait
    }

    /// Handles the attempt's removal from the multi handle.
    mutating func attemptEnded(_ end: AttemptEnd) -> EndAction {
        assert(hasAttempt, "an attempt ended that isn't in the multi handle")
        switch state {
        case .running:
            state = .completed
            return .complete(end.error)
        case .leaving:
            state = .waiting
            return .startNextAttempt
        case .asking:
            state = .asking(ended: end)
            return .wait
        case .waiting, .askingTrust, .completed:
            return .wait
        }
    }

    /// Prepares a retry after the attempt's end. Returns false if there is none.
    mutating func attemptWillRepeat() -> Bool {
        guard state == .running else { return false }
        state = .waiting
        return true
    }

    // MARK: Redirects

    /// Follows the received redirect as soon as its attempt has ended.
    mutating func redirectAccepted() {
        guard state == .running else { return }
        state = .leaving(discarded: 0)
    }

    /// Waits for the delegate's later decision on a redirect.
    mutating func redirectAsked() {
        guard state == .running else { return }
        state = .asking(ended: nil)
    }

    enum RedirectAction: Equatable {
        case none
        /// Remove the attempt from the multi handle, if necessary, and start the next one.
        case startNextAttempt
        /// Deliver the redirect as the response, and continue with its body.
        case deliver
        /// Deliver the redirect as the response, and complete.
        case deliverAndComplete(TransportError?)
    }

    /// Handles the delegate's late decision on a redirect.
    mutating func redirectAnswered(follows: Bool) -> RedirectAction {
        guard case .asking(let end) = state else { return .none }
        if follows {
            state = .waiting
            return .startNextAttempt
        }
        guard let end else {
            state = .running
            return .deliver
        }
        state = .completed
        return .deliverAndComplete(end.error)
    }

    // MARK: Trust

    /// Waits for the delegate's later decision on trust, after the attempt's end.
    mutating func trustAsked() -> Bool {
        guard state == .running else { return false }
        state = .askingTrust
        return true
    }

    /// Handles the late decision. Returns false if none is pending.
    mutating func trustAnswered() -> Bool {
        guard state == .askingTrust else { return false }
        state = .waiting
        return true
    }

    // MARK: The end

    /// Ends the transfer by cancellation, timeout or shutdown. Returns false if it has ended.
    mutating func stop() -> Bool {
        guard state != .completed else { return false }
        state = .completed
        return true
    }
}
