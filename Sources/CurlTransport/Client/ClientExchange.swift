internal import HTTPTypes
internal import Posix
internal import Synchronization

/// One request of the asynchronous client and its response.
///
/// It is the delegate of its transfer, and tasks wait in it for the head and the body. The loop's
/// callbacks change the state and wake a waiting task once per turn. ``ExchangeState`` makes all
/// decisions.
final class ClientExchange: TransferDelegate, Waker {
    private let state: Mutex<ExchangeState>
    private let hooks: ClientHooks
    private let observers: [any TransferObserver]
    private let redirects: RedirectPolicy.Mode

    init(_ request: TransferRequest, hooks: ClientHooks, observers: [any TransferObserver]) {
        let options = request.options
        state = Mutex(
            ExchangeState(
                request: request.request,
                receiveBufferSize: options.receiveBufferSize ?? 0,
                hookTasks: hooks.areCalled(under: options.options) ? CallerTasks() : nil
            )
        )
        self.hooks = hooks
        self.observers = observers
        redirects = options.options.redirects.mode
    }

    var request: HTTPRequest { state.withLock { $0.request } }
    /// The trailers and the metrics; nil before they are known.
    var end: ResponseEnd? {
        state.withLock { state in
            state.metrics.map { ResponseEnd(trailers: state.trailers, metrics: $0) }
        }
    }

    // MARK: Task

    /// Starts the transfer. Call it once, before any method that waits.
    func start(_ request: TransferRequest, on transport: Transport) {
        state.withLock { $0.transport = transport }
        let handle = transport.start(request, delegate: self)
        state.withLock { $0.handle = handle }
    }

    /// Waits for the response's head.
    func response() async throws(TransportError) -> HTTPClientResponse {
        await withTaskCancellationHandler {
            await ExchangeState.HeadWaiter.wait { waiter in
                var waiter = Optional(waiter)
                state.withLock { $0.keep(&waiter) }
                if let waiter = waiter.take() { waiter.resume(returning: ()) }
            }
        } onCancel: {
            abandon()
        }
        return try takeResponse()
    }

    // Not inlined: the variables of a function that waits take memory in each task that waits.
    @inline(never)
    private func takeResponse() throws(TransportError) -> HTTPClientResponse {
        let (head, id) = try state.withLock { state throws(TransportError) in
            (try state.takeHead(), state.handle?.id)
        }
        return HTTPClientResponse(head: head, id: id ?? TransferID(), exchange: self)
    }

    /// Waits for the next chunk of the body; nil at its end.
    func nextChunk() async throws(TransportError) -> [UInt8]? {
        if let result = finishTaking(state.withLock { $0.takeChunk() }) { return try result.get() }
        return try await waitForChunk()
    }

    /// Waits until ``bufferedChunk()`` has more of the body; false at its end.
    func hasMore() async throws(TransportError) -> Bool {
        // If the server is faster than the disk, the task never suspends, and cancellation has to
        // be checked here.
        if Task.isCancelled {
            abandon()
            throw .cancelled
        }
        let taken = state.withLock { state in
            state.takesChunksElsewhere = true
            return state.answerReader()
        }
        if let result = finishTaking(taken) { return try result.get() != nil }
        return try await waitForChunk() != nil
    }

    private func waitForChunk() async throws(TransportError) -> [UInt8]? {
        while true {
            let isOnlyReader = await withTaskCancellationHandler {
                await ExchangeState.BodyWaiter.wait { reader in
                    var reader = Optional(reader)
                    let answer = state.withLock { $0.keep(&reader) }
                    if let answer, let reader = reader.take() { reader.resume(returning: answer) }
                }
            } onCancel: {
                abandon()
            }
            guard isOnlyReader else { throw .bodyReadTwice }
            let taken = state.withLock { $0.answerReader() }
            if let result = finishTaking(taken) { return try result.get() }
        }
    }

    /// Lets the loop write the body to a file in memory.
    ///
    /// From now on ``hasMore()`` waits until the whole body has arrived. Bytes that the loop hasn't
    /// written can be read then.
    func write(to target: DownloadTarget) {
        let paused = state.withLock { $0.write(to: target) }
        paused?.resumeReceiving()
    }

    /// The bytes of the body since the last chunk.
    ///
    /// Nil if there are none, at the end, or while the loop writes the body to a file.
    func bufferedChunk() throws(TransportError) -> [UInt8]? {
        try finishTaking(state.withLock { $0.takeChunk() })?.get()
    }

    /// Waits for the whole body.
    func collect(upTo limit: Int) async throws(TransportError) -> [UInt8] {
        state.withLock { $0.collectLimit = Swift.max(0, limit) }
        return try await nextChunk() ?? []
    }

