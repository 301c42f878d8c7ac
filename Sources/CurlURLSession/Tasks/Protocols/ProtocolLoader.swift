internal import CurlTransport
internal import DequeModule
internal import Dispatch
internal import Foundation
internal import Synchronization

/// Loads with a user's protocol.
///
/// It creates, starts and stops the protocol object once, and forwards its calls. The protocol runs
/// on one serial queue, where it may block. The loader's client is called on another one, so that
/// it gets the events while the protocol blocks.
final class ProtocolLoader: NSObject, Loader {
    private struct State {
        var load = ProtocolLoadState()
        /// Set from the object's creation until it is stopped.
        var instance: ProtocolInstance?
        var messages = ProtocolMessages()
        /// The response to store if the load succeeds.
        var storable: StorableContent?
        var timer: LoadTimer?
        var started = ContinuousClock.now
        /// When the protocol last called.
        var lastCall = ContinuousClock.now
    }

    let context: ProtocolLoadContext
    private let receiver: any LoaderClient
    private let calls = DispatchQueue(label: "curl-protocol")
    private let clientQueue = DispatchQueue(label: "curl-protocol-client")
    private let state = Mutex(State())

    init(_ context: ProtocolLoadContext, client: any LoaderClient) {
        self.context = context
        receiver = client
    }

    // MARK: Loader

    func start() {
        calls.async { [self] in begin() }
        clientQueue.async { [self] in startTimer() }
    }

    func cancel() {
        var dropped = Deque<ProtocolMessages.Message>()
        end { load, messages in
            dropped = messages.cutShort(by: .transport(.cancelled))
            return load.stop()
        }
        // The messages may hold the last references to the user's objects, which must not be
        // released under the lock.
        extendLifetime(dropped)
    }

