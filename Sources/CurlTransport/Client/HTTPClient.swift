public import HTTPTypes

/// An asynchronous HTTP client whose responses have streamed bodies.
///
/// ```swift
/// let response = try await HTTPClient.shared.send(HTTPRequest(url: "https://example.org/"))
/// let bytes = try await response.body.collect(upTo: 1 << 20)
/// ```
///
/// Any number of tasks may use a client at once. Cancelling a task cancels the transfer that it
/// waits for, in every phase. Releasing a response whose body isn't read frees its connection. No
/// code of the caller runs on a loop thread, with two exceptions: a ``TransferObserver``, and the
/// `enqueue` of a custom executor, with which the loop thread resumes a task.
///
/// A client has one thread for files. Its downloads to files share it, and so do uploads from files
/// that have to wait for a disk. A slow disk delays all of these, but no other transfer. Use
/// separate clients for files on disks of different speed.
public final class HTTPClient: Sendable {
    /// A client with default options on the shared transport. It can't be shut down.
    public static let shared = HTTPClient(
        transport: .shared,
        prepared: Result { () throws(TransportError) in try PreparedOptions() }
    )

    /// The options of requests that have none of their own.
    public let options: TransferOptions

    let core: ClientCore
    /// The client's middleware around `core`; nil if there is none.
    private let chain: MiddlewareChain?

    /// Creates a client with a transport of its own.
    ///
    /// - Parameters:
    ///   - hooks: called during the transfers.
    ///   - middleware: called around each request; the first is the outermost. Default: none.
    /// - Throws: a ``TransportError``, for example ``TransportError/Code/configuration``, if the
    ///   options can't be applied, as with an unreadable CA file.
    public init(
        configuration: TransportConfiguration = TransportConfiguration(),
        options: TransferOptions = TransferOptions(),
        hooks: ClientHooks = ClientHooks(),
        middleware: [any HTTPMiddleware] = []
    ) throws(TransportError) {
        let prepared = try PreparedOptions(options)
        core = ClientCore(
            transport: try Transport(configuration: configuration),
            prepared: .success(prepared),
            hooks: hooks
        )
        chain = middleware.isEmpty ? nil : MiddlewareChain(middleware, around: core)
        self.options = options
    }

    private init(transport: Transport, prepared: Result<PreparedOptions, TransportError>) {
        core = ClientCore(transport: transport, prepared: prepared, hooks: ClientHooks())
        chain = nil
        options = TransferOptions()
    }

    /// Sends a request and returns when the response's head has arrived.
    ///
    /// A status such as 404 is a response, not an error.
    ///
    /// - Parameters:
    ///   - request: create one from a URL with `HTTPRequest(url:)`.
    ///   - body: the request's content.
    ///   - deadline: when the transfer must have completed; nil for no deadline. It covers the
    ///     queue, the connection, redirects, retries and the whole body, in addition to
    ///     ``Timeouts/total`` of the options. If it passes before the response, this throws
    ///     ``TransportError/Code/deadlineExceeded``; if it passes later, reading the body throws
    ///     it. A body that has arrived completely can be read after the deadline. If the deadline
    ///     has already passed, this throws at once and sends nothing.
    /// - Throws: ``TransportError/Code/cancelled`` if the task is cancelled, or any other error
    ///   that ends the transfer before the response's head.
    public func send(
        _ request: HTTPRequest,
        body: RequestBody = .none,
        deadline: ContinuousClock.Instant? = nil
    ) async throws(TransportError) -> HTTPClientResponse {
        if chain != nil {
            return try await sendThroughMiddleware(request, body, nil, deadline)
        }
        return try await begin(request, body, nil, deadline).response()
    }

    /// Sends a request with the given options.
    ///
    /// Options are prepared before they are used, which costs about half as much as a request. The
    /// client caches the 16 sets of options that it used last, compared by value. So use few
    /// different ones, and limit the time of single requests with `deadline`. Options with
    /// ``ProxyPolicy/environment`` are prepared for each request, because the environment may have
    /// changed.
    ///
    /// - Parameters:
    ///   - options: replace all of the client's own; start from ``options`` to change a few.
    ///   - deadline: see ``send(_:body:deadline:)``.
    /// - Throws: as ``send(_:body:deadline:)``, and for invalid options.
    public func send(
        _ request: HTTPRequest,
        body: RequestBody = .none,
        options: TransferOptions,
        deadline: ContinuousClock.Instant? = nil
    ) async throws(TransportError) -> HTTPClientResponse {
        let prepared = try core.prepared(options)
        return try await send(request, body: body, options: prepared, deadline: deadline)
    }

