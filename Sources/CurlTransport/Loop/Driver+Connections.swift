internal import Curl

// Connections for bytes: beginning and ending them.

extension Driver {
    // MARK: Beginning

    func connect(_ plan: ByteConnectionPlan) {
        do {
            let channel = try ByteChannel(plan: plan, driver: self)
            channels[channel.id] = channel
            enqueue(channel)
        } catch {
            plan.refuse(error)
        }
    }

    /// Puts a channel in its origin's queue, for its first attempt or its next.
    private func enqueue(_ channel: ByteChannel) {
        channel.enqueued = now
        channel.origin = scheduler.enqueue(channel.id, for: channel.originKey)
        considerDeadline(of: channel)
    }

    /// A place is free.
    func startConnecting(_ channel: ByteChannel, _ admission: Admission) {
        channel.queueTime += now.nanoseconds(since: channel.enqueued)
        do throws(TransportError) {
            let hop = Hop(
                easy: try easy(for: channel),
                endpoint: channel.endpoint,
                started: now,
                performsLookup: admission.performsLookup
            )
            channel.hop = hop
            try add(hop)
            considerDeadline(of: channel)
        } catch {
            channel.hop = nil
            release(admission.origin, performedLookup: admission.performsLookup)
            channel.origin = nil
            stop(channel, with: error)
        }
    }

    /// libcurl is done with connecting.
    func connectEnded(_ channel: ByteChannel, code: CurlCode) {
        guard let hop = channel.hop, channel.machine.state == .connecting else { return }
        if isCancelled(channel) { channel.fail(.cancelled) }
        if code == .ok, channel.failure == nil {
            giveBackPlace(of: channel)
            return connected(channel, hop)
        }
        let error = channel.error(after: hop, code: code)
        guard channel.asksAgain(after: error, code: code), channel.machine.willRepeat() else {
            return stop(channel, with: error)
        }
        leave(hop, of: channel)
        enqueue(channel)
    }

    /// What is open takes no place of those that wait.
    private func giveBackPlace(of channel: ByteChannel) {
        guard let origin = channel.origin else { return }
        release(origin, performedLookup: channel.hop?.performsLookup ?? false)
        channel.hop?.performsLookup = false
        channel.origin = nil
    }

    private func connected(_ channel: ByteChannel, _ hop: Hop) {
        guard let question = channel.question(about: hop) else { return open(channel, hop) }
        channel.trust.question = question
        switch channel.delegate.connection(channel.connection, didReceive: question) {
        case .later:
            // The answer comes as a command, and may be in the mailbox already.
            _ = channel.machine.trustAsked()
        case let decision:
            settle(decision, of: channel)
        }
    }

    private func settle(_ decision: TrustDecision, of channel: ByteChannel) {
        guard let question = channel.trust.question, let hop = channel.hop else { return }
        channel.trust.question = nil
        if channel.settle(decision, on: question) {
            open(channel, hop)
        } else {
            stop(channel, with: channel.failure)
        }
    }

    private func open(_ channel: ByteChannel, _ hop: Hop) {
        guard let socket = hop.easy.handle.activeSocket else {
            return stop(channel, with: channel.error(after: hop, code: .recvError))
        }
        guard !isCancelled(channel), channel.machine.open() else { return }
        channel.socket = socket
        openChannels[socket] = channel
        channel.lastActivity = now
        touch(channel)
        channel.delegate.connectionDidOpen(channel.connection)
        // The first reading takes the connection into use.
        receive(channel)
        takeOutgoing(of: channel)
        // Its end may have been asked for before, with nothing to send.
        if channel.isDrained { carryOut(channel.machine.drained(), for: channel) }
        considerDeadline(of: channel)
    }

    // MARK: Commands

    func handle(_ command: ByteConnectionCommand, for channel: ByteChannel) {
        switch command {
        case .send:
            takeOutgoing(of: channel)
        case .finishSending:
            takeOutgoing(of: channel)
            carryOut(channel.machine.finishSending(isDrained: channel.isDrained), for: channel)
        case .setReceiving(let isPaused):
            // Who waits for the peer's end takes what comes before it.
            guard channel.isReceivingPaused != isPaused, channel.closing == nil else { return }
            channel.isReceivingPaused = isPaused
            channel.lastActivity = now
            // Bytes may lie ready in the TLS library, of which the socket tells nothing.
            if !isPaused { receive(channel) }
            watch(channel)
            considerDeadline(of: channel)
        case .answerTrust(let decision):
            guard channel.machine.state == .askingTrust else { return }
            settle(decision, of: channel)
        case .setIdleLimit(let limit):
            channel.idleLimit = limit
            channel.lastActivity = now
            considerDeadline(of: channel)
        case .close(let limit, let awaitsPeer):
            close(channel, within: limit, awaitsPeer: awaitsPeer)
        }
    }

    private func close(_ channel: ByteChannel, within limit: Int64, awaitsPeer: Bool) {
        takeOutgoing(of: channel)
        carryOut(
            channel.machine.close(awaitsPeer: awaitsPeer, isDrained: channel.isDrained),
            for: channel
        )
        guard channel.machine.state != .completed else { return }
        let deadline = now.advanced(byNanoseconds: limit)
        if channel.closing.map({ deadline < $0.deadline }) ?? true {
            channel.closing = (deadline, limit)
        }
        guard limit > 0 else { return closingTimedOut(channel) }
        // What was held back no longer counts, only that the peer ends.
        if awaitsPeer, channel.isReceivingPaused {
            channel.isReceivingPaused = false
            receive(channel)
        }
        watch(channel)
        considerDeadline(of: channel)
    }

