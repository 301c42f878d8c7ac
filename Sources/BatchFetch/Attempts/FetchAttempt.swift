import CurlResilience
import CurlTransport
import HTTPTypes
import Posix
import Synchronization

/// The transfer delegate of one attempt. Its methods run on the transfer's event loop.
final class FetchAttempt: TransferDelegate {
    /// The maximum content of a redirect in bytes: 64 KiB.
    ///
    /// Up to this length it is read, so that the connection can be reused.
    static let redirectContent: Int64 = 64 * 1024

    /// Never contended: the event loop uses it, then the thread that completes the body.
    private let state: Mutex<State>
    private let traffic: Traffic
    /// Whether this fetches a host's `robots.txt`, whose sink has its own limit.
    private let isRobots: Bool
    private let redirects: RedirectPolicy
    private let method: HTTPRequest.Method
    /// The request's fields without those that the run adds to each request.
    private let ownFields: HTTPFields
    /// The requested part of the body; `nil` for all of it.
    private let part: RequestedPart?
    /// The digests to compute, and the expected ones.
    private let digests: Set<DigestAlgorithm>
    private let expected: [ExpectedDigest]
    /// Whether the body isn't decoded, so that its coding matters.
    private let keepsEncoding: Bool
    private let makeSink: SinkMaker
    private let completion: @Sendable (AttemptOutcome) -> Void

    /// - Parameters:
    ///   - ownFields: The fields that a redirect repeats; `nil` for all.
    ///   - url: The request's URL, if it is known without assembling it.
    init(
        _ request: HTTPRequest,
        ownFields: HTTPFields? = nil,
        url: String? = nil,
        isRobots: Bool = false,
        redirects: RedirectPolicy = .follow(),
        part: RequestedPart? = nil,
        digests: Set<DigestAlgorithm> = [],
        expecting expected: [ExpectedDigest] = [],
        keepsEncoding: Bool = false,
        traffic: Traffic,
        sink: @escaping SinkMaker,
        completion: @escaping @Sendable (AttemptOutcome) -> Void
    ) {
        state = Mutex(State(request, url: url ?? request.url))
        method = request.method
        self.ownFields = ownFields ?? request.headerFields
        self.isRobots = isRobots
        self.redirects = redirects
        self.part = part
        self.digests = digests
        self.expected = expected
        self.keepsEncoding = keepsEncoding
        self.traffic = traffic
        makeSink = sink
        self.completion = completion
    }

    func transfer(
        _ transfer: TransferHandle,
        willFollow redirect: Redirect
    ) -> RedirectDecision {
        state.withLock { state in
            state.outcome.finalURL = redirect.location
            state.request = redirect.request
        }
        return .follow
    }

    func transfer(_ transfer: TransferHandle, didReceive head: ResponseHead) -> DeliveryDecision {
        let isSuccess = (200..<300).contains(head.statusCode)
        let request = state.withLock { $0.request }
        guard accepts(head, request) else { return .cancel }
        let (redirect, redirectError) = redirect(of: head, request)
        let sink = makeSink(head, request)
        let facts = ResponseFacts(head)
        let verifier = isSuccess ? verifier(for: head, facts) : nil
        let httpVersion = head.httpVersion
        let encoding = keepsEncoding ? head.contentEncoding : nil
        let present = part?.present ?? 0
        let isPartial = (sink as? DiskSink)?.isPartial ?? false
        let wanted = (sink as? DiskSink)?.limit
        let speed = traffic.speed.map { watch in
            state.withLock { $0.speed } ?? watch.add(transfer)
        }
        let hasBody = !isRobots && method != .head
        let large =
            hasBody
            ? traffic.large.body(of: head, keepsEncoding: keepsEncoding, limit: wanted) : nil
        state.withLock { state in
            state.speed = speed
            state.sink = sink
            state.isPartial = isPartial
            state.wanted = wanted
            state.large = large
            state.verifier = verifier
            state.redirectError = redirectError
            if head.statusCode == 206 { state.outcome.bytes = present }
            state.outcome.redirect = redirect
            state.outcome.status = head.statusCode
            state.outcome.etag = facts.etag
            state.outcome.lastModified = facts.lastModified
            state.outcome.contentType = facts.contentType
            state.outcome.contentEncoding = encoding
            state.outcome.httpVersion = httpVersion
            state.outcome.retryAfter = isSuccess ? nil : facts.retryAfter
        }
        return .proceed
    }

    /// Whether the response's head is acceptable; records the reason if not.
    private func accepts(_ head: ResponseHead, _ request: HTTPRequest) -> Bool {
        if let part, part.isRefused(by: head) {
            state.withLock { $0.outcome.isPartRefused = true }
            return false
        }
        guard let refusal = refusal(of: head, request) else { return true }
        state.withLock { state in
            state.outcome.status = head.statusCode
            state.refusal = refusal
        }
        return false
    }

    private func refusal(of head: ResponseHead, _ request: HTTPRequest) -> BatchFailure? {
        if head.statusCode == 206, request.headerFields[.range] == nil {
            let message = "the server sent a partial body (206) without a Range in the request"
            return BatchFailure(.unrequestedPart, message)
        }
        guard traffic.limitsBodies, (200..<300).contains(head.statusCode), method != .head,
            !isRobots
        else { return nil }
        // For a partial response the known total length counts, otherwise the announced one.
        let announced = head.firstValue(of: .contentLength).flatMap { Int64($0) }
        let length = head.statusCode == 206 ? part?.length ?? announced : announced
        return length.flatMap { traffic.refusal(ofLength: $0) }
    }

