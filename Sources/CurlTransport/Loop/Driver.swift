internal import Curl
internal import HTTPTypes

/// The loop itself: one thread, one multi handle, one epoll set, and the transfers in it.
///
/// Made and used on the loop's thread and reachable from no other. libcurl's callbacks only record;
/// what they call for is done here, after libcurl has returned. The loop blocks nowhere but in
/// ``Reactor/wait(until:)``; files it reads and writes only where no device is waited for.
final class Driver {
    let loop: EventLoop
    let shared: SharedResources
    private let mailbox: Mailbox

    var reactor: Reactor
    var engine: Engine
    var transfers: [TransferID: Transfer] = [:]
    var channels: [TransferID: ByteChannel] = [:]
    /// The channels that are open, by their sockets.
    var openChannels: [Int32: ByteChannel] = [:]
    var scheduler: Scheduler

    /// The time as of the present turn.
    var now: MonotonicTime = .now
    /// When libcurl wants to be called for the sake of time.
    var curlDeadline: MonotonicTime?
    /// Before this moment no transfer's time limit is over.
    var nextSweep = MonotonicTime.distantFuture
    /// When connections that nobody uses are closed.
    private var idleDeadline: MonotonicTime?

    /// Origins on whose shared connections a transfer has failed in this turn.
    var suspectOrigins: Set<Scheduler.OriginIndex> = []

    /// Transfers that delivered something in this turn.
    private var touched: [Transfer] = []
    /// Transfers that had their share of this turn.
    private var held: [Transfer] = []
    /// Transfers that ended in this turn, and how.
    var ended: [(Transfer, TransportError?)] = []
    /// Channels that delivered something in this turn, those that had their share of it, and those that
    /// ended in it.
    var touchedChannels: [ByteChannel] = []
    var heldChannels: [ByteChannel] = []
    var endedChannels: [(ByteChannel, TransportError?)] = []
    /// What bytes are received in, one channel after the other.
    var channelMemory: [UInt8] = []
    private var commands: [Command] = []
    private var endpoints: [String: Endpoint] = [:]
    private var lastEndpoint: Endpoint?
    private(set) var approvals: Set<TrustApproval> = []
    private(set) var lenientOrigins: Set<String> = []
    /// What heads are put together in, one after the other.
    var headMemory: [UInt8] = []
    private var spareFacts: [NotedFacts] = []
    private static let maximumSpareFacts = 64
    var connections = ConnectionTable()
    private var shutdownMode: ShutdownMode?
    /// How many bytes of bodies have moved in the present call of libcurl, where more may follow.
    var movedBytes = 0

    /// A call of libcurl that moves so many bytes has hardly found all that there is.
    private static let flow = 16 * 1024

    /// So many bytes may pass through one socket before the others have their turn.
    static let socketShare = 512 * 1024

    /// So many bytes may pass in a turn before mail, clock and consumers have theirs.
    private static let turnShare = 8 << 20

    /// A place of a shared budget may be kept for this loop.
    private var isBudgetKept = false

    init(
        loop: EventLoop,
        mailbox: Mailbox,
        shared: SharedResources
    ) throws(SystemFailure) {
        self.loop = loop
        self.mailbox = mailbox
        self.shared = shared
        let configuration = shared.configuration
        scheduler = Scheduler(
            maximumConnectionsPerHost: configuration.maximumConnectionsPerHost,
            lookupLifetime: configuration.dnsCacheLifetime
        )
        reactor = try Reactor(wakeup: mailbox.descriptor)
        engine = Engine(
            maximumIdleConnections: configuration.maximumIdleConnections
        )
    }

    // MARK: The loop

    /// Runs until the loop is shut down and its last transfer is over.
    func run() {
        while !isFinished { turn() }
        for command in mailbox.close() { command.refuse(.shutdown) }
        passOnBudget()
        engine.close()
    }

    private var isFinished: Bool {
        shutdownMode != nil && transfers.isEmpty && channels.isEmpty
    }

    private func turn() {
        var deadline = curlDeadline.map { min($0, nextSweep) } ?? nextSweep
        if let idleDeadline { deadline = min(deadline, idleDeadline) }
        if let pause = loop.wakeUps.patientPause {
            deadline = min(deadline, now.advanced(byNanoseconds: pause))
        }
        let hasWork = !mailbox.prepareToWait() || !held.isEmpty || !heldChannels.isEmpty
        let waitsForEver = deadline == .distantFuture
        let events = reactor.wait(until: hasWork ? now : waitsForEver ? nil : deadline)
        now = .now
        if reactor.hasRefused { stopUnwatched() }
        handleMail()
        goOnWithHeld()
        admit()
        handle(events)
        workByTheClock()
        collectResults()
        if now >= nextSweep { sweep() }
        endTurn(isQuiet: events == 0)
    }

