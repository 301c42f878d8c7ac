internal import Curl
internal import HTTPTypes
internal import Posix

/// Drives an event loop on its thread: multi handles, epoll set and transfers.
///
/// Created and used on the loop's thread, and not reachable from any other. libcurl's callbacks
/// only record events; the driver handles them after libcurl has returned. The loop blocks only in
/// ``Reactor/wait(until:)``. It reads and writes files only if that doesn't wait for a device.
final class LoopDriver {
    let loop: EventLoop
    let shared: SharedResources
    private let inbox: Inbox

    var reactor: Reactor
    var handlePool: HandlePool
    var transfers: [TransferID: Transfer] = [:]
    var channels = ChannelTable()
    var scheduler: Scheduler
    var limits: SharedLimits

    /// The time of the current turn, taken once after waiting.
    var now: MonotonicTime = .now
    var deadlines = LoopDeadlines()
    var shardEvents = ShardEvents()

    var round = EventRound()
    var transferTurn = TurnLists<Transfer>()
    var channelTurn = TurnLists<ByteChannel>()
    var streamChecks = StreamChecks()
    /// What this loop knows and does about the load of the transport's loops.
    var balance: LoopBalance
    var endpoints = EndpointCache()
    var trustCache = TrustCache()
    var buffers = LoopBuffers()
    var metrics = MetricsCollector()
    var sockets = ConnectionSockets()
    var streamEnds = StreamEnds()
    private(set) var shutdownMode: ShutdownMode?

    /// If a call of libcurl moves this many bytes, more are probably available.
    private static let flow = 16 * 1024

    /// How many bytes may pass through one socket before the others have their turn.
    static let socketShare = 512 * 1024

    init(
        loop: EventLoop,
        mailbox: Mailbox,
        shared: SharedResources
    ) throws(SystemFailure) {
        self.loop = loop
        inbox = Inbox(mailbox)
        self.shared = shared
        balance = LoopBalance(
            measuresLoad: shared.spread != nil && shared.measuresLoad,
            at: .now
        )
        limits = SharedLimits(loop: loop, shared: shared)
        let configuration = shared.configuration
        scheduler = Scheduler(
            maximumConnectionsPerHost: configuration.maximumConnectionsPerHost,
            maximumConnectionsByOrigin: configuration.maximumConnectionsByIdentity,
            lookupLifetime: configuration.dnsCacheLifetime
        )
        reactor = try Reactor(wakeup: mailbox.descriptor)
        handlePool = HandlePool(
            maximumIdleConnections: configuration.maximumIdleConnections
        )
    }

    private var mailbox: Mailbox { inbox.mailbox }

    // MARK: The loop

    /// Runs until the loop is shut down and its last transfer has completed.
    func run() {
        while !isFinished { turn() }
        // A waker that still waits for more bytes may hold the transport, which holds this loop.
        loop.wakeUps.run(isQuiet: true, endsRound: true)
        for command in mailbox.close() { command.refuse(.shutdown) }
        limits.releaseReserved()
        handlePool.close()
    }

    private var isFinished: Bool {
        shutdownMode != nil && transfers.isEmpty && channels.isEmpty
    }

    private func turn() {
        var deadline = min(deadlines.earliest, shardEvents.earliest)
        if let pause = loop.wakeUps.deferredPause {
            deadline = min(deadline, now.advanced(byNanoseconds: pause))
        }
        let hasWork = !mailbox.prepareToWait() || transferTurn.isAnyHeld || channelTurn.isAnyHeld
        let hasNoDeadline = deadline == .distantFuture
        if balance.measuresLoad { beginMeasuredWait() }
        let events = reactor.wait(until: hasWork ? now : hasNoDeadline ? nil : deadline)
        now = .now
        if balance.measuresLoad { endMeasuredWait() }
        round.beginTurn(events: events)
        if reactor.hasRefused { stopUnwatched() }
        handleMail()
        if round.isFirstTurn { resumeHeld() }
        admit()
        if balance.hasWindow { handleWindow() }
        handle(events)
        handleTimers()
        collectResults()
        if now >= deadlines.sweep { sweep() }
        endTurn(isQuiet: events == 0)
    }

    private func handleMail() {
        inbox.takeAll()
        guard !inbox.commands.isEmpty else { return }
        for index in inbox.commands.indices { handle(inbox.commands[index]) }
        inbox.removeAll()
    }

    private func handle(_ events: Int) {
        for index in 0..<events {
            guard let event = reactor.event(at: index) else { continue }
            if event.descriptor == mailbox.descriptor {
                mailbox.clearWakeup()
                continue
            }
            if let channel = channels.open(on: event.descriptor) {
                work(on: channel, ready: event.ready)
                continue
            }
            work(on: event.descriptor, ready: event.ready)
        }
    }