    /// The redirect of a response, which the run queues itself.
    ///
    /// The next request gets the run's fields again. The transport follows the redirects of a
    /// `robots.txt`, which is one request per host.
    private func redirect(
        of head: ResponseHead,
        _ request: HTTPRequest
    ) -> (Redirect?, TransportError?) {
        guard !isRobots, (300..<400).contains(head.statusCode) else { return (nil, nil) }
        var own = request
        own.headerFields = ownFields
        return
            switch RedirectRule.decide(
                on: head,
                request: own,
                count: 0,
                policy: redirects
            )
        {
        case .deliver: (nil, nil)
        case .follow(let redirect): (redirect, nil)
        case .fail(let error): (nil, error)
        }
    }

    private func verifier(for head: ResponseHead, _ facts: ResponseFacts) -> BodyVerifier? {
        guard facts.hasDigest || !digests.isEmpty || !expected.isEmpty else { return nil }
        let announced = ResponseDigests.expected(
            in: head,
            method: method,
            isWhole: part != nil
        )
        return BodyVerifier(
            computing: method == .head ? [] : digests,
            expecting: method == .head ? [] : expected + announced
        )
    }

    func transfer(
        _ transfer: TransferHandle,
        didReceiveBody bytes: Span<UInt8>
    ) -> DeliveryDecision {
        let (sink, verifier, speed, isRefused, isLast, count) = state.withLock { state in
            let count = state.wanted.map { Int(min($0, Int64(bytes.count))) } ?? bytes.count
            state.wanted = state.wanted.map { $0 - Int64(count) }
            state.outcome.bytes += Int64(count)
            state.large?.receive(count)
            state.lastCount = bytes.count
            state.lastPause = nil
            state.refusal = traffic.add(
                bytes.count,
                of: state.outcome.bytes,
                isLimited: !isRobots
            )
            state.isCutShort =
                state.outcome.redirect != nil && state.outcome.bytes > Self.redirectContent
            let verifier = state.isPartial ? nil : state.verifier
            // A partial response of the right length ends without being cancelled.
            let isWhole = state.wanted == 0 && (count < bytes.count || state.outcome.status != 206)
            let isLast = isWhole || state.isCutShort
            return (state.sink, verifier, state.speed, state.refusal != nil, isLast, count)
        }
        if isRefused { return .cancel }
        speed?.receive(bytes.count)
        verifier?.update(bytes)
        let flow: any FlowControl = speed ?? transfer
        switch sink?.receive(bytes.extracting(first: count), flow: flow) {
        case .more, nil:
            if isLast { return .cancel }
            guard let pause = traffic.bandwidth?.take(bytes.count, of: flow) else {
                speed?.proceed()
                return .proceed
            }
            state.withLock { $0.lastPause = pause }
            return .pause
        case .pause:
            return isLast ? .cancel : .pause
        case .stop:
            state.withLock { $0.isStoppedBySink = true }
            return .cancel
        }
    }

    /// Leaves out the time in which the body waits for memory when its speed is measured.
    func transfer(_ transfer: TransferHandle, didChangeWaitForMemory isWaiting: Bool) {
        let speed = state.withLock { $0.speed }
        if isWaiting { speed?.receive(0) } else { speed?.proceed() }
    }

    func transfer(_ transfer: TransferHandle, didFinishCollecting metrics: TransferMetrics) {
        state.withLock { state in
            state.outcome.isConnectionReused = metrics.isConnectionReused
            state.outcome.peer = metrics.peer
            state.outcome.transferredBytes = metrics.responseBytes - metrics.responseHeadBytes
            state.outcome.timings.queue = metrics.queue
            state.outcome.timings.nameLookup = metrics.nameLookup
            state.outcome.timings.connect = metrics.connect
            state.outcome.timings.tls = metrics.tls
            state.outcome.timings.firstByte = metrics.firstByte
            state.outcome.timings.total = metrics.total
        }
    }

    func transfer(_ transfer: TransferHandle, didCompleteWith error: TransportError?) {
        if let bandwidth = traffic.bandwidth {
            let (count, pause) = state.withLock { ($0.lastCount, $0.lastPause) }
            bandwidth.ended(with: count, pause: pause)
        }
        if let watch = traffic.speed,
            let speed = state.withLock({ $0.takeSpeed(endingWith: error) })
        {
            watch.remove(speed)
        }
        guard let end = state.withLock({ $0.end(with: error, of: part) }) else {
            return complete(.dropped)
        }
        finish(end)
    }

    /// Finishes the sink, which calls back when the body is stored.
    private func finish(_ end: ContentEnd) {
        let (sink, peer) = state.withLock { ($0.sink.take(), $0.outcome.peer) }
        let parts = sink as? DiskSink
        if let peer { parts?.note(peer: peer) }
        var isComplete = false
        if case .whole(let verifier) = end {
            if let verifier, let parts, parts.isPartial {
                return parts.finish(checking: verifier) { [self] end in
                    if case .segment = end {} else { verified(verifier.finish().digests, nil) }
                    complete(end)
                }
            }
            let found = verifier?.finish()
            if let found { verified(found.digests, found.failure) }
            isComplete = found?.failure == nil
        }
        guard let sink else { return complete(.dropped) }
        if let parts, case .broken(true) = end { return parts.suspend { [self] in complete($0) } }
        sink.finish(isComplete: isComplete) { [self] in complete($0) }
    }

    private func verified(_ digests: [DigestAlgorithm: [UInt8]], _ failure: BatchFailure?) {
        state.withLock { state in
            state.outcome.digests = digests
            if let failure { state.outcome.failure = (failure, .mismatch) }
        }
    }

    /// Completes the attempt, on the thread that completed the body.
    private func complete(_ end: BodyEnd) {
        completion(state.withLock { $0.takeOutcome(end) })
    }
}

extension TransferHandle: CancellableFlow {}
