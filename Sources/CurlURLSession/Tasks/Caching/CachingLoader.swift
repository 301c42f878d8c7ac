internal import CurlTransport
internal import Foundation
internal import HTTPSemantics
internal import HTTPTypes
internal import Synchronization

/// Loads a request through a cache (RFC 9111).
///
/// It answers from the cache, revalidates stored responses with the origin, and proposes new
/// responses for storing. Another loader supplies the events that it forwards: one that replays the
/// stored response, or the network's.
final class CachingLoader: Loader {
    private let session: SessionCore
    /// `nil` if nothing may be stored and only the request's cache policy matters.
    private let cache: URLCache?
    /// Includes all header fields that are sent.
    private let request: URLRequest
    private let looksUp: Bool
    private let client: any LoaderClient
    private let state: Mutex<CachingState>

    /// - Parameters:
    ///   - transaction: The request's state in the cache.
    ///   - transfer: The same request in the transport's form.
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

    func notifyWhenIdle(mayPause: Bool) -> Bool {
        state.withLock { $0.source }?.notifyWhenIdle(mayPause: mayPause) ?? false
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
                        reason: "the cache has no response, and the cache policy forbids loading."
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
        guard var transfer = state.withLock({ $0.transferToSend() }) else {
            return assertionFailure("the request was released before it was sent again")
        }
        for line in lines {
            // A stored validator may hold any bytes. Without a condition, the origin sends the
            // complete response.
            guard let field = try? HTTPField(validating: line.name, value: line.value) else {
                continue
            }
            transfer.request.headerFields.removeAll { $0.name == field.name }
            transfer.request.headerFields.append(field)
        }
        do throws(TransportError) {
            use(
                NetworkLoader(
                    transfer,
                    transport: try session.transport(),
                    observers: session.settings.transferObservers,
                    client: self
                )
            )
        } catch {
            fail(.transport(error))
        }
    }

    /// - Parameter head: The origin's response to the revalidation, if there was one.
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

    /// Revalidates a stale response in the background after serving it. Only the cache gets the
    /// result.
    private func renew() {
        guard let cache, let key = CacheKey(request),
            let transfer = state.withLock({ $0.transferToSend() })?.askingNobody,
            cache.store.beginRenewal(of: key)
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
    func loader(_ loader: any Loader, didReceive event: LoadEvent) {
        switch event {
        case .end(let outcome):
            end(outcome, of: loader)
        case .endOfLastTurn:
            if state.withLock({ $0.complete(loader) }) { client.loader(self, didReceive: event) }
        case .sentBodyBytes, .tunnelHead, .informationalHead, .encodedBytes, .endOfTurn, .idle:
            client.loader(self, didReceive: event)
        // The sources follow HTTP's rules and store nothing, so they report none of these.
        case .challenge(let challenge):
            loader.answer(challenge, .performDefaultHandling, nil)
        case .redirect, .proposal:
            break
        }
    }

    func loader(_ loader: any Loader, didReceive trust: ServerTrust) -> TrustDecision {
        client.loader(self, didReceive: trust)
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
            let decision = client.loader(self, didReceive: response)
            if effect.collectsBody, client.collectedBody(from: self) != nil {
                state.withLock { $0.leaveBodyToClient() }
            }
            return decision
        }
    }

    func loader(_ loader: any Loader, didReceiveBody bytes: Span<UInt8>) -> DeliveryDecision {
        let decision = state.withLock { $0.receive(bytes, from: loader) }
        if let decision { return decision }
        return client.loader(self, didReceiveBody: bytes)
    }

    private func end(_ outcome: LoadOutcome, of loader: any Loader) {
        // Asked for without the lock: the client calls the loader with its own lock held.
        let isClients = state.withLock { $0.clientHasBody }
        let body = isClients ? client.collectedBody(from: self) : nil
        switch state.withLock({ $0.end(outcome, of: loader, body: body, now: now) }) {
        case .ignore:
            break
        case .end(let cached, let needsConsent, let former):
            if let cached, let cache {
                let proposal = CacheProposal(
                    cached: cached,
                    request: request,
                    cache: cache,
                    needsConsent: needsConsent
                )
                client.loader(self, didReceive: .proposal(proposal))
            }
            var outcome = outcome
            outcome.former = former
            client.loader(self, didReceive: .end(outcome))
        case .go(.answer(let answer, let head)):
            replay(answer, head: head, metrics: outcome.metrics)
        case .go(.reload):
            load(adding: [])
        }
    }
}

extension TransferRequest {
    /// The same request, which continues without a client certificate if the server requests one;
    /// `nil` if that isn't possible.
    fileprivate var askingNobody: TransferRequest? {
        guard options.options.tls.failsOnCertificateRequest else { return self }
        var options = options.options
        options.tls.failsOnCertificateRequest = false
        guard let prepared = try? PreparedOptions(options) else { return nil }
        var request = self
        request.options = prepared
        return request
    }
}