    /// Lets libcurl work on a socket while large bodies keep arriving.
    ///
    /// One call moves at most one buffer or one TLS record. Another call follows only if one of the
    /// same size fits into the share: beyond the share, a window would be full before its reader is
    /// woken at the end of the turn.
    private func work(on descriptor: Int32, ready: SocketInterest) {
        var left = min(round.share, Self.socketShare)
        let shard = shardEvents.owner(of: descriptor)
        shardEvents.noteWork(in: shard)
        // One turn per call would add 50 % to the cost of the bytes themselves.
        repeat {
            round.movedBytes = 0
            check(handlePool.work(on: descriptor, ready: ready, in: shard))
            left -= round.movedBytes
        } while round.movedBytes >= Self.flow && round.movedBytes <= left
    }

    private func handleTimers() {
        // Only once per turn and shard. If bytes arrive faster than libcurl reads them, it sets its
        // timer to zero each time, and other transfers and commands must have their turn.
        var next = 0
        while let shard = shardEvents.takeExpired(from: next, at: now) {
            shardEvents.noteWork(in: shard)
            check(handlePool.timeout(of: shard))
            next = shard + 1
        }
        if deadlines.takeIdleShards(at: now) { closeIdleShards() }
        if deadlines.takeIdle(at: now), transfers.isEmpty, channels.isEmpty { handlePool.close() }
    }

    private func collectResults() {
        while let shard = shardEvents.takeWorked() {
            while let (token, code) = handlePool.nextResult(of: shard) {
                let id = TransferID(rawValue: token)
                if let transfer = transfers[id] {
                    attemptEnded(transfer, code: code)
                } else if let channel = channels[id] {
                    connectEnded(channel, code: code)
                }
            }
        }
        requeueWithoutStream()
    }

    /// Notifies consumers once per turn, and manages the idle timer of connections.
    private func endTurn(isQuiet: Bool) {
        for transfer in transferTurn.touched {
            transfer.turn.isTouched = false
            transfer.attempt?.turnBytes = 0
            guard !transfer.machine.isCompleted else { continue }
            transfer.reportRequestSent()
            transfer.reportEncodedBytes()
            if !isCancelled(transfer) { transfer.delegate.transferDidEndTurn(transfer.handle) }
            releaseUpload(of: transfer)
            // A timeout may have started that is shorter than those before.
            considerDeadline(of: transfer)
        }
        transferTurn.removeTouched()
        checkSuspectStreams()
        checkPartialHeads()
        notifyEnded()
        admit()
        notifyEnded()  // Transfers that admit() failed to start.
        notifyChannels()
        if balance.hasSurplus { giveUpConnections() }
        limits.announceQueue(of: scheduler.waitingCount)
        loop.wakeUps.run(isQuiet: isQuiet, endsRound: round.isLastTurn)
        if limits.hasReservedPlaces { limits.releaseReserved() }
        if !transfers.isEmpty || !channels.isEmpty {
            deadlines.stopIdle()
        } else if handlePool.isOpen {
            deadlines.startIdle(
                until: now.advanced(by: shared.configuration.idleConnectionLifetime)
            )
        }
    }

    /// The maximum number of bytes of one body delivered per turn; a body that has more is resumed
    /// in the next round.
    ///
    /// It leaves time for the other transfers. Without compression libcurl stays far below it. A
    /// few bytes of a compressed body can decode to gigabytes.
    static let maximumTurnBytes = 16 << 20

    /// Resumes `transfer`, which was paused by its share, in the next round.
    func resumeInNextRound(_ transfer: Transfer) {
        // It may be listed already, if its reader has resumed it in the meantime.
        transferTurn.hold(transfer)
    }

    private func resumeHeld() {
        resumeHeldChannels()
        for transfer in transferTurn.takeHeld() {
            transfer.turn.isHeld = false
            if !transfer.machine.isCompleted { resume(transfer) }
        }
    }

    /// Whether the transfer is cancelled, so that its delegate is only notified of the end.
    func isCancelled(_ transfer: Transfer) -> Bool {
        mailbox.hasCancelled(transfer.id)
    }

    func isCancelled(_ channel: ByteChannel) -> Bool {
        mailbox.hasCancelled(channel.id)
    }

    func touch(_ transfer: Transfer) {
        transferTurn.touch(transfer)
    }

    // MARK: Commands