    private func closingTimedOut(_ channel: ByteChannel) {
        let limit = channel.closing?.limit ?? 0
        stop(channel, with: channel.isDrained ? nil : channel.unsent(within: limit))
    }

    /// Does what the channel's life calls for.
    func carryOut(_ action: ByteConnectionStateMachine.Action, for channel: ByteChannel) {
        switch action {
        case .none:
            break
        case .finishSending:
            if let socket = channel.socket, channel.canFinishSending {
                SocketEnd.finishSending(on: socket)
            }
        case .tellEnd:
            touch(channel)
            if !isCancelled(channel) {
                channel.delegate.connectionDidReceiveEnd(channel.connection)
            }
        case .complete:
            finish(channel, with: nil)
        }
    }

    // MARK: Ending

    /// Ends a connection, whatever it is doing.
    func stop(_ channel: ByteChannel, with error: TransportError?) {
        guard channel.machine.stop() else { return }
        finish(channel, with: error)
    }

    /// The machine has completed. The delegate hears of it when the turn ends.
    private func finish(_ channel: ByteChannel, with error: TransportError?) {
        if let hop = channel.hop {
            leave(hop, of: channel)
        } else if let origin = channel.origin {
            channel.queueTime += now.nanoseconds(since: channel.enqueued)
            scheduler.withdraw(channel.id, from: origin)
            channel.origin = nil
        }
        channels[channel.id] = nil
        endedChannels.append((channel, error))
    }

    /// Takes an attempt out of the multi handle, which closes its connection.
    private func leave(_ hop: Hop, of channel: ByteChannel) {
        if let socket = channel.socket {
            openChannels[socket] = nil
            channel.socket = nil
            channel.interest = []
        }
        engine.remove(hop.easy)
        channel.addMetrics(of: hop)
        hop.easy.setup = nil
        channel.hop = nil
        engine.keep(hop.easy)
        if let origin = channel.origin {
            release(origin, performedLookup: hop.performsLookup)
        }
        channel.origin = nil
    }

    /// libcurl closes a socket by itself, which it should not.
    func channelClosed(_ descriptor: Int32) {
        guard let channel = openChannels.removeValue(forKey: descriptor) else { return }
        channel.socket = nil
        hold(channel)
    }

    // MARK: Time limits

    /// Makes sure that the next sweep comes in time for `channel`.
    func considerDeadline(of channel: ByteChannel) {
        if let deadline = channel.nextDeadline()?.time, deadline < nextSweep {
            nextSweep = deadline
        }
        if let deadline = channel.closing?.deadline, deadline < nextSweep {
            nextSweep = deadline
        }
    }

    /// Ends the channels whose time is over.
    func sweepChannels() {
        for channel in channels.values {
            if let closing = channel.closing, closing.deadline <= now {
                closingTimedOut(channel)
                continue
            }
            if var next = channel.nextDeadline(), next.time <= now {
                if channel.hasMovedUnseen() {
                    channel.lastActivity = now
                    next = channel.nextDeadline() ?? next
                }
                if next.time <= now {
                    stop(channel, with: channel.timeout(next.code))
                    continue
                }
            }
            considerDeadline(of: channel)
        }
    }

    // MARK: Telling

    /// Tells the delegates what the turn brought, and the last words to those whose connections ended.
    func tellChannels() {
        guard !touchedChannels.isEmpty || !endedChannels.isEmpty else { return }
        for channel in touchedChannels {
            channel.isTouched = false
            guard channel.machine.state != .completed else { continue }
            tellSent(of: channel)
            guard !isCancelled(channel) else { continue }
            channel.delegate.connectionDidEndTurn(channel.connection)
            considerDeadline(of: channel)
        }
        touchedChannels.removeAll(keepingCapacity: touchedChannels.capacity <= 4096)
        for (channel, error) in endedChannels { tellEnd(of: channel, error) }
        endedChannels.removeAll(keepingCapacity: endedChannels.capacity <= 4096)
    }

    private func tellSent(of channel: ByteChannel) {
        guard channel.bytesSent > channel.bytesSentToldOf, !isCancelled(channel) else { return }
        channel.bytesSentToldOf = channel.bytesSent
        channel.delegate.connection(channel.connection, didSend: channel.bytesSent)
    }

    private func tellEnd(of channel: ByteChannel, _ error: TransportError?) {
        if error == nil { tellSent(of: channel) }
        let noted = channel.notedFacts ?? takeFacts()
        noted.facts.complete(
            redirects: 0,
            queueTime: channel.queueTime,
            total: MonotonicTime.now.nanoseconds(since: channel.plan.submitted)
        )
        channel.connection.end()
        channel.delegate.connection(
            channel.connection,
            didFinishCollecting: TransferMetrics(noted.facts)
        )
        channel.notedFacts = nil
        keep(noted)
        channel.delegate.connection(
            channel.connection,
            didCompleteWith: error?.about(channel.endpoint.origin)
        )
    }
}
