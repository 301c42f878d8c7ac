internal import Curl
internal import HTTPTypes

/// One transfer on its loop: from the plan to the completion.
///
/// Lives on the loop thread and is reachable from no other. libcurl's callbacks come in through
/// `Transfer+Callbacks.swift`; what has to be done outside of them is asked of the driver.
final class Transfer {
    let plan: TransferPlan
    let driver: Driver
    /// What the delegate knows the transfer by.
    let handle: TransferHandle

    var machine = TransferStateMachine()
    /// The request of the present hop.
    var request: HTTPRequest
    var endpoint: Endpoint
    var origin: Scheduler.OriginIndex?
    var hop: Hop?
    var parser: ResponseHeadParser
    /// The parser has borrowed the loop's memory for a head.
    var hasHeadMemory = false
    var body: BodySource?

    /// Why the transfer has to end, where it isn't libcurl that says so. The first reason counts.
    var failure: TransportError?
    /// A redirect that is being followed, or asked about, with the head that proposed it.
    var redirect: Redirect?
    var redirectHead: ResponseHead?
    var redirectCount = 0
    var sendsCredentials = true
    var trust = TrustState()

    var isReceivingPaused = false
    var isSendingPaused = false
    var isTouched = false
    var lastActivity: MonotonicTime
    var enqueued: MonotonicTime
    /// Time spent waiting for a place, over all hops.
    var queueTime: Int64 = 0
    var bytesSentToldOf: Int64 = 0
    /// Of the hops that have ended; a transfer that waits needs no room for them.
    var notedFacts: NotedFacts?

    init(plan: TransferPlan, driver: Driver) throws(TransportError) {
        self.plan = plan
        self.driver = driver
        handle = TransferHandle(id: plan.id, loop: driver.loop)
        request = plan.request
        parser = plan.options.makeParser()
        lastActivity = driver.now
        enqueued = driver.now
        endpoint = try driver.endpoint(of: plan.request)
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

    var options: TransferOptions { plan.options.options }

    /// Records why the transfer ends; libcurl's own code then says nothing more.
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
        consider(limits.total, since: plan.submitted, .deadlineExceeded)
        consider(plan.timeLimit, since: plan.submitted, .deadlineExceeded)
        // While the delegate is asked about a redirect, it is its time that passes.
        guard let hop, machine.isFlowing else { return next }
        guard let sendingStarted = hop.sendingStarted else {
            consider(limits.connect, since: hop.started, .connectTimeout)
            return next
        }
        if !hop.hasHead, hop.hasSentRequest {
            consider(
                limits.firstByte,
                since: max(sendingStarted, lastActivity),
                .firstByteTimeout
            )
        }
        // A transfer that is held back on purpose isn't idle.
        if !hop.isReceivingHeldBack, !isReceivingPaused, !isSendingPaused {
            consider(limits.idle, since: max(sendingStarted, lastActivity), .idleTimeout)
        }
        return next
    }
}

@available(*, unavailable)
extension Transfer: Sendable {}
