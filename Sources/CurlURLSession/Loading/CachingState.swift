internal import CurlTransport
internal import Foundation

/// How far a request has come on its way through the cache, as a pure value.
struct CachingState {
    private enum Stage {
        /// The cache hasn't answered yet.
        case lookingUp
        /// What the source tells is the client's.
        case passing
        /// What the source tells is passed over; so many bytes more are taken, so that the connection
        /// can be used again.
        case dropping(left: Int)
        case over
    }

    /// What follows when the source is over.
    enum Sequel {
        /// - Parameter head: What the origin said, if it said something.
        case answer(CacheAnswer, head: ResponseHead?)
        /// - Parameter head: What the origin said, which is of no use.
        case reload(head: ResponseHead)
    }

    /// So much is made room for at once, in bytes, whatever a server announces.
    private static let mostReserved: Int64 = 1 << 20

    private var transaction: CacheTransaction
    /// Let go of when it is sent, where it won't be sent again: it may have a large body.
    private var transfer: TransferRequest?
    private var stage = Stage.lookingUp
    /// Where what is told comes from now.
    private(set) var source: (any Loader)?
    private var flow: (receiving: Bool, sending: Bool)?
    private var isCancelled = false
    private var hasResponse = false
    private var sequel: Sequel?
    /// What was of no use.
    private var former: LoadOutcome.Answer?
    /// What has come of the content that is to be stored.
    private var body: Data?
    private var sent = Date.distantPast

    init(_ transaction: CacheTransaction, _ transfer: TransferRequest) {
        self.transaction = transaction
        self.transfer = transfer
    }

    /// What is to be sent. There is something as long as there may be something in the cache.
    mutating func transferToSend() -> TransferRequest? {
        defer { if !transaction.looksUp { transfer = nil } }
        return transfer
    }

    // MARK: What is asked of the loader

    mutating func allow(_ receiving: Bool, _ sending: Bool) {
        flow = (receiving, sending)
        source?.allow(receiving: receiving, sending: sending)
    }

    enum Cancellation {
        case source(any Loader)
        /// Nobody would tell that it is over.
        case unopened
        /// It is on its way, and will be told by itself.
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

    /// What is done about what the cache has; `nil` where the request isn't wanted any more.
    mutating func open(
        with found: CachedURLResponse?,
        at now: Date
    ) -> CacheTransaction.Opening? {
        guard case .lookingUp = stage else { return nil }
        stage = .passing
        sent = now
        return transaction.found(found, at: now)
    }

    /// True if it is to be cancelled at once.
    mutating func use(_ source: any Loader) -> Bool {
        self.source = source
        stage = .passing
        if let flow { source.allow(receiving: flow.receiving, sending: flow.sending) }
        return isCancelled
    }

    // MARK: What a source tells

    enum HeadStep {
        case pass(CacheEffect)
        case drop(CacheEffect)
        case ignore
    }

    /// - Parameter isCacheEmpty: Whether nothing can be stored that the response concerns.
    mutating func receive(
        _ head: ResponseHead,
        from loader: any Loader,
        isCacheEmpty: @autoclosure () -> Bool,
        now: @autoclosure () -> Date
    ) -> HeadStep {
        guard source === loader else { return .ignore }
        hasResponse = true
        if !head.concernsCaches, transaction.ignores(isCacheEmpty: isCacheEmpty()) {
            return .pass(.none)
        }
        guard let url = transaction.request.url else { return .pass(.none) }
        let action = transaction.received(
            HTTPURLResponse(url: url, head: head),
            requestTime: sent,
            responseTime: now()
        )
        switch action {
        case .deliver(.keepBody):
            let length = head.isEncoded ? 0 : head.contentLength ?? 0
            body = Data(capacity: Int(clamping: min(length, Self.mostReserved)))
            return .pass(.none)
        case .deliver(let effect):
            return .pass(effect)
        case .answer(let answer, let effect):
            drop(before: .answer(answer, head: head))
            return .drop(effect)
        case .reload:
            drop(before: .reload(head: head))
            return .drop(.none)
        }
    }

    private mutating func drop(before sequel: Sequel) {
        self.sequel = sequel
        stage = .dropping(left: TaskLoad.maximumDiscarded)
    }

    /// `nil` where the client gets the bytes.
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
        /// It is over; what is to be stored comes first.
        case end(CachedURLResponse?, after: LoadOutcome.Answer?)
        case go(Sequel)
    }

    mutating func end(
        _ outcome: LoadOutcome,
        of loader: any Loader,
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
            let cached = body.take().flatMap { transaction.finished(body: $0) }
            return .end(cached, after: former)
        }
        if !hasResponse, !isCancelled, failure.isOfTheNetwork,
            case .answer(let answer) = transaction.failed(at: now())
        {
            return .go(.answer(answer, head: nil))
        }
        stage = .over
        return .end(nil, after: former)
    }

    /// Lets go of the source. False if another one goes on.
    mutating func complete(_ loader: any Loader) -> Bool {
        guard source === loader, case .over = stage else { return false }
        source = nil
        return true
    }
}

extension LoadOutcome.Failure {
    /// The server can't be reached, or is silent.
    fileprivate var isOfTheNetwork: Bool {
        guard case .transport(let error) = self else { return false }
        return error.isConnectivity || (error.isTimeout && error.code != .deadlineExceeded)
    }
}