    /// Sends a request with options that were prepared before.
    ///
    /// Use this for many requests that share options other than the client's.
    ///
    /// - Parameters:
    ///   - options: replace all of the client's own.
    ///   - deadline: see ``send(_:body:deadline:)``.
    /// - Throws: as ``send(_:body:deadline:)``.
    public func send(
        _ request: HTTPRequest,
        body: RequestBody = .none,
        options: PreparedOptions,
        deadline: ContinuousClock.Instant? = nil
    ) async throws(TransportError) -> HTTPClientResponse {
        if chain != nil {
            return try await sendThroughMiddleware(request, body, options, deadline)
        }
        return try await begin(request, body, options, deadline).response()
    }

    // Neither of these is inlined: the variables of a function that waits take memory in each task
    // that waits for a response. One of them would be a copy of `core`.

    @inline(never)
    private func begin(
        _ request: HTTPRequest,
        _ body: RequestBody,
        _ options: PreparedOptions?,
        _ deadline: ContinuousClock.Instant?
    ) throws(TransportError) -> ClientExchange {
        try core.begin(request, body: body, options: options, deadline: deadline)
    }

    @inline(never)
    private func sendThroughMiddleware(
        _ request: HTTPRequest,
        _ body: RequestBody,
        _ options: PreparedOptions?,
        _ deadline: ContinuousClock.Instant?
    ) async throws(TransportError) -> HTTPClientResponse {
        let context = RequestContext(options: options, deadline: deadline)
        return try await send(request, body: body, context: context)
    }

    /// A task executor for tasks that mostly wait for this client's responses.
    ///
    /// ```swift
    /// await withTaskExecutorPreference(client.taskExecutor) {
    ///     await withDiscardingTaskGroup { group in
    ///         for url in urls { group.addTask { await visit(url, with: client) } }
    ///     }
    /// }
    /// ```
    ///
    /// It runs tasks on one thread of the client. By default tasks run in Swift's pool. The pool
    /// has as many threads as the machine has processors, and they sleep and wake every few
    /// responses. A single thread handles all responses of a loop's turn in one go: with 64 small
    /// requests in flight, threads fell asleep once in 30 requests instead of once in three, and
    /// used a sixth less CPU time. The tasks take turns on the thread, so longer work belongs in
    /// the pool. As in the pool, no task may block.
    ///
    /// The first use of this property starts the thread. If the system can't create one, this is
    /// Swift's pool. ``shutdown(_:)`` ends the thread; remaining tasks continue in the pool.
    public var taskExecutor: any TaskExecutor { core.transport.taskExecutor }

    /// What the client's origins and event loops do now: requests, queues and connections.
    ///
    /// See ``Transport/statistics(within:)``. Clients on the shared transport have common
    /// statistics.
    ///
    /// - Parameter limit: How long to wait for the event loops, all together. Default: 5 seconds.
    public func statistics(within limit: Duration = .seconds(5)) async -> TransportStatistics {
        await core.transport.statistics(within: limit)
    }

    /// Shuts down the client's transport and waits until its threads have ended.
    ///
    /// The shared client ignores it.
    public func shutdown(_ mode: ShutdownMode = .cancel) async {
        await core.transport.shutdown(mode)
    }

    /// Runs `job` on the thread that may wait for a disk.
    func onFileThread<Value: Sendable>(
        _ job: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await core.transport.onFileThread(job)
    }
}

extension HTTPClient: HTTPExchanging {
    /// Sends a request with a context, through the client's middleware if it has any.
    ///
    /// - Parameters:
    ///   - request: create one from a URL with `HTTPRequest(url:)`.
    ///   - body: the request's content.
    ///   - context: options, deadline, name, idempotency and observers.
    /// - Throws: as ``send(_:body:deadline:)``.
    public func send(
        _ request: HTTPRequest,
        body: RequestBody = .none,
        context: RequestContext
    ) async throws(TransportError) -> HTTPClientResponse {
        if let chain { return try await chain.send(request, body: body, context: context) }
        return try await core.send(request, body: body, context: context)
    }
}