    private func handleMail() {
        mailbox.takeAll(into: &commands)
        guard !commands.isEmpty else { return }
        for command in commands { handle(command) }
        commands.removeAll(keepingCapacity: commands.capacity <= 4096)
    }

    private func handle(_ events: Int) {
        for index in 0..<events {
            guard let event = reactor.event(at: index) else { continue }
            if event.descriptor == mailbox.descriptor {
                mailbox.clearWakeup()
                continue
            }
            if !openChannels.isEmpty, let channel = openChannels[event.descriptor] {
                work(on: channel, ready: event.ready)
                continue
            }
            work(on: event.descriptor, ready: event.ready, share: Self.turnShare / events)
        }
    }

    /// Lets libcurl work on a socket for as long as large bodies keep flowing, within bounds.
    ///
    /// In one call it moves no more than a buffer, or a TLS record; a turn for each would cost half
    /// as much again as the bytes themselves. Another call is made where one as large still fits in:
    /// beyond the share, a window would be full before its reader is woken, at the end of the turn.
    private func work(on descriptor: Int32, ready: SocketInterest, share: Int) {
        var left = min(share, Self.socketShare)
        repeat {
            movedBytes = 0
            check(engine.work(on: descriptor, ready: ready))
            left -= movedBytes
        } while movedBytes >= Self.flow && movedBytes <= left
    }

    private func workByTheClock() {
        // Once in a turn: libcurl asks again at once for a transfer whose bytes come faster than it
        // reads them, and the others and the mail must have their turn as well.
        if let deadline = curlDeadline, deadline <= now {
            curlDeadline = nil
            check(engine.timeout())
        }
        if let deadline = idleDeadline, deadline <= now {
            idleDeadline = nil
            if transfers.isEmpty, channels.isEmpty { engine.close() }
        }
    }

    private func collectResults() {
        while let (token, code) = engine.nextResult() {
            let id = TransferID(rawValue: token)
            if let transfer = transfers[id] {
                hopEnded(transfer, code: code)
            } else if let channel = channels[id] {
                connectEnded(channel, code: code)
            }
        }
    }

    /// Tells consumers once what the turn brought, and looks after idle connections.
    private func endTurn(isQuiet: Bool) {
        for transfer in touched {
            transfer.isTouched = false
            transfer.hop?.turnBytes = 0
            guard !transfer.machine.isCompleted else { continue }
            transfer.tellRequestSent()
            transfer.tellEncodedBytes()
            if !isCancelled(transfer) { transfer.delegate.transferDidEndTurn(transfer.handle) }
            releaseUpload(of: transfer)
            // A limit may have begun to count that is shorter than those before.
            considerDeadline(of: transfer)
        }
        touched.removeAll(keepingCapacity: touched.capacity <= 4096)
        lookAfterStreams()
        tellEnded()
        admit()
        tellEnded()  // what could not be started
        tellChannels()
        loop.wakeUps.run(isQuiet: isQuiet)
        if isBudgetKept { passOnBudget() }
        if !transfers.isEmpty || !channels.isEmpty {
            idleDeadline = nil
        } else if idleDeadline == nil, engine.isOpen {
            idleDeadline = now.advanced(by: shared.configuration.idleConnectionLifetime)
        }
    }

    /// As many bytes of one body are delivered in a turn; the other transfers shall have theirs.
    ///
    /// Without compression libcurl stays far below. Some bytes of a compressed body can stand for
    /// gigabytes: what libcurl can't keep until the next turn (64 MB) ends the transfer.
    static let maximumTurnBytes = 16 << 20

    /// Lets `transfer`, which was paused for it, go on in the next turn.
    func goOnNextTurn(with transfer: Transfer) {
        held.append(transfer)
    }

    private func goOnWithHeld() {
        if !heldChannels.isEmpty { goOnWithHeldChannels() }
        guard !held.isEmpty else { return }
        let transfers = held
        held.removeAll()
        for transfer in transfers where !transfer.machine.isCompleted { resume(transfer) }
    }