    private func handle(_ command: Command) {
        switch command {
        case .start(let plan):
            start(plan)
        case .cancel(let id):
            if let transfer = transfers[id] {
                stop(transfer, with: .cancelled)
            } else if let channel = channels[id] {
                stop(channel, with: .cancelled)
            }
            mailbox.forgetCancellation(of: id)
        case .setReceiving(let id, let isPaused):
            guard let transfer = transfers[id] else { return }
            transfer.paused.receiving = isPaused
            if !isPaused { resume(transfer) }
        case .setSending(let id, let isPaused):
            guard let transfer = transfers[id] else { return }
            transfer.paused.sending = isPaused
            if !isPaused { resume(transfer) }
        case .requestBodyChanged(let id):
            if let transfer = transfers[id] { resume(transfer) }
        case .answerRedirect(let id, let decision):
            if let transfer = transfers[id] { answer(transfer, redirect: decision) }
        case .answerTrust(let id, let decision):
            if let transfer = transfers[id] { answer(transfer, trust: decision) }
        case .connect(let plan):
            guard shutdownMode == nil else { return plan.refuse(.shutdown) }
            connect(plan)
        case .connection(let id, let command):
            if let channel = channels[id] { handle(command, for: channel) }
        case .budgetChanged:
            limits.placeReserved()  // Every turn calls admit(), which takes it.
        case .decoderMemoryReleased:
            resumeDecoders()
        case .shareChanged(let origin):
            readShare(of: origin)
        case .loadReported(let window, let handled):
            windowReported(window, handled: handled)
        case .describe(let reply):
            reply(snapshot())
        case .shutdown(let mode):
            shutDown(mode)
        }
    }

    /// Completes a transfer that was never started with an error.
    private func refuse(_ plan: TransferPlan, _ error: TransportError) {
        plan.delegate.reportRefusal(of: plan.id, error)
    }

    private func shutDown(_ mode: ShutdownMode) {
        if shutdownMode != .cancel { shutdownMode = mode }
        guard mode == .cancel else { return }
        for transfer in transfers.values { stop(transfer, with: .shutdown) }
        for channel in channels.all { stop(channel, with: .shutdown) }
    }

    private func start(_ plan: TransferPlan) {
        guard shutdownMode == nil else { return refuse(plan, .shutdown) }
        do {
            let transfer = try Transfer(plan: plan, driver: self)
            transfers[plan.id] = transfer
            enqueue(transfer)
            if isQueueExceeded(), transfer.attempt == nil, let queue = shared.queue {
                stop(transfer, with: .queueFull(limit: queue.maximum))
            }
        } catch {
            refuse(plan, error)
        }
    }

    /// Ends all running transfers and channels if a multi handle fails: its state can't be
    /// trusted.
    private func check(_ code: MultiCode) {
        guard !code.isOK, code != .badSocket else { return }
        for transfer in transfers.values where transfer.attempt != nil {
            stop(transfer, with: .engineFailed(code))
        }
        for channel in channels.all where channel.attempt != nil {
            stop(channel, with: .engineFailed(code))
        }
        handlePool.close()
    }
}

@available(*, unavailable)
extension LoopDriver: Sendable {}

// A class, so that the driver's reference to it is constant: reading the mailbox of a variable
// structure costs a check of exclusive access, nine times for each request.
/// A loop's mailbox, and the commands that the loop has taken out of it.
private final class Inbox {
    let mailbox: Mailbox
    /// The commands of this turn.
    private(set) var commands: [Command] = []

    init(_ mailbox: Mailbox) {
        self.mailbox = mailbox
    }

    func takeAll() {
        mailbox.takeAll(into: &commands)
    }

    func removeAll() {
        commands.removeAll(keepingCapacity: commands.capacity <= 4096)
    }
}

// Callbacks of the multi handles, called while libcurl works.

extension LoopDriver: MultiCallbacks {
    func watch(_ descriptor: Int32, for interest: SocketInterest?, by shard: Int) {
        if interest != nil { shardEvents.watch(descriptor, by: shard) }
        reactor.watch(descriptor, for: interest)
    }

    func setTimer(milliseconds: Int?, of shard: Int) {
        // Zero is by far the most frequent value, and needs no clock.
        let time = milliseconds.map { milliseconds in
            milliseconds == 0
                ? now : MonotonicTime.now.advanced(byNanoseconds: Int64(milliseconds) * 1_000_000)
        }
        shardEvents.setTimer(of: shard, to: time)
    }

    func closeSocket(_ descriptor: Int32) {
        channelClosed(descriptor)
        sockets.closed(descriptor)
        streamEnds.connectionClosed(descriptor)
        reactor.closeSocket(descriptor)
    }
}

// The number of queued transfers and its limit.

extension LoopDriver {
    /// Whether more transfers are queued than allowed, after starting all that can start.
    func isQueueExceeded() -> Bool {
        guard limits.announceQueue(of: scheduler.waitingCount) else { return false }
        admit()
        return limits.announceQueue(of: scheduler.waitingCount)
    }
}
