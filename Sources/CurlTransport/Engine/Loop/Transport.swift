internal import Curl
internal import HTTPTypes
internal import Posix
internal import Synchronization

/// Runs transfers with libcurl on a set of event loop threads.
///
/// A transport may be used from any thread. It starts its threads when it is created.
/// ``shutdown(_:)`` ends them; so does releasing the last reference, which cancels running
/// transfers.
public final class Transport: Sendable {
    /// The process-wide transport with the default configuration. It can't be shut down.
    public static let shared = Transport(fallingBack: TransportConfiguration())

    let loops: [EventLoop]
    /// The origins that use several loops; nil if there is one loop.
    let spread: SpreadOrigins?
    private let files: BlockingWorker?
    private let tasks: TransportTasks
    private let isShared: Bool
    /// Why the loops couldn't be started; nil if they run.
    private let failure: TransportError?

    /// Starts the loops.
    ///
    /// - Throws: ``TransportError/Code/configuration`` for an invalid value,
    ///   ``TransportError/Code/resourceExhausted`` if the system has no thread or descriptor left.
    public convenience init(
        configuration: TransportConfiguration = TransportConfiguration()
    ) throws(TransportError) {
        try self.init(configuration: configuration, measuresLoad: true)
    }

    /// - Parameter measuresLoad: Whether loops measure how busy they are. Without it, only
    ///   ``report(_:ofLoop:)`` says so.
    init(configuration: TransportConfiguration, measuresLoad: Bool) throws(TransportError) {
        try configuration.validate()
        (loops, spread, files) = try Self.start(configuration, measuresLoad: measuresLoad)
        tasks = TransportTasks(loops)
        failure = nil
        isShared = false
    }

