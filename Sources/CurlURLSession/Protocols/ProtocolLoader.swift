internal import CurlTransport
internal import Dispatch
internal import Foundation
internal import Synchronization

/// Loads by a protocol of the user's: makes it, starts it, stops it once, and passes on what it says.
///
/// The protocol is called on one serial queue, where it may block, and the loader's client on another
/// one, so that what is said while the protocol blocks is heard.
final class ProtocolLoader: NSObject, Loader {
    private struct State {
        var load = ProtocolLoadState()
        /// There from its making to its stop.
        var instance: ProtocolInstance?
        var messages = ProtocolMessages()
        /// What is stored when the load has ended well.
        var storable: StorableContent?
        var timer: LoadTimer?
        var started = ContinuousClock.now
        /// When the protocol last said something.
        var lastWord = ContinuousClock.now
    }

    let plan: ProtocolLoadPlan
    private let receiver: any LoaderClient
    private let calls = DispatchQueue(label: "curl-protocol")
    private let tellings = DispatchQueue(label: "curl-protocol-client")
    private let state = Mutex(State())

    init(_ plan: ProtocolLoadPlan, client: any LoaderClient) {
        self.plan = plan
        receiver = client
    }

    // MARK: Loader

    func start() {
        calls.async { [self] in begin() }
        tellings.async { [self] in startTimer() }
    }

    func cancel() {
        var dropped = FIFO<ProtocolMessages.Message>()
        end { load, messages in
            dropped = messages.cutShort(by: .transport(.cancelled))
            return load.stop()
        }
        // Some of it is the user's, and perhaps these are the last references.
        extendLifetime(dropped)
    }

    func allow(receiving: Bool, sending: Bool) {
        // In turn with the client's own answers.
        tellings.async { [self] in
            state.withLock { state in
                state.messages.isHeld = !receiving
                state.lastWord = .now
            }
            if receiving { tell() }
        }
    }

    func answer(
        _ challenge: URLAuthenticationChallenge,
        _ disposition: URLSession.AuthChallengeDisposition,
        _ credential: URLCredential?
    ) {
        calls.async { [self] in
            if state.withLock({ $0.load.takeChallenge(ObjectIdentifier(challenge)) }) {
                challenge.answer(disposition, credential)
                // Unless it has ended in its own words by then.
                if disposition == .cancelAuthenticationChallenge { fail(.transport(.cancelled)) }
            }
            tellings.async { [self] in
                state.withLock { $0.messages.isAsking = false }
                tell()
            }
        }
    }

    // MARK: On the protocol's queue

    private func begin() {
        guard state.withLock({ $0.load.start() }) else { return }
        let cached = plan.looksIntoCache ? plan.cache?.cachedResponse(for: plan.request) : nil
        let object = ProtocolRequest.with(plan.request, of: plan.task) {
            plan.type.init(task: plan.task, cachedResponse: cached, client: self)
        }
        // A subclass may have its own ideas of its superclass' initializer.
        if object.client == nil { object.client = self }
        if object.task == nil { object.task = plan.task }
        let instance = ProtocolInstance(object: object)
        state.withLock { $0.instance = instance }
        object.startLoading()
    }

    private func stop() {
        let instance = state.withLock { $0.instance.take() }
        instance?.object.stopLoading()
    }

    // MARK: What the protocol says

    /// Takes note of something.
    func note(_ change: (inout ProtocolLoadState, inout ProtocolMessages) -> Void) {
        let isFirst = state.withLock { state in
            state.lastWord = .now
            change(&state.load, &state.messages)
            return state.messages.schedule()
        }
        if isFirst { tellings.async { [self] in tell() } }
    }

    /// Takes note of something that may end the load.
    ///
    /// - Parameter change: Answers whether it does.
    func end(by change: (inout ProtocolLoadState, inout ProtocolMessages) -> Bool) {
        var isOver = false
        note { isOver = change(&$0, &$1) }
        // After whatever the protocol is doing there.
        if isOver { calls.async { [self] in stop() } }
    }

    // MARK: On the client's queue

    private func tell() {
        var hasTold = false
        while let message = state.withLock({ $0.messages.next() }) {
            if case .end(let failure) = message { return tellEnd(failure) }
            tell(message)
            hasTold = true
        }
        if hasTold { receiver.loaderDidEndTurn(self) }
    }

    private func tell(_ message: ProtocolMessages.Message) {
        switch message {
        case .response(let response, let policy):
            keep(response, policy)
            heed(receiver.loader(self, didReceive: .response(response)))
        case .data(let data):
            keep(data)
            heed(receiver.loader(self, didReceiveBody: data.span))
        case .redirect(let request, let response):
            receiver.loader(self, wasRedirectedTo: request, by: response)
        case .challenge(let challenge):
            ask(challenge)
        case .end:
            break
        }
    }

    /// Unless it was withdrawn meanwhile.
    private func ask(_ challenge: URLAuthenticationChallenge) {
        let isAwaited = state.withLock { state in
            state.messages.isAsking = state.load.awaitsAnswer(to: ObjectIdentifier(challenge))
            return state.messages.isAsking
        }
        if isAwaited { receiver.loader(self, didReceive: challenge) }
    }

    private func heed(_ decision: DeliveryDecision) {
        switch decision {
        case .proceed: break
        case .pause: state.withLock { $0.messages.isHeld = true }
        case .cancel: cancel()
        }
    }

    private func tellEnd(_ failure: LoadOutcome.Failure?) {
        state.withLock { $0.timer.take() }?.cancel()
        let storable = state.withLock { $0.storable.take() }
        if failure == nil, let storable, let cache = plan.cache {
            let proposal = CacheProposal(
                cached: storable.cached,
                request: plan.request,
                cache: cache
            )
            receiver.loader(self, didCollect: proposal)
        }
        receiver.loader(self, didEndWith: LoadOutcome(failure: failure, metrics: nil))
        receiver.loaderDidCompleteTurn(self)
    }

    // MARK: What is stored

    /// What is loaded into a file isn't stored.
    private func keep(_ response: URLResponse, _ policy: URLCache.StoragePolicy) {
        guard let cache = plan.cache, !(plan.task is URLSessionDownloadTask) else { return }
        let storable = StorableContent(
            response,
            policy,
            to: plan.request,
            limit: cache.largestBody
        )
        state.withLock { $0.storable = storable }
    }

    private func keep(_ data: Data) {
        state.withLock { state in
            if state.storable?.append(data) == false { state.storable = nil }
        }
    }

    // MARK: Time limits

    private func startTimer() {
        guard plan.limits.timeLeft(silence: .zero, age: .zero) != nil else { return }
        let timer = LoadTimer(queue: tellings) { [weak self] in self?.checkTime() }
        let isOver = state.withLock { state in
            guard !state.messages.isOver else { return true }
            (state.started, state.lastWord, state.timer) = (.now, .now, timer)
            return false
        }
        if isOver { timer.cancel() } else { checkTime() }
    }

    private func checkTime() {
        let left = state.withLock { state in
            // Whoever isn't heard isn't silent.
            if state.messages.isHeld || state.messages.isAsking { state.lastWord = .now }
            return plan.limits.timeLeft(
                silence: state.lastWord.duration(to: .now),
                age: state.started.duration(to: .now)
            )
        }
        guard let left else { return }
        if left > .zero {
            state.withLock { $0.timer }?.schedule(after: left)
        } else {
            let reason = "\(plan.type) didn't finish within the time limit"
            fail(.other(URLError(.timedOut, url: plan.request.url, reason: reason)))
        }
    }
}
