internal import HTTPTypes

/// A client without its middleware: it starts transfers.
struct ClientCore: HTTPExchanging {
    let transport: Transport
    let prepared: Result<PreparedOptions, TransportError>
    private let cache: PreparedOptionsCache
    let hooks: ClientHooks

    init(
        transport: Transport,
        prepared: Result<PreparedOptions, TransportError>,
        hooks: ClientHooks
    ) {
        self.transport = transport
        self.prepared = prepared
        self.hooks = hooks
        cache = PreparedOptionsCache(own: try? prepared.get())
    }

    /// Prepares options, or takes them from the cache.
    @inline(never)
    func prepared(_ options: TransferOptions) throws(TransportError) -> PreparedOptions {
        try cache.prepared(options)
    }

    func send(
        _ request: HTTPRequest,
        body: RequestBody,
        context: RequestContext
    ) async throws(TransportError) -> HTTPClientResponse {
        try await begin(request, body: body, context: context).response()
    }

    /// Starts the transfer, unless the calling task is cancelled.
    ///
    /// Everything that doesn't wait happens here, outside of the functions that wait: the local
    /// variables of those stay in memory while they wait.
    ///
    /// - Parameter options: nil for the client's own.
    @inline(never)
    func begin(
        _ request: HTTPRequest,
        body: RequestBody,
        options: PreparedOptions? = nil,
        deadline: ContinuousClock.Instant?
    ) throws(TransportError) -> ClientExchange {
        let timeLimit = try timeLimit(of: request, until: deadline)
        let transfer = TransferRequest(
            request.describing(body),
            body: body,
            options: try own(or: options),
            timeLimit: timeLimit
        )
        return start(transfer, observers: [])
    }

    /// Starts the transfer of a request with a context.
    ///
    /// If it can't start, the observers are notified.
    @inline(never)
    private func begin(
        _ request: HTTPRequest,
        body: RequestBody,
        context: RequestContext
    ) throws(TransportError) -> ClientExchange {
        do throws(TransportError) {
            var transfer = TransferRequest(
                request.describing(body),
                body: body,
                options: try own(or: context.options),
                timeLimit: try timeLimit(of: request, until: context.deadline)
            )
            transfer.idempotency = context.idempotency
            return start(transfer, observers: context.notifiedObservers)
        } catch {
            guard !context.observers.isEmpty else { throw error }
            let id = TransferID()
            let error = error.ending(id, TransferMetrics())
            let end = TransferEnd(id: id, request: request, error: error)
            for observer in context.notifiedObservers { observer.transferDidEnd(end) }
            throw error
        }
    }

    /// The given options, or the client's own.
    private func own(or given: PreparedOptions?) throws(TransportError) -> PreparedOptions {
        if let given { return given }
        return try prepared.get()
    }

    private func timeLimit(
        of request: HTTPRequest,
        until deadline: ContinuousClock.Instant?
    ) throws(TransportError) -> Duration? {
        guard !Task.isCancelled else { throw .cancelled }
        guard let deadline else { return nil }
        let timeLimit = ContinuousClock.now.duration(to: deadline)
        guard timeLimit > .zero else { throw .deadlinePassed(request.url) }
        return timeLimit
    }

    private func start(
        _ transfer: TransferRequest,
        observers: [any TransferObserver]
    ) -> ClientExchange {
        let exchange = ClientExchange(transfer, hooks: hooks, observers: observers)
        exchange.start(transfer, on: transport)
        return exchange
    }
}
