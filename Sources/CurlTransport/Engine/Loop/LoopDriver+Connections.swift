internal import Curl
internal import Posix

// Connections for bytes: starting and ending.

extension LoopDriver {
    // MARK: Starting

    func connect(_ plan: ByteConnectionPlan) {
        do {
            let channel = try ByteChannel(plan: plan, driver: self)
            channels.add(channel)
            enqueue(channel)
            if isQueueExceeded(), channel.attempt == nil, let queue = shared.queue {
                stop(channel, with: .queueFull(limit: queue.maximum))
            }
        } catch {
            plan.refuse(error)
        }
    }

    /// Queues a channel at its origin, for its first or next attempt.
    private func enqueue(_ channel: ByteChannel) {
        let origin = scheduler.enqueue(channel.id, for: channel.originKey)
        channel.entry.entered(origin, at: now)
        considerDeadline(of: channel)
    }

    /// Starts connecting, now that a place is free.
    func startConnecting(_ channel: ByteChannel, _ admission: Admission) {
        channel.entry.leftQueue(at: now)
        do throws(TransportError) {
            let attempt = TransferAttempt(
                easy: try easy(for: channel),
                endpoint: channel.endpoint,
                started: now,
                performsLookup: admission.performsLookup
            )
            channel.attempt = attempt
            try add(attempt)
            considerDeadline(of: channel)
        } catch {
            channel.attempt = nil
            release(admission.origin, performedLookup: admission.performsLookup)
            channel.entry.takeOrigin()
            stop(channel, with: error)
        }
    }

    /// Handles the end of libcurl's connecting.
    func connectEnded(_ channel: ByteChannel, code: CurlCode) {
        guard let attempt = channel.attempt, channel.machine.state == .connecting else { return }
        if isCancelled(channel) { channel.fail(.cancelled) }
        if code == .ok, channel.failure == nil {
            releasePlace(of: channel)
            return connected(channel, attempt)
        }
        let error = channel.error(after: attempt, code: code)
        countFailedLookup(error, at: channel.origin)
        guard channel.retriesUnverified(after: error, code: code), channel.machine.willRepeat()
        else {
            return stop(channel, with: error)
        }
        leave(attempt, of: channel)
        enqueue(channel)
    }

    /// Releases the channel's place, because open connections don't count.
    private func releasePlace(of channel: ByteChannel) {
        guard let origin = channel.entry.takeOrigin() else { return }
        release(origin, performedLookup: channel.attempt?.connection.lookupEnded() ?? false)
    }

    private func connected(_ channel: ByteChannel, _ attempt: TransferAttempt) {
        guard let question = channel.question(about: attempt) else { return open(channel, attempt) }
        channel.trust.question = question
        switch channel.delegate.connection(channel.connection, didReceive: question) {
        case .later:
            // The answer arrives as a command, and may be in the mailbox already.
            _ = channel.machine.trustAsked()
        case let decision:
            settle(decision, of: channel)
        }
    }

    private func settle(_ decision: TrustDecision, of channel: ByteChannel) {
        guard let question = channel.trust.question, let attempt = channel.attempt else { return }
        channel.trust.question = nil
        if channel.settle(decision, on: question) {
            open(channel, attempt)
        } else {
            stop(channel, with: channel.failure)
        }
    }

    private func open(_ channel: ByteChannel, _ attempt: TransferAttempt) {
        guard let socket = attempt.easy.handle.activeSocket else {
            return stop(channel, with: channel.error(after: attempt, code: .recvError))
        }
        guard !isCancelled(channel), channel.machine.open() else { return }
        channel.socket = socket
        channels.opened(channel, on: socket)
        channel.lastActivity = now
        touch(channel)
        channel.delegate.connectionDidOpen(channel.connection)
        // The first receive attaches the connection to its handle.
        receive(channel)
        takeOutgoing(of: channel)
        // Its end may have been requested before, with no bytes to send.
        if channel.outgoing.isEmpty { carryOut(channel.machine.drained(), for: channel) }
        considerDeadline(of: channel)
    }

    // MARK: Commands

    func handle(_ command: ByteConnectionCommand, for channel: ByteChannel) {
        switch command {
        case .send:
            takeOutgoing(of: channel)
        case .finishSending:
            takeOutgoing(of: channel)
            carryOut(
                channel.machine.finishSending(isDrained: channel.outgoing.isEmpty),
                for: channel
            )
        case .setReceiving(let isPaused):
            // A close that waits for the peer's end ignores pauses.
            guard channel.isReceivingPaused != isPaused, channel.closing == nil else { return }
            channel.isReceivingPaused = isPaused
            channel.lastActivity = now
            // The TLS library may hold received bytes, for which the socket reports no event.
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
            channel.machine.close(awaitsPeer: awaitsPeer, isDrained: channel.outgoing.isEmpty),
            for: channel
        )
        guard channel.machine.state != .completed else { return }
        let deadline = now.advanced(byNanoseconds: limit)
        if channel.closing.map({ deadline < $0.deadline }) ?? true {
            channel.closing = (deadline, limit)
        }
        guard limit > 0 else { return closingTimedOut(channel) }
        // A pause no longer applies: only the peer's end matters.
        if awaitsPeer, channel.isReceivingPaused {
            channel.isReceivingPaused = false
            receive(channel)
        }
        watch(channel)
        considerDeadline(of: channel)
    }