    /// Never fails. If the loops can't start, each transfer fails with the reason.
    private init(fallingBack configuration: TransportConfiguration) {
        isShared = true
        do {
            (loops, spread, files) = try Self.start(configuration)
            failure = nil
        } catch {
            loops = []
            spread = nil
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
        _ configuration: TransportConfiguration,
        measuresLoad: Bool = true
    ) throws(TransportError) -> ([EventLoop], SpreadOrigins?, BlockingWorker) {
        guard CurlGlobal.initialisation == .ok else {
            throw .resourceExhausted("libcurl can't be initialised: \(CurlGlobal.initialisation)")
        }
        // The program was compiled with headers that are new enough, but may run with an older library.
        guard CurlVersion.current.isAtLeast(7, 81) else {
            throw .outdatedLibrary(CurlVersion.current.text)
        }
        var loops: [EventLoop] = []
        do {
            let files = BlockingWorker()
            let shared = SharedResources(configuration: configuration, measuresLoad: measuresLoad)
            for index in 0..<(configuration.eventLoopCount ?? 1) {
                loops.append(try EventLoop(index: index, shared: shared))
            }
            shared.spread?.setLoops(loops)
            return (loops, shared.spread, files)
        } catch {
            end(loops, nil, nil, mode: .cancel)
            throw .resourceExhausted("the transport can't start: \(error)")
        }
    }

    // MARK: Transfers

    /// Starts a transfer.
    ///
    /// All results, including an error in the request, are reported to `delegate`, which is held
    /// until the transfer has completed.
    ///
    /// A file that is the request's body is opened here, on the caller's thread. If that fails, or
    /// the transport has ended, the delegate's completion is called before this returns.
    @discardableResult
    public func start(
        _ request: TransferRequest,
        delegate: any TransferDelegate
    ) -> TransferHandle {
        let (loop, place) = place(for: request)
        let handle = TransferHandle(id: .next(), loop: loop)
        do throws(TransportError) {
            guard let loop, let files else { throw failure ?? .shutdown }
            let plan = try TransferPlan(
                id: handle.id,
                request: request,
                delegate: delegate,
                files: files,
                place: place
            )
            guard loop.post(.start(plan)) else { throw .shutdown }
        } catch {
            delegate.reportRefusal(of: handle.id, error)
        }
        return handle
    }

    /// Starts a connection for bytes.
    ///
    /// All results are reported to `delegate`, which is held until the connection has completed. If
    /// the transport has ended, the delegate's completion is called before this returns.
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

    /// The loop of a new transfer, and its place there if its origin uses several loops.
    ///
    /// Usually all transfers to an origin use the same loop, because they share connections.
    private func place(for request: TransferRequest) -> (loop: EventLoop?, place: LoopPlace?) {
        guard let spread else { return (loops.first, nil) }
        let key = LoopKey(request.request)
        let place = spread.place(for: key, route: request.options.route)
        return (loops[place?.loop ?? key.home(of: loops.count)], place)
    }

    /// Connections for bytes use the loop of the origin's first transfers.
    private func loop(for request: HTTPRequest) -> EventLoop? {
        loops.count > 1 ? loops[LoopKey(request).home(of: loops.count)] : loops.first
    }

    /// Reports how busy a loop was, instead of its own measurement. Returns when the loop knows it.
    func report(_ window: LoadWindow, ofLoop index: Int) async {
        await withCheckedContinuation { continuation in
            let command = Command.loadReported(window) { continuation.resume() }
            if !loops[index].post(command) { continuation.resume() }
        }
    }

    /// The executor for tasks that mostly wait for this transport.
    var taskExecutor: any TaskExecutor { tasks.executor }

    /// Runs `job` on the thread that may wait for a disk.
    func onFileThread<Value: Sendable>(
        _ job: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        guard let files else { return try job() }
        return try await files.run(job)
    }

    // MARK: Shutdown

    /// Shuts down the transport and waits until its threads have ended.
    ///
    /// It may be called more than once, and on any thread. In a delegate's method, call
    /// ``beginShutdown(_:)`` instead, which doesn't wait. The shared transport ignores it.
    public func shutdown(_ mode: ShutdownMode = .cancel) async {
        guard !isShared else { return }
        for loop in loops { loop.post(.shutdown(mode)) }
        await Self.waitForEnd(of: loops, files, tasks)
    }

    /// Begins to shut down the transport, and returns at once.
    ///
    /// Transfers started from now on complete with ``TransportError/Code/shutdown``. The shared
    /// transport ignores it.
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

    /// Joins each thread after its work has ended, so that no join waits for long.
    private static func waitForEnd(
        of loops: [EventLoop],
        _ files: BlockingWorker?,
        _ tasks: TransportTasks?
    ) async {
        for loop in loops { await loop.waitForEnd() }
        files?.stop()
        // Last, because the tasks that were woken until now run there.
        await tasks?.end()
    }
}

/// How a transport shuts down.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum ShutdownMode: Sendable, Hashable {
    /// Running and queued transfers end at once with ``TransportError/Code/shutdown``.
    case cancel

    /// Transfers that were started before run to completion; new ones are refused.
    case finish
}

/// One loop thread, as seen by other threads.
///
/// The thread owns all libcurl handles, in a ``LoopDriver`` that is created on it and that no other
/// thread can reach. Other threads post commands to the mailbox.
final class EventLoop: Sendable {
    /// The loop's number in its transport.
    let index: Int
    /// The tasks to wake at the end of the turn.
    let wakeUps = WakeUpQueue()
    /// The buffers in which small responses are handed to tasks.
    let bufferPool = BufferPool()
    /// How busy it is; nil for the only loop of a transport.
    let load: LoopLoad?
    /// The tasks that wait for its statistics.
    let inquiries = LoopInquiries()
    private let mailbox: Mailbox
    private let thread = WatchedThread()

    init(index: Int, shared: SharedResources) throws(SystemFailure) {
        self.index = index
        load = shared.spread?.loads[index]
        mailbox = try Mailbox()
        try thread.start(name: "curl-loop-\(index)") { [self] in run(shared) }
    }

