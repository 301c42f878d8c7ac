internal import CurlTransport
internal import Foundation

/// The state of one request in the caching loader, as a pure value.
struct CachingState {
    private enum Stage {
        /// The cache hasn't answered yet.
        case lookingUp
        /// Events of the source are forwarded to the client.
        case passing
        /// Events of the source are discarded. At most `left` more bytes are read, so that the
        /// connection can be reused.
        case dropping(left: Int)
        case over
    }

    /// What follows when the source has completed.
    enum Sequel {
        /// - Parameter head: The origin's response, if it sent one.
        case answer(CacheAnswer, head: ResponseHead?)
        /// - Parameter head: The origin's response, which can't be used.
        case reload(head: ResponseHead)
    }

    /// The largest capacity reserved at once, in bytes. A server may announce any length.
    private static let mostReserved: Int64 = 1 << 20

    private var transaction: CacheTransaction
    /// Released when it is sent, unless it may be sent again. Its body may be large.
    private var transfer: TransferRequest?
    private var stage = Stage.lookingUp
    /// The loader that events currently come from.
    private(set) var source: (any Loader)?
    private var flow: (receiving: Bool, sending: Bool)?
    private var isCancelled = false
    private var hasResponse = false
    private var sequel: Sequel?
    /// A response of the origin that couldn't be used.
    private var former: LoadOutcome.Answer?
    /// The received part of a body that is to be stored; `nil` if there is none, or if the client
    /// has it.
    private var body: Data?
    /// Whether the client has the body that is to be stored.
    private(set) var clientHasBody = false
    private var sent = Date.distantPast

    init(_ transaction: CacheTransaction, _ transfer: TransferRequest) {
        self.transaction = transaction
        self.transfer = transfer
    }

    /// Returns the request to send. Never `nil` while the cache may hold a response.
    mutating func transferToSend() -> TransferRequest? {
        defer { if !transaction.looksUp { transfer = nil } }
        return transfer
    }

    // MARK: Calls to the loader

    mutating func allow(_ receiving: Bool, _ sending: Bool) {
        flow = (receiving, sending)
        source?.allow(receiving: receiving, sending: sending)
    }

    enum Cancellation {
        case source(any Loader)
        /// No source exists, so the caller must report the end.
        case unopened
        /// A source is being opened; it will report the end.
        case pending
    }

    mutating func cancel() -> Cancellation {
        isCancelled = true
        if case .lookingUp = stage {
            stage = .passing
            return .unopened
        }
        return source.map { .source($0) } ?? .pending
    }

    // MARK: Sources

    /// Decides what to do with the cache's result. Returns `nil` if the request was cancelled.
    mutating func open(
        with found: CachedURLResponse?,
        at now: Date
    ) -> CacheTransaction.Opening? {
        guard case .lookingUp = stage else { return nil }
        stage = .passing
        sent = now
        return transaction.found(found, at: now)
    }

    /// Returns true if the caller must cancel the source at once.
    mutating func use(_ source: any Loader) -> Bool {
        if case .over = stage { assertionFailure("a source is opened after the end") }
        self.source = source
        stage = .passing
        if let flow { source.allow(receiving: flow.receiving, sending: flow.sending) }
        return isCancelled
    }

    // MARK: Events of a source

    enum HeadStep {
        case pass(CacheEffect)
        case drop(CacheEffect)
        case ignore
    }

    /// - Parameter isCacheEmpty: Whether the cache holds nothing that the response could affect.
    mutating func receive(
        _ head: ResponseHead,
        from loader: any Loader,
        isCacheEmpty: @autoclosure () -> Bool,
        now: @autoclosure () -> Date
    ) -> HeadStep {
        guard source === loader else { return .ignore }
        hasResponse = true
        if !head.concernsCaches,
            transaction.ignores(head.statusCode, isCacheEmpty: isCacheEmpty())
        {
            return .pass(.none)
        }
        guard let url = transaction.request.url else { return .pass(.none) }
        let action = transaction.received(
            HTTPURLResponse(url: url, head: head),
            requestTime: sent,
            responseTime: now()
        )
        switch action {
        case .deliver(let effect):
            if effect.collectsBody {
                let length = head.isEncoded ? 0 : head.contentLength ?? 0
                body = Data(capacity: Int(clamping: min(length, Self.mostReserved)))
            }
            return .pass(effect)
        case .answer(let answer, let effect):
            drop(before: .answer(answer, head: head))
            return .drop(effect)
        case .reload:
            drop(before: .reload(head: head))
            return .drop(.none)
        }
    }

    /// Keeps no copy of the body, because the client has all of it.
    mutating func leaveBodyToClient() {
        guard body.take() != nil else { return }
        clientHasBody = true
    }

    private mutating func drop(before sequel: Sequel) {
        self.sequel = sequel
        stage = .dropping(left: TaskLoad.maximumDiscarded)
    }

    /// Returns `nil` if the client gets the bytes.
    mutating func receive(
        _ bytes: Span<UInt8>,
        from loader: any Loader
    ) -> DeliveryDecision? {
        guard source === loader else { return .cancel }
        if case .dropping(let left) = stage {
            guard bytes.count <= left else { return .cancel }
            stage = .dropping(left: left - bytes.count)
            return .proceed
        }
        if let count = body?.count {
            if count + bytes.count > transaction.largestBody {
                body = nil
            } else {
                body?.append(copying: bytes)
            }
        }
        return nil
    }

    enum EndStep {
        case ignore
        /// The load has completed. The response to store is proposed first.
        case end(CachedURLResponse?, needsConsent: Bool, after: LoadOutcome.Answer?)
        case go(Sequel)
    }

    /// - Parameter collected: The body that the client has, if ``clientHasBody``.
    mutating func end(
        _ outcome: LoadOutcome,
        of loader: any Loader,
        body collected: Data?,
        now: @autoclosure () -> Date
    ) -> EndStep {
        guard source === loader else { return .ignore }
        if let sequel = sequel.take(), !isCancelled {
            if case .reload(let head) = sequel {
                (sent, hasResponse) = (now(), false)
                former = outcome.metrics.map { LoadOutcome.Answer(head: head, metrics: $0) }
            }
            return .go(sequel)
        }
        guard let failure = outcome.failure else {
            stage = .over
            let stored = clientHasBody ? collected : body.take()
            let cached = stored.flatMap { transaction.finished(body: $0) }
            return .end(cached, needsConsent: transaction.needsConsent, after: former)
        }
        if !hasResponse, !isCancelled, failure.isOfTheNetwork,
            case .answer(let answer) = transaction.failed(at: now())
        {
            return .go(.answer(answer, head: nil))
        }
        stage = .over
        return .end(nil, needsConsent: false, after: former)
    }

    /// Releases the source. Returns false if another source follows.
    mutating func complete(_ loader: any Loader) -> Bool {
        guard source === loader, case .over = stage else { return false }
        source = nil
        return true
    }
}

extension LoadOutcome.Failure {
    /// Whether the server is unreachable or doesn't respond.
    fileprivate var isOfTheNetwork: Bool {
        guard case .transport(let error) = self else { return false }
        return error.isConnectivity || (error.isTimeout && error.code != .deadlineExceeded)
    }
}
