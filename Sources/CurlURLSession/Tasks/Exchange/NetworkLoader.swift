internal import CurlTransport
internal import HTTPTypes
internal import Synchronization

/// Loads one response over HTTP with one transfer. Its client follows redirects.
final class NetworkLoader: Loader, TransferDelegate, Waker {
    private struct State {
        var handle: TransferHandle?
        /// Set if the load is cancelled before the transfer exists.
        var isCancelled = false
        var flow: (receiving: Bool, sending: Bool)?
        /// Released when the transfer starts.
        var request: TransferRequest?
        /// Set just before the end.
        var metrics: TransferMetrics?
        /// The request and the status of the response, if there are observers.
        var sent: HTTPRequest?
        var statusCode: Int?
    }

    /// Held until the end, because the session may replace its transport before.
    private let transport: Transport
    private let client: any LoaderClient
    private let observers: [any TransferObserver]
    private let state: Mutex<State>

    init(
        _ request: consuming TransferRequest,
        transport: Transport,
        observers: [any TransferObserver],
        client: any LoaderClient
    ) {
        self.transport = transport
        self.client = client
        self.observers = observers
        state = Mutex(State(request: request))
    }

    // MARK: Loader

    func start() {
        guard let request = state.withLock({ $0.request.take() }) else { return }
        if !observers.isEmpty { state.withLock { $0.sent = request.request } }
        let handle = transport.start(request, delegate: self)
        state.withLock { state in
            state.handle = handle
            if state.isCancelled { handle.cancel() }
            if let flow = state.flow { Self.allow(flow.receiving, flow.sending, on: handle) }
        }
    }

    func cancel() {
        let handle = state.withLock { state in
            state.isCancelled = true
            return state.handle
        }
        handle?.cancel()
    }

    func allow(receiving: Bool, sending: Bool) {
        // Called under the lock, so that the loop receives the calls in the same order.
        state.withLock { state in
            state.flow = (receiving, sending)
            if let handle = state.handle { Self.allow(receiving, sending, on: handle) }
        }
    }

    private static func allow(_ receiving: Bool, _ sending: Bool, on handle: TransferHandle) {
        if receiving { handle.resumeReceiving() } else { handle.pauseReceiving() }
        if sending { handle.resumeSending() } else { handle.pauseSending() }
    }

    func notifyWhenIdle(mayPause: Bool) -> Bool {
        state.withLock { $0.handle }?.wakeWhenIdle(self, mayPause: mayPause) ?? false
    }

    func wake() {
        client.loader(self, didReceive: .idle)
    }

    func answer(trust decision: TrustDecision) {
        state.withLock { $0.handle }?.answer(trust: decision)
    }

    // MARK: TransferDelegate

    func transfer(_ transfer: TransferHandle, didSendBodyBytes sent: Int64, of expected: Int64?) {
        client.loader(self, didReceive: .sentBodyBytes(sent, of: expected))
    }

    /// Refuses the redirect; the client gets the redirecting response and follows it.
    func transfer(_ transfer: TransferHandle, willFollow redirect: Redirect) -> RedirectDecision {
        .refuse
    }

    func transfer(_ transfer: TransferHandle, didReceive trust: ServerTrust) -> TrustDecision {
        // The client may answer before `start` has returned.
        state.withLock { $0.handle = transfer }
        return client.loader(self, didReceive: trust)
    }

    func transfer(_ transfer: TransferHandle, didReceiveTunnelHead head: ResponseHead) {
        client.loader(self, didReceive: .tunnelHead(head))
    }

    func transfer(_ transfer: TransferHandle, didReceiveInformational head: ResponseHead) {
        client.loader(self, didReceive: .informationalHead(head))
    }

    func transfer(_ transfer: TransferHandle, didReceive head: ResponseHead) -> DeliveryDecision {
        if !observers.isEmpty { state.withLock { $0.statusCode = head.statusCode } }
        return client.loader(self, didReceive: .head(head))
    }

    func transfer(
        _ transfer: TransferHandle,
        didReceiveBody bytes: Span<UInt8>
    ) -> DeliveryDecision {
        client.loader(self, didReceiveBody: bytes)
    }

    func transfer(_ transfer: TransferHandle, didReceiveEncodedBodyBytes received: Int64) {
        client.loader(self, didReceive: .encodedBytes(received))
    }

    func transferDidEndTurn(_ transfer: TransferHandle) {
        client.loader(self, didReceive: .endOfTurn)
    }

    func transfer(_ transfer: TransferHandle, didFinishCollecting metrics: TransferMetrics) {
        state.withLock { $0.metrics = metrics }
    }

    func transfer(_ transfer: TransferHandle, didCompleteWith error: TransportError?) {
        let metrics = state.withLock { $0.metrics.take() }
        if !observers.isEmpty { notifyObservers(ofEnd: transfer.id, metrics, error) }
        let outcome = LoadOutcome(failure: error.map { .transport($0) }, metrics: metrics)
        client.loader(self, didReceive: .end(outcome))
    }

    private func notifyObservers(
        ofEnd id: TransferID,
        _ metrics: TransferMetrics?,
        _ error: TransportError?
    ) {
        let (sent, statusCode) = state.withLock { ($0.sent, $0.statusCode) }
        guard let sent else { return }
        let end = TransferEnd(
            id: id,
            request: sent,
            statusCode: statusCode,
            metrics: metrics ?? TransferMetrics(),
            error: error
        )
        for observer in observers { observer.transferDidEnd(end) }
    }

    func transferDidCompleteTurn(_ transfer: TransferHandle) {
        client.loader(self, didReceive: .endOfLastTurn)
    }
}