    private func closingTimedOut(_ channel: ByteChannel) {
        let limit = channel.closing?.limit ?? 0
        stop(channel, with: channel.outgoing.isEmpty ? nil : channel.unsent(within: limit))
    }

    /// Carries out an action of the channel's state machine.
    func carryOut(_ action: ByteConnectionStateMachine.Action, for channel: ByteChannel) {
        switch action {
        case .none:
            break
        case .finishSending:
            if let socket = channel.socket, channel.canFinishSending {
                SocketEnd.finishSending(on: socket)
            }
        case .notifyEnd:
            touch(channel)
            if !isCancelled(channel) {
                channel.delegate.connectionDidReceiveEnd(channel.connection)
            }
        case .complete:
            finish(channel, with: nil)
        }
    }

    // MARK: Ending

    /// Ends a connection in any phase.
    func stop(_ channel: ByteChannel, with error: TransportError?) {
        guard channel.machine.stop() else { return }
        finish(channel, with: error)
    }

    /// Removes a completed channel. The delegate is called at the end of the turn.
    private func finish(_ channel: ByteChannel, with error: TransportError?) {
        if let attempt = channel.attempt {
            leave(attempt, of: channel)
        } else {
            withdraw(channel.id, &channel.entry)
        }
        channels.remove(channel)
        channelTurn.end(channel, with: error)
    }

    /// Removes an attempt from the multi handle, which closes its connection.
    private func leave(_ attempt: TransferAttempt, of channel: ByteChannel) {
        if let socket = channel.socket {
            channels.closed(socket)
            channel.socket = nil
            channel.interest = []
        }
        handlePool.remove(attempt.easy, at: now)
        channel.addMetrics(of: attempt)
        attempt.easy.setup = nil
        channel.attempt = nil
        handlePool.keep(attempt.easy)
        releasePlace(of: attempt, &channel.entry)
    }

    /// Handles a socket that libcurl has closed unexpectedly.
    func channelClosed(_ descriptor: Int32) {
        guard let channel = channels.closed(descriptor) else { return }
        channel.socket = nil
        hold(channel)
    }

    // MARK: Timeouts

    /// Schedules the next sweep in time for the deadlines of `channel`.
    func considerDeadline(of channel: ByteChannel) {
        if let deadline = channel.nextDeadline() { deadlines.considerSweep(at: deadline.time) }
        if let closing = channel.closing { deadlines.considerSweep(at: closing.deadline) }
    }

    /// Ends the channels whose deadlines have passed.
    func sweepChannels() {
        for channel in channels.all {
            if let closing = channel.closing, closing.deadline <= now {
                closingTimedOut(channel)
                continue
            }
            if var next = channel.nextDeadline(), next.time <= now {
                if channel.hasSentInBackground() {
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

    // MARK: Notifying

    /// Notifies the delegates of the turn's end, and then of completions.
    func notifyChannels() {
        guard !channelTurn.touched.isEmpty || !channelTurn.ended.isEmpty else { return }
        for channel in channelTurn.touched {
            channel.turn.isTouched = false
            guard channel.machine.state != .completed else { continue }
            reportBytesSent(of: channel)
            guard !isCancelled(channel) else { continue }
            channel.delegate.connectionDidEndTurn(channel.connection)
            considerDeadline(of: channel)
        }
        channelTurn.removeTouched()
        for (channel, error) in channelTurn.ended { notifyEnd(of: channel, error) }
        channelTurn.removeEnded()
    }

    private func reportBytesSent(of channel: ByteChannel) {
        guard !isCancelled(channel), let count = channel.outgoing.takeProgress() else { return }
        channel.delegate.connection(channel.connection, didSend: count)
    }

    private func notifyEnd(of channel: ByteChannel, _ error: TransportError?) {
        if error == nil { reportBytesSent(of: channel) }
        let metrics = metrics.finish(
            &channel.metricsBuilder,
            submitted: channel.plan.submitted,
            entry: channel.entry
        )
        channel.connection.end()
        channel.delegate.connection(channel.connection, didFinishCollecting: metrics)
        channel.delegate.connection(
            channel.connection,
            didCompleteWith: error?.about(channel.endpoint.origin).ending(channel.id, metrics)
        )
    }
}