    /// Cancels the transfer, because the response has no reader any more.
    func abandon() {
        let handle = state.withLock { $0.cancel() }
        handle?.cancel()
    }

    private func finishTaking(_ taken: ExchangeState.Taken) -> Result<[UInt8]?, TransportError>? {
        taken.resume?.resumeReceiving()
        return taken.result
    }

    // MARK: Loop

    func transfer(
        _ transfer: TransferHandle,
        willFollow redirect: Redirect
    ) -> RedirectDecision {
        guard redirects == .ask, let hook = hooks.redirect else {
            return finish(.follow, about: redirect, by: transfer)
        }
        startHook { [self] in
            let decision = finish(await hook(redirect), about: redirect, by: transfer)
            // No answer would follow later, so this counts as a refusal.
            if case .later = decision {
                transfer.answer(redirect: .refuse)
            } else {
                transfer.answer(redirect: decision)
            }
        }
        return .later
    }

    /// Lets the observers change the request of a redirect that is followed, and records it.
    private func finish(
        _ decision: RedirectDecision,
        about redirect: Redirect,
        by transfer: TransferHandle
    ) -> RedirectDecision {
        var request: HTTPRequest
        switch decision {
        case .follow: request = redirect.request
        case .followChanged(let changed): request = changed
        case .refuse, .later: return decision
        }
        for observer in observers {
            observer.transfer(transfer.id, willFollow: redirect, with: &request)
        }
        state.withLock { $0.request = request }
        return observers.isEmpty ? decision : .followChanged(request)
    }

    func transfer(_ transfer: TransferHandle, didReceive trust: ServerTrust) -> TrustDecision {
        guard let hook = hooks.serverTrust else { return .performDefaultHandling }
        startHook {
            let decision = await hook(trust)
            transfer.answer(trust: decision == .later ? .reject : decision)
        }
        return .later
    }

    /// Runs a hook with the caller's task-local values.
    private func startHook(_ work: @escaping @Sendable () async -> Void) {
        let tasks = state.withLock { $0.hookTasks } ?? CallerTasks()
        tasks.start(work)
    }

    func transfer(_ transfer: TransferHandle, didReceive head: ResponseHead) -> DeliveryDecision {
        state.withLock { $0.receive(head, by: transfer) }
        return .proceed
    }

    func transfer(
        _ transfer: TransferHandle,
        didReceiveBody bytes: Span<UInt8>
    ) -> DeliveryDecision {
        state.withLock { $0.append(bytes) }
    }

    func transfer(_ transfer: TransferHandle, didReceiveTrailers fields: HTTPFields) {
        state.withLock { $0.trailers = fields }
    }

    func transferDidEndTurn(_ transfer: TransferHandle) {
        endTurn(of: transfer)
    }

    func transferDidCompleteTurn(_ transfer: TransferHandle) {
        endTurn(of: transfer)
    }

    private func endTurn(of transfer: TransferHandle) {
        let urgency = state.withLock { $0.urgency() }
        guard urgency != .none else { return }
        guard let loop = transfer.loop else { return wake() }
        if urgency == .now {
            loop.wakeUps.append(self)
        } else {
            loop.wakeUps.appendDeferred(self, mayPause: urgency == .afterPause)
        }
    }

    func wake() {
        let wakeUp = state.withLock { $0.wakeUp() }
        wakeUp.run()
    }

    func transfer(_ transfer: TransferHandle, didLog line: TransferLogLine) {
        guard hooks.log != nil else { return }
        state.withLock { $0.log.append(line) }
        deliverLog(transfer.id)
    }

    func transfer(_ transfer: TransferHandle, didFinishCollecting metrics: TransferMetrics) {
        state.withLock { $0.metrics = metrics }
    }

    func transfer(_ transfer: TransferHandle, didCompleteWith error: TransportError?) {
        // Before a reader can see the end.
        if !observers.isEmpty { notifyObservers(ofEnd: transfer.id, with: error) }
        let transport = state.withLock { state in
            state.complete(with: error)
            return state.transport.take()
        }
        // This may be the last reference. The transport's deinit ends the loops, and must not run
        // under the lock.
        extendLifetime(transport)
    }

    private func notifyObservers(ofEnd id: TransferID, with error: TransportError?) {
        let end = state.withLock { $0.end(of: id, with: error) }
        for observer in observers { observer.transferDidEnd(end) }
    }

    /// Passes log lines to the hook in order, in one task at a time, until none are left.
    private func deliverLog(_ id: TransferID) {
        guard let hook = hooks.log, state.withLock({ $0.startLogging() }) else { return }
        startHook { [self] in
            while true {
                let lines = state.withLock { $0.takeLog() }
                if lines.isEmpty { return }
                for line in lines { await hook(id, line) }
            }
        }
    }
}
