internal import HTTPTypes
internal import Posix

// Passes a part of the work of an overloaded loop on to loops that have room.

/// What a loop knows and does about the load of its transport's loops.
struct LoopBalance {
    /// Whether the loop measures how busy it is. The only loop of a transport doesn't.
    let measuresLoad: Bool
    /// When the loop started.
    let started: MonotonicTime
    fileprivate var meter: LoadMeter
    fileprivate var overload = Overload()
    fileprivate var patience = CalmPatience()
    /// The origins to which the loop has more connections than it should have.
    fileprivate var surplus: [SpreadOrigin] = []
    /// A window that has ended, which the loop handles when it has taken its commands.
    fileprivate var ended: LoadWindow?
    /// The tests that wait until the window has been handled.
    fileprivate var reporters: [@Sendable () -> Void] = []

    init(measuresLoad: Bool, at now: MonotonicTime) {
        self.measuresLoad = measuresLoad
        started = now
        meter = LoadMeter(at: now)
    }

    var hasSurplus: Bool { !surplus.isEmpty }

    var hasWindow: Bool { ended != nil }
}

extension LoopDriver {
    /// The maximum number of origins that an overloaded loop passes on at once.
    private static let maximumPassedOn = 8

    // MARK: Measuring

    func beginMeasuredWait() {
        let now = MonotonicTime.now
        balance.meter.beginWait(at: now)
        loop.load?.beginWait(at: now)
    }

    func endMeasuredWait() {
        loop.load?.endWait()
        if let window = balance.meter.endWait(at: now) { balance.ended = window }
    }

    /// Uses a window that a test reports instead of a measured one.
    func windowReported(_ window: LoadWindow, handled: @escaping @Sendable () -> Void) {
        balance.ended = window
        balance.reporters.append(handled)
    }

    /// Publishes the window that has ended, and changes the loops of origins if necessary.
    ///
    /// Called when all commands have been taken: until then, transfers that follow the last turn's
    /// ones aren't counted.
    func handleWindow() {
        changeLoops()
        for handled in balance.reporters { handled() }
        balance.reporters = []
    }

    private func changeLoops() {
        guard let window = balance.ended.take(), let load = loop.load, let spread = shared.spread
        else { return }
        load.publish(window, transfers: transfers.count)
        for origin in spread.origins(ofHome: loop.index) {
            let index = scheduler.knownIndex(of: origin.connectionKey)
            let count = index.map { scheduler.transferCount(of: $0) } ?? 0
            let patience = balance.patience.duration
            if origin.note(window, patience: patience, atHome: count, at: now) {
                balance.patience.closed(at: now)
            }
        }
        if balance.overload.note(window), passOnOrigins(in: spread) {
            balance.overload.settle()
            balance.patience.opened(at: now)
        }
    }

    // MARK: Passing on

    /// Lets the busiest origins of this loop use another one, too. Returns whether there are any.
    private func passOnOrigins(in spread: SpreadOrigins) -> Bool {
        guard shutdownMode == nil else { return false }
        let candidates = spread.loads.indices.filter { $0 != loop.index }.map {
            spread.loads[$0].candidate($0, at: now)
        }
        // In most cases, no loop has room, and the search for origins isn't necessary.
        guard LoopCandidate.best(of: candidates, besides: transfers.count) != nil else {
            return false
        }
        var isAnyPassedOn = false
        let origins = scheduler.busyOrigins(minimum: LoopShares.minimumInFlight)
        for (index, count) in origins.prefix(Self.maximumPassedOn) {
            guard let transfer = transfers.values.first(where: { $0.origin == index }),
                mayUseLoops(transfer, count: count, at: index)
            else { continue }
            if passOn(transfer, at: index, to: candidates, in: spread) { isAnyPassedOn = true }
        }
        return isAnyPassedOn
    }

    /// Whether the transfers to an origin, such as `transfer`, may use several loops.
    private func mayUseLoops(
        _ transfer: Transfer,
        count: Int,
        at index: Scheduler.OriginIndex
    ) -> Bool {
        guard transfer.mayShareStreams else { return true }
        // On one loop, they share connections, until all streams are used up. A limit counts a
        // hundred streams for each connection: another loop's connections would need a part of it.
        let streams =
            scheduler.streamLimit(of: index).announced ?? Origin.streamsPerConnection
        return count > streams && scheduler.maximumConnections(of: index) == nil
    }

    private func passOn(
        _ transfer: Transfer,
        at index: Scheduler.OriginIndex,
        to candidates: [LoopCandidate],
        in spread: SpreadOrigins
    ) -> Bool {
        let key = LoopKey(transfer.request)
        let known = spread.origin(for: key, route: transfer.plan.options.route)
        let limit = scheduler.maximumConnections(of: index)
        let shares = known?.current ?? LoopShares(home: loop.index, limit: limit)
        let others = candidates.filter { !shares.isOpen($0.loop) }
        guard shares.hasRoomForLoop,
            let other = LoopCandidate.best(of: others, besides: transfers.count)
        else { return false }
        if let known { return known.open(other, besides: loop.index) }
        // Redirects lead to origins that have another home. Connections whose number isn't known,
        // such as those to a proxy, can't be divided. Nor can those of an origin that is spread
        // under another spelling.
        guard key.home(of: spread.loads.count) == loop.index,
            limit == nil || scheduler.connections(of: index) != nil,
            scheduler.share(of: index) == nil
        else { return false }
        let origin = SpreadOrigin(
            key,
            transfer.originKey,
            home: loop.index,
            limit: limit,
            in: spread
        )
        guard spread.add(origin) else { return false }
        guard origin.open(other, besides: loop.index) else { return false }
        readShare(of: origin)
        return true
    }

    // MARK: Connections

    /// Reads this loop's share of the connections to a spread origin.
    func readShare(of origin: SpreadOrigin) {
        let share = origin.current.share(of: loop.index)
        scheduler.setShare(share, of: origin.connectionKey)
        balance.surplus.removeAll { $0 === origin }
        if share?.hasSurplus == true { balance.surplus.append(origin) }
        if share == nil, origin.home == loop.index { origin.removeIfFinished() }
    }

    /// Gives up the connections that other loops should have, once they are closed.
    func giveUpConnections() {
        for origin in balance.surplus {
            let index = scheduler.knownIndex(of: origin.connectionKey)
            let count = index.map { scheduler.connectionCount(of: $0) } ?? 0
            // The loop gets a command to read its share, if that changes anything.
            origin.giveUp(on: loop.index, keeping: count)
        }
    }

    /// Makes libcurl close the attempt's connection at its end if another loop should have it.
    func closeSurplusConnection(of transfer: Transfer, _ attempt: TransferAttempt) {
        guard balance.hasSurplus, let index = transfer.origin,
            let share = scheduler.share(of: index), share.hasSurplus,
            let connections = scheduler.connections(of: index),
            scheduler.connectionCount(of: index) - connections.leaving > share.target,
            attempt.connection.socket?.leave() == true
        else { return }
        closeConnection(after: attempt)
    }
}

extension Transfer {
    /// Whether the current attempt may share its connection with others as streams.
    fileprivate var mayShareStreams: Bool {
        if usesAltSvc || options.httpVersion == .http3
            || options.httpVersion == .http2PriorKnowledge
        {
            return true
        }
        guard endpoint.isSecure, plan.options.offersHTTP2, let origin else { return false }
        return driver.scheduler.knownVersion(of: origin) != .http1
    }
}
