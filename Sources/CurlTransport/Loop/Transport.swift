internal import Curl
internal import HTTPTypes
internal import Synchronization

/// The engine: loop threads that carry transfers over libcurl.
///
/// A transport may be used from any thread. It starts its threads when it is created and ends them
/// with ``shutdown(_:)``, or by itself, cancelling what still runs, once nobody holds it any more.
public final class Transport: Sendable {
    /// A transport with the default configuration, for everybody in the process. It can't be shut
    /// down.
    public static let shared = Transport(fallingBack: TransportConfiguration())

    private let loops: [EventLoop]
    private let files: BlockingWorker?
    private let tasks: TransportTasks
    private let isShared: Bool
    /// Why there are no loops, where there are none.
    private let failure: TransportError?

    /// Starts the loops.
    ///
    /// - Throws: ``TransportError/Code/configuration`` for a value that makes no sense,
    ///   ``TransportError/Code/resourceExhausted`` where the system gives no thread or descriptor.
    public init(
        configuration: TransportConfiguration = TransportConfiguration()
    ) throws(TransportError) {
        try configuration.validate()
        (loops, files) = try Self.start(configuration)
        tasks = TransportTasks(loops)
        failure = nil
        isShared = false
    }

    /// Never fails: what is wrong is told to each transfer.
    private init(fallingBack configuration: TransportConfiguration) {
        isShared = true
        do {
            (loops, files) = try Self.start(configuration)
            failure = nil
        } catch {
            loops = []
            files = nil
            failure = error
        }
        tasks = TransportTasks(loops)
    }

    deinit {
        guard !isShared else { return }
        Self.end(loops, files, tasks, mode: .cancel)
    }

    private static func start(
        _ configuration: TransportConfiguration
    ) throws(TransportError) -> ([EventLoop], BlockingWorker) {
        guard CurlGlobal.initialisation == .ok else {
            throw .resourceExhausted("libcurl can't be initialised: \(CurlGlobal.initialisation)")
        }
        var loops: [EventLoop] = []
        do {
            let files = BlockingWorker()
            let shared = SharedResources(configuration: configuration)
            for index in 0..<(configuration.eventLoopCount ?? 1) {
                loops.append(try EventLoop(index: index, shared: shared))
            }
            return (loops, files)
        } catch {
            end(loops, nil, nil, mode: .cancel)
            throw .resourceExhausted("the transport can't start: \(error)")
        }
    }

    // MARK: Transfers

    /// Starts a transfer. What becomes of it, an error in the request included, is told to
    /// `delegate`, which is held until the transfer has completed.
    ///
    /// A file that is the request's body is opened here, on the caller's thread. If that fails, or
    /// the transport has ended, the delegate is told the completion before this returns.
    @discardableResult
    public func start(
        _ request: TransferRequest,
        delegate: any TransferDelegate
    ) -> TransferHandle {
        let handle = TransferHandle(id: .next(), loop: loop(for: request.request))
        do throws(TransportError) {
            guard let loop = handle.loop, let files else { throw failure ?? .shutdown }
            let plan = try TransferPlan(
                id: handle.id,
                request: request,
                delegate: delegate,
                files: files
            )
            guard loop.post(.start(plan)) else { throw .shutdown }
        } catch {
            delegate.tellRefusal(of: handle.id, error)
        }
        return handle
    }

    /// Begins a connection for bytes. What becomes of it is told to `delegate`, which is held until the
    /// connection has completed.
    ///
    /// If the transport has ended, the delegate is told the completion before this returns.
    public func connect(
        _ request: ByteConnectionRequest,
        delegate: any ByteConnectionDelegate
    ) -> ByteConnection {
        let loop = loop(for: request.target)
        let connection = ByteConnection(
            id: .next(),
            loop: loop,
            sendBufferSize: request.sendBufferSize
        )
        let plan = ByteConnectionPlan(request, connection: connection, delegate: delegate)
        if loop?.post(.connect(plan)) != true { plan.refuse(failure ?? .shutdown) }
        return connection
    }

    /// An origin's transfers share a loop, because they share connections.
    private func loop(for request: HTTPRequest) -> EventLoop? {
        guard loops.count > 1 else { return loops.first }
        var hash: UInt64 = 14_695_981_039_346_656_037
        var authority = Substring(request.authority ?? "")
        // However it is written: the default port is no other origin.
        let port = request.scheme == "https" ? ":443" : ":80"
        if authority.hasSuffix(port) { authority = authority.dropLast(port.count) }
        for byte in authority.utf8 {
            hash = (hash ^ UInt64(byte.lowercasedASCII)) &* 1_099_511_628_211
        }
        return loops[Int((hash >> 32) % UInt64(loops.count))]
    }

    /// Where tasks may run that mostly wait for this transport.
    var taskExecutor: any TaskExecutor { tasks.executor }

    /// Runs `job` where it may wait for a disk.
    func onFileThread<Value: Sendable>(
        _ job: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        guard let files else { return try job() }
        return try await files.run(job)
    }

    // MARK: The end

    /// Ends the transport and waits until its threads are gone.
    ///
    /// It may be called more than once, and on any thread. From a delegate's method use
    /// ``beginShutdown(_:)``, which doesn't wait. The shared transport ignores it.
    public func shutdown(_ mode: ShutdownMode = .cancel) async {
        guard !isShared else { return }
        for loop in loops { loop.post(.shutdown(mode)) }
        await Self.waitForEnd(of: loops, files, tasks)
    }

    /// Asks the transport to end, and returns at once. Transfers started from now on complete with
    /// ``TransportError/Code/shutdown``.
    public func beginShutdown(_ mode: ShutdownMode = .cancel) {
        guard !isShared else { return }
        Self.end(loops, files, tasks, mode: mode)
    }

    private static func end(
        _ loops: [EventLoop],
        _ files: BlockingWorker?,
        _ tasks: TransportTasks?,
        mode: ShutdownMode
    ) {
        for loop in loops { loop.post(.shutdown(mode)) }
        Task.detached { await waitForEnd(of: loops, files, tasks) }
    }

    /// Joins the threads once they have nothing left to do, so that nothing waits for long.
    private static func waitForEnd(
        of loops: [EventLoop],
        _ files: BlockingWorker?,
        _ tasks: TransportTasks?
    ) async {
        for loop in loops { await loop.waitForEnd() }
        files?.stop()
        // Last: the tasks that were woken until now run there.
        await tasks?.end()
    }
}
