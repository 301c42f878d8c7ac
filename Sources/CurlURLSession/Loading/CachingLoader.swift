internal import CurlTransport
internal import Foundation
internal import HTTPTypes
internal import Synchronization

/// Loads a request by way of a cache (RFC 9111): answers from it, asks the origin whether what is there
/// still holds, and has stored what comes.
///
/// What it tells comes from another loader: one that replays what is stored, or the network's.
final class CachingLoader: Loader {
    private let session: SessionCore
    /// `nil` where the request's policy counts alone, as nothing is stored.
    private let cache: URLCache?
    /// With all fields that it is sent with.
    private let request: URLRequest
    private let looksUp: Bool
    private let client: any LoaderClient
    private let state: Mutex<CachingState>

    /// - Parameters:
    ///   - transaction: The way of this request.
    ///   - transfer: The same request in the engine's form.
    init(
        _ transaction: CacheTransaction,
        cache: URLCache?,
        transfer: TransferRequest,
        session: SessionCore,
        client: any LoaderClient
    ) {
        self.session = session
        self.cache = cache
        self.client = client
        request = transaction.request.request
        looksUp = transaction.looksUp
        state = Mutex(CachingState(transaction, transfer))
    }

    private var now: Date { cache?.store.clock.now ?? Date() }

    // MARK: Loader

    func start() {
        guard looksUp, let cache, !cache.isEmptyForSure else { return open(with: nil) }
        cache.lookUp(request) { [self] found in open(with: found) }
    }

    func cancel() {
        switch state.withLock({ $0.cancel() }) {
        case .source(let source): source.cancel()
        case .unopened: fail(.transport(.cancelled))
        case .pending: break
        }
    }

    func allow(receiving: Bool, sending: Bool) {
        state.withLock { $0.allow(receiving, sending) }
    }

    func answer(trust decision: TrustDecision) {
        state.withLock { $0.source }?.answer(trust: decision)
    }

    // MARK: Sources

    private func open(with found: CachedURLResponse?) {
        let now = now
        switch state.withLock({ $0.open(with: found, at: now) }) {
        case nil:
            break
        case .answer(let answer)?:
            replay(answer)
            if answer.isToBeRenewed { renew() }
        case .load(let fields)?:
            load(adding: fields)
        case .unavailable?:
            fail(
                .other(
                    URLError(
                        .resourceUnavailable,
                        url: request.url,
                        reason: "nothing is cached, and the cache policy lets nothing be loaded."
                    )
                )
            )
        }
    }

    private func use(_ source: any Loader) {
        if state.withLock({ $0.use(source) }) { source.cancel() }
        source.start()
    }

    private func load(adding lines: [HeaderLine]) {
        guard var transfer = state.withLock({ $0.transferToSend() }) else { return }
        for line in lines {
            // What was stored may be anything. Without a condition, the whole comes.
            guard let field = try? HTTPField(validating: line.name, value: line.value) else {
                continue
            }
            transfer.request.headerFields.removeAll { $0.name == field.name }
            transfer.request.headerFields.append(field)
        }
        do throws(TransportError) {
            use(NetworkLoader(transfer, transport: try session.transport(), client: self))
        } catch {
            fail(.transport(error))
        }
    }

    /// - Parameter head: What the origin answered when it was asked first.
    private func replay(
        _ answer: CacheAnswer,
        head: ResponseHead? = nil,
        metrics: TransferMetrics? = nil
    ) {
        use(
            ReplayLoader(
                .cached(CachedHead(response: answer.cached.response, confirmation: head)),
                body: answer.cached.data,
                outcome: LoadOutcome(metrics: metrics),
                client: self
            )
        )
    }

    private func fail(_ failure: LoadOutcome.Failure) {
        use(ReplayLoader(outcome: LoadOutcome(failure: failure), client: self))
    }

    /// What was answered with is as good as fresh for once: it is loaded again, for the cache alone.
    private func renew() {
        guard let transfer = state.withLock({ $0.transferToSend() }), let cache,
            let key = CacheKey(request), cache.store.beginRenewal(of: key)
        else { return }
        let loader = CachingLoader(
            CacheTransaction(
                request,
                policy: .useProtocolCachePolicy,
                largestBody: cache.largestBody
            ),
            cache: cache,
            transfer: transfer,
            session: session,
            client: CacheRenewal(of: key, request, cache: cache, settings: session.settings)
        )
        loader.start()
    }
}

extension CachingLoader: LoaderClient {
    func loader(_ loader: any Loader, didSendBodyBytes sent: Int64, of expected: Int64?) {
        client.loader(self, didSendBodyBytes: sent, of: expected)
    }

    func loader(_ loader: any Loader, didReceive trust: ServerTrust) -> TrustDecision {
        client.loader(self, didReceive: trust)
    }

    func loader(_ loader: any Loader, didReceiveTunnelHead head: ResponseHead) {
        client.loader(self, didReceiveTunnelHead: head)
    }

    func loader(_ loader: any Loader, didReceiveInformational head: ResponseHead) {
        client.loader(self, didReceiveInformational: head)
    }

    /// None of the sources does that: redirects over HTTP are the client's to follow.
    func loader(
        _ loader: any Loader,
        wasRedirectedTo request: URLRequest,
        by response: URLResponse
    ) {
        client.loader(self, wasRedirectedTo: request, by: response)
    }

    func loader(_ loader: any Loader, didReceive response: LoadedResponse) -> DeliveryDecision {
        guard case .head(let head) = response else {
            return client.loader(self, didReceive: response)
        }
        let step = state.withLock { state in
            state.receive(
                head,
                from: loader,
                isCacheEmpty: cache?.isEmptyForSure ?? true,
                now: now
            )
        }
        switch step {
        case .ignore:
            return .cancel
        case .drop(let effect):
            cache?.apply(effect, for: request)
            return .proceed
        case .pass(let effect):
            cache?.apply(effect, for: request)
            return client.loader(self, didReceive: response)
        }
    }

    func loader(_ loader: any Loader, didReceiveBody bytes: Span<UInt8>) -> DeliveryDecision {
        let decision = state.withLock { $0.receive(bytes, from: loader) }
        if let decision { return decision }
        return client.loader(self, didReceiveBody: bytes)
    }

    func loader(_ loader: any Loader, didReceiveEncodedBytes received: Int64) {
        client.loader(self, didReceiveEncodedBytes: received)
    }

    /// Nothing comes from there.
    func loader(_ loader: any Loader, didCollect proposal: CacheProposal) {}

    func loaderDidEndTurn(_ loader: any Loader) {
        client.loaderDidEndTurn(self)
    }

    func loader(_ loader: any Loader, didEndWith outcome: LoadOutcome) {
        switch state.withLock({ $0.end(outcome, of: loader, now: now) }) {
        case .ignore:
            break
        case .end(let cached, let former):
            if let cached, let cache {
                let proposal = CacheProposal(cached: cached, request: request, cache: cache)
                client.loader(self, didCollect: proposal)
            }
            var outcome = outcome
            outcome.former = former
            client.loader(self, didEndWith: outcome)
        case .go(.answer(let answer, let head)):
            replay(answer, head: head, metrics: outcome.metrics)
        case .go(.reload):
            load(adding: [])
        }
    }

    func loaderDidCompleteTurn(_ loader: any Loader) {
        if state.withLock({ $0.complete(loader) }) { client.loaderDidCompleteTurn(self) }
    }
}