    /// The body of the thread.
    private func run(_ shared: SharedResources) {
        do {
            try LoopDriver(loop: self, mailbox: mailbox, shared: shared).run()
        } catch {
            let reason = TransportError.resourceExhausted("a loop can't start: \(error)")
            for command in mailbox.close() { command.refuse(reason) }
        }
        bufferPool.close()
    }

    /// Posts a command; false if the loop has ended.
    @discardableResult
    func post(_ command: Command) -> Bool {
        mailbox.post(command)
    }

    /// Waits until the thread has ended.
    func waitForEnd() async {
        await thread.waitForEnd()
    }
}

/// The queue of commands for a loop, posted by any thread.
///
/// Only the first command that finds the loop asleep pays for a wake-up.
final class Mailbox: Sendable {
    private struct State {
        var commands: [Command] = []
        /// Transfers whose cancellation has been posted and not yet carried out.
        var cancelled: Set<TransferID> = []
        var isLoopAsleep = false
        /// Nil after ``close()``.
        var wakeup: SharedWakeup?
    }

    private let state: Mutex<State>
    /// The count of `cancelled`, which can be read without the lock.
    private let cancelledCount = Atomic(0)

    /// Becomes readable when there are commands. Valid until the mailbox is closed.
    let descriptor: Int32

    init() throws(SystemFailure) {
        let wakeup = try SharedWakeup()
        descriptor = wakeup.wakeup.descriptor
        state = Mutex(State(wakeup: wakeup))
    }

    /// Adds a command. Returns false if the loop has ended and will never take it.
    @discardableResult
    func post(_ command: Command) -> Bool {
        let (isOpen, wakeup): (Bool, SharedWakeup?) = state.withLock { state in
            guard let wakeup = state.wakeup else { return (false, nil) }
            state.commands.append(command)
            if case .cancel(let id) = command {
                state.cancelled.insert(id)
                cancelledCount.store(state.cancelled.count, ordering: .releasing)
            }
            let mustWake = state.isLoopAsleep
            state.isLoopAsleep = false
            return (true, mustWake ? wakeup : nil)
        }
        // Not under the lock, which the loop takes as soon as it wakes.
        wakeup?.wakeup.signal()
        return isOpen
    }

    // MARK: Loop

    /// Announces that the loop is about to wait. Returns false if it must not, because there are
    /// commands.
    func prepareToWait() -> Bool {
        state.withLock { state in
            state.isLoopAsleep = state.commands.isEmpty
            return state.isLoopAsleep
        }
    }

    /// Makes ``descriptor`` unreadable again.
    func clearWakeup() {
        let wakeup = state.withLock { $0.wakeup }
        wakeup?.wakeup.clear()
    }

    /// Swaps the commands with the given empty array.
    func takeAll(into commands: inout [Command]) {
        state.withLock { state in
            state.isLoopAsleep = false
            swap(&state.commands, &commands)
        }
    }

    /// Whether a transfer's cancellation has been posted and not yet carried out.
    func hasCancelled(_ id: TransferID) -> Bool {
        guard cancelledCount.load(ordering: .acquiring) > 0 else { return false }
        return state.withLock { $0.cancelled.contains(id) }
    }

    /// Records that a cancellation has been carried out.
    func forgetCancellation(of id: TransferID) {
        state.withLock { state in
            state.cancelled.remove(id)
            cancelledCount.store(state.cancelled.count, ordering: .releasing)
        }
    }

    /// Accepts no more commands, returns the remaining ones, and releases the descriptor.
    func close() -> [Command] {
        state.withLock { state in
            state.wakeup = nil
            defer { state.commands = [] }
            return state.commands
        }
    }
}

/// A reference-counted wakeup for a thread.
///
/// A thread that is about to signal it holds a reference, so that the descriptor can't have been
/// closed and reused by then.
final class SharedWakeup: Sendable {
    let wakeup: Wakeup

    init() throws(SystemFailure) {
        wakeup = try Wakeup()
    }
}