    func allow(receiving: Bool, sending: Bool) {
        // On this queue, so that it keeps its order relative to the client's decisions.
        clientQueue.async { [self] in
            state.withLock { state in
                state.messages.isHeld = !receiving
                state.lastCall = .now
            }
            if receiving { deliver() }
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
                // Ignored if the protocol has already reported its own end.
                if disposition == .cancelAuthenticationChallenge { fail(.transport(.cancelled)) }
            }
            clientQueue.async { [self] in
                state.withLock { $0.messages.isAsking = false }
                deliver()
            }
        }
    }

    // MARK: On the protocol's queue

    private func begin() {
        guard state.withLock({ $0.load.start() }) else { return }
        let cached =
            context.looksIntoCache ? context.cache?.cachedResponse(for: context.request) : nil
        let object = ProtocolRequest.with(context.request, of: context.task) {
            context.type.init(task: context.task, cachedResponse: cached, client: self)
        }
        // A subclass may pass other arguments to its superclass' initializer.
        if object.client == nil { object.client = self }
        if object.task == nil { object.task = context.task }
        let instance = ProtocolInstance(object: object)
        state.withLock { $0.instance = instance }
        object.startLoading()
    }

    private func stop() {
        let instance = state.withLock { $0.instance.take() }
        instance?.object.stopLoading()
    }

    // MARK: Calls of the protocol

    /// Records a call of the protocol.
    func note(_ change: (inout ProtocolLoadState, inout ProtocolMessages) -> Void) {
        let isFirst = state.withLock { state in
            state.lastCall = .now
            change(&state.load, &state.messages)
            return state.messages.schedule()
        }
        if isFirst { clientQueue.async { [self] in deliver() } }
    }

    /// Records a call that may end the load.
    ///
    /// - Parameter change: Returns whether the load ends.
    func end(by change: (inout ProtocolLoadState, inout ProtocolMessages) -> Bool) {
        var isOver = false
        note { isOver = change(&$0, &$1) }
        // On this queue, so that it runs after the protocol's current work there.
        if isOver { calls.async { [self] in stop() } }
    }

    // MARK: On the client's queue

    private func deliver() {
        var hasDelivered = false
        while let message = state.withLock({ $0.messages.next() }) {
            if case .end(let failure) = message { return deliverEnd(failure) }
            deliver(message)
            hasDelivered = true
        }
        if hasDelivered { receiver.loader(self, didReceive: .endOfTurn) }
    }

    private func deliver(_ message: ProtocolMessages.Message) {
        switch message {
        case .response(let response, let policy):
            keep(response, policy)
            apply(receiver.loader(self, didReceive: .response(response)))
        case .data(let data):
            keep(data)
            apply(receiver.loader(self, didReceiveBody: data.span))
        case .redirect(let request, let response):
            receiver.loader(self, didReceive: .redirect(request, by: response))
        case .challenge(let challenge):
            ask(challenge)
        case .end:
            break
        }
    }

    /// Passes a challenge to the client, unless the protocol has cancelled it.
    private func ask(_ challenge: URLAuthenticationChallenge) {
        let isAwaited = state.withLock { state in
            state.messages.isAsking = state.load.awaitsAnswer(to: ObjectIdentifier(challenge))
            return state.messages.isAsking
        }
        if isAwaited { receiver.loader(self, didReceive: .challenge(challenge)) }
    }

    private func apply(_ decision: DeliveryDecision) {
        switch decision {
        case .proceed: break
        case .pause: state.withLock { $0.messages.isHeld = true }
        case .cancel: cancel()
        }
    }

    private func deliverEnd(_ failure: LoadOutcome.Failure?) {
        state.withLock { $0.timer.take() }?.cancel()
        let storable = state.withLock { $0.storable.take() }
        if failure == nil, let storable, let cache = context.cache {
            let proposal = CacheProposal(
                cached: storable.cached,
                request: context.request,
                cache: cache
            )
            receiver.loader(self, didReceive: .proposal(proposal))
        }
        receiver.loader(self, didReceive: .end(LoadOutcome(failure: failure, metrics: nil)))
        receiver.loader(self, didReceive: .endOfLastTurn)
    }

    // MARK: Storing

    /// Starts collecting the response for the cache. Downloads aren't stored.
    private func keep(_ response: URLResponse, _ policy: URLCache.StoragePolicy) {
        guard let cache = context.cache, !(context.task is URLSessionDownloadTask) else { return }
        let storable = StorableContent(
            response,
            policy,
            to: context.request,
            limit: cache.largestBody
        )
        state.withLock { $0.storable = storable }
    }

    private func keep(_ data: Data) {
        state.withLock { state in
            if state.storable?.append(data) == false { state.storable = nil }
        }
    }

    // MARK: Timeouts

    private func startTimer() {
        guard context.limits.timeLeft(silence: .zero, age: .zero) != nil else { return }
        let timer = LoadTimer(queue: clientQueue) { [weak self] in self?.checkTime() }
        let isOver = state.withLock { state in
            guard !state.messages.isOver else { return true }
            (state.started, state.lastCall, state.timer) = (.now, .now, timer)
            return false
        }
        if isOver { timer.cancel() } else { checkTime() }
    }

    private func checkTime() {
        let left = state.withLock { state in
            // Time during which the client doesn't accept events doesn't count as idle.
            if state.messages.isHeld || state.messages.isAsking { state.lastCall = .now }
            return context.limits.timeLeft(
                silence: state.lastCall.duration(to: .now),
                age: state.started.duration(to: .now)
            )
        }
        guard let left else { return }
        if left > .zero {
            state.withLock { $0.timer }?.schedule(after: left)
        } else {
            let reason = "\(context.type) didn't finish within the timeout"
            expire(.other(URLError(.timedOut, url: context.request.url, reason: reason)))
        }
    }

    /// Ends the load at a timeout.
    ///
    /// The protocol may not even have started, because no thread was free for it.
    private func expire(_ failure: LoadOutcome.Failure) {
        end { load, messages in
            guard load.stop() else { return false }
            messages.append(.end(failure))
            return true
        }
    }
}

// `@unchecked Sendable`: the one stored property is constant, and the object is only called on its
// load's serial queue. The subclass is responsible for its own use of other threads.
/// A user's protocol object, created for one load.
struct ProtocolInstance: @unchecked Sendable {
    let object: URLProtocol
}

extension URLAuthenticationChallenge {
    /// Passes the delegate's answer to the challenge's sender.
    func answer(_ disposition: URLSession.AuthChallengeDisposition, _ credential: URLCredential?) {
        guard let sender else { return }
        switch disposition {
        case .useCredential:
            if let credential {
                sender.use(credential, for: self)
            } else {
                sender.continueWithoutCredential(for: self)
            }
        case .performDefaultHandling:
            sender.performDefaultHandling(for: self)
        case .cancelAuthenticationChallenge:
            sender.cancel(self)
        case .rejectProtectionSpace:
            sender.rejectProtectionSpaceAndContinue(with: self)
        }
    }
}