    /// Leaves to other loops what this one didn't need.
    private func passOnBudget() {
        isBudgetKept = false
        shared.places?.giveBackKept(for: loop)
        shared.lookups.giveBackKept(for: loop)
    }

    /// Whether a transfer's delegate is to hear of nothing more but the end.
    func isCancelled(_ transfer: Transfer) -> Bool {
        mailbox.hasCancelled(transfer.id)
    }

    func isCancelled(_ channel: ByteChannel) -> Bool {
        mailbox.hasCancelled(channel.id)
    }

    func touch(_ transfer: Transfer) {
        guard !transfer.isTouched else { return }
        transfer.isTouched = true
        touched.append(transfer)
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
            transfer.isReceivingPaused = isPaused
            if !isPaused { resume(transfer) }
        case .setSending(let id, let isPaused):
            guard let transfer = transfers[id] else { return }
            transfer.isSendingPaused = isPaused
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
            isBudgetKept = true  // Every turn asks for what may start.
        case .shutdown(let mode):
            shutDown(mode)
        }
    }

    /// Completes what was never begun.
    private func refuse(_ plan: TransferPlan, _ error: TransportError) {
        plan.delegate.tellRefusal(of: plan.id, error)
    }

    private func shutDown(_ mode: ShutdownMode) {
        if shutdownMode != .cancel { shutdownMode = mode }
        guard mode == .cancel else { return }
        for transfer in transfers.values { stop(transfer, with: .shutdown) }
        for channel in channels.values { stop(channel, with: .shutdown) }
    }

    private func start(_ plan: TransferPlan) {
        guard shutdownMode == nil else { return refuse(plan, .shutdown) }
        do {
            let transfer = try Transfer(plan: plan, driver: self)
            transfers[plan.id] = transfer
            enqueue(transfer)
        } catch {
            refuse(plan, error)
        }
    }

    // MARK: What is remembered

    /// Where `request` goes; read once for each authority.
    func endpoint(of request: HTTPRequest) throws(TransportError) -> Endpoint {
        if let last = lastEndpoint, last.scheme == request.scheme,
            last.authority == request.authority
        {
            return last
        }
        let name = "\(request.scheme ?? "")://\(request.authority ?? "")"
        let endpoint: Endpoint
        if let known = endpoints[name] {
            endpoint = known
        } else {
            endpoint = try Endpoint(of: request)
            if endpoints.count >= 4096 { endpoints.removeAll(keepingCapacity: true) }
            endpoints[name] = endpoint
        }
        lastEndpoint = endpoint
        return endpoint
    }

    /// For a transfer of which nothing is noted yet.
    func takeFacts() -> NotedFacts {
        spareFacts.popLast() ?? NotedFacts()
    }

    /// Takes back what a transfer has told of.
    func keep(_ noted: NotedFacts) {
        guard spareFacts.count < Self.maximumSpareFacts else { return }
        noted.facts = TransferFacts()
        spareFacts.append(noted)
    }

    func approve(_ approval: TrustApproval, isLenient: Bool) {
        // Whoever is forgotten is asked about again.
        if approvals.count >= 4096 {
            approvals.removeAll()
            lenientOrigins.removeAll()
        }
        approvals.insert(approval)
        if isLenient { lenientOrigins.insert(approval.origin) }
    }

    /// A failing multi handle can't be trusted with anything: all that is in it fails.
    private func check(_ code: MultiCode) {
        guard !code.isOK, code != .badSocket else { return }
        for transfer in transfers.values where transfer.hop != nil {
            stop(transfer, with: .engineFailed(code))
        }
        for channel in channels.values where channel.hop != nil {
            stop(channel, with: .engineFailed(code))
        }
        engine.close()
    }
}

extension Driver: MultiCallbacks {
    func watch(_ descriptor: Int32, for interest: SocketInterest?) {
        reactor.watch(descriptor, for: interest)
    }

    func setTimer(milliseconds: Int?) {
        // "At once" is by far the most frequent, and needs no clock.
        curlDeadline = milliseconds.map { milliseconds in
            milliseconds == 0
                ? now : MonotonicTime.now.advanced(byNanoseconds: Int64(milliseconds) * 1_000_000)
        }
    }

    func closeSocket(_ descriptor: Int32) {
        if !openChannels.isEmpty { channelClosed(descriptor) }
        reactor.closeSocket(descriptor)
    }
}

@available(*, unavailable)
extension Driver: Sendable {}
