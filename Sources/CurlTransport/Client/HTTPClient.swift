public import HTTPTypes

/// An asynchronous HTTP client: requests in, responses with streamed bodies out.
///
/// ```swift
/// let response = try await HTTPClient.shared.send(HTTPRequest(url: "https://example.org/"))
/// let bytes = try await response.body.collect(upTo: 1 << 20)
/// ```
///
/// Any number of tasks may use a client at once. Cancelling a task cancels the transfer that it
/// waits for, wherever that is, and letting go of a response whose body isn't read frees its
/// connection. Nothing of the caller's runs on a loop thread, but for the `enqueue` of an executor of
/// its own, to which a task that goes on is handed from there.
///
/// A client has one thread for files, which its downloads to files and those of its uploads from files
/// that have to wait for a disk share in turn: a slow disk holds up all of them, though no other
/// transfer. Files on disks of different speed are best left to clients of their own.
public final class HTTPClient: Sendable {
    /// A client with the default options, on the shared transport. It can't be shut down.
    public static let shared = HTTPClient(
        transport: .shared,
        prepared: Result { () throws(TransportError) in try PreparedOptions() }
    )

    /// The options of requests that bring none of their own.
    public let options: TransferOptions

    private let transport: Transport
    private let prepared: Result<PreparedOptions, TransportError>
    private let hooks: ClientHooks

    /// Creates a client with a transport of its own.
    ///
    /// - Throws: ``TransportError/Code/configuration`` and its like for options that can't be
    ///   honoured, an unreadable CA file for instance.
    public init(
        configuration: TransportConfiguration = TransportConfiguration(),
        options: TransferOptions = TransferOptions(),
        hooks: ClientHooks = ClientHooks()
    ) throws(TransportError) {
        let prepared = try PreparedOptions(options)
        transport = try Transport(configuration: configuration)
        self.prepared = .success(prepared)
        self.options = options
        self.hooks = hooks
    }

    private init(transport: Transport, prepared: Result<PreparedOptions, TransportError>) {
        self.transport = transport
        self.prepared = prepared
        options = TransferOptions()
        hooks = ClientHooks()
    }

    /// Sends a request and answers as soon as the response's head is there.
    ///
    /// A status such as 404 is a response, not an error.
    ///
    /// - Parameters:
    ///   - request: `HTTPRequest(url:)` makes one of a URL.
    ///   - body: the request's content.
    /// - Throws: ``TransportError/Code/cancelled`` if the task is cancelled, and whatever else ends
    ///   a transfer before its response begins.
    public func send(
        _ request: HTTPRequest,
        body: RequestBody = .none
    ) async throws(TransportError) -> HTTPClientResponse {
        try await begin(request, body: body, options: prepared.get()).response()
    }

    /// Sends a request with options of its own.
    ///
    /// - Parameter options: instead of the client's own, as a whole; start from ``options`` to change
    ///   a few.
    public func send(
        _ request: HTTPRequest,
        body: RequestBody = .none,
        options: TransferOptions
    ) async throws(TransportError) -> HTTPClientResponse {
        try await begin(request, body: body, options: options).response()
    }

    /// Sends a request with options that were made ready before: for many requests that share
    /// options other than the client's.
    public func send(
        _ request: HTTPRequest,
        body: RequestBody = .none,
        options: PreparedOptions
    ) async throws(TransportError) -> HTTPClientResponse {
        try await begin(request, body: body, options: options).response()
    }

    /// Starts the transfer, unless the calling task is cancelled.
    ///
    /// All that needs no waiting is done in here, apart from the functions that wait: what those have in
    /// hand stays in memory for as long as they do.
    @inline(never)
    func begin(
        _ request: HTTPRequest,
        body: RequestBody,
        options: PreparedOptions
    ) throws(TransportError) -> ClientExchange {
        guard !Task.isCancelled else { throw .cancelled }
        let request = TransferRequest(request, body: body, options: options)
        let exchange = ClientExchange(request, hooks: hooks)
        exchange.start(request, on: transport)
        return exchange
    }

    /// The same with options that aren't ready yet.
    @inline(never)
    func begin(
        _ request: HTTPRequest,
        body: RequestBody,
        options: TransferOptions
    ) throws(TransportError) -> ClientExchange {
        try begin(request, body: body, options: PreparedOptions(options))
    }

    /// A thread of the client's for tasks that mostly wait for its responses.
    ///
    /// ```swift
    /// await withTaskExecutorPreference(client.taskExecutor) {
    ///     await withDiscardingTaskGroup { group in
    ///         for url in urls { group.addTask { await visit(url, with: client) } }
    ///     }
    /// }
    /// ```
    ///
    /// Tasks run in Swift's pool otherwise, whose threads are as many as the machine's processors and
    /// sleep and wake with each few responses. On one thread all that a turn of the loop has brought is taken up
    /// at once: with many requests in flight that may cost less of the processors, depending on the machine, as
    /// long as what the tasks do between two responses is short. They take turns there, so work that takes
    /// longer is best left to the pool. Nothing may block there, as nothing may in the pool.
    ///
    /// The thread is started by the first use of this property; where the system gives none, this is
    /// Swift's pool. ``shutdown(_:)`` ends it, and what still runs goes on in the pool.
    public var taskExecutor: any TaskExecutor { transport.taskExecutor }

    /// Ends the client's transport and waits until its threads are gone. The shared client ignores
    /// it.
    public func shutdown(_ mode: ShutdownMode = .cancel) async {
        await transport.shutdown(mode)
    }

    /// Runs `job` where it may wait for a disk.
    func onFileThread<Value: Sendable>(
        _ job: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await transport.onFileThread(job)
    }
}
