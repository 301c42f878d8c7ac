internal import Curl
internal import HTTPTypes

// Starting and ending hops, and what comes after one.

extension Driver {
    // MARK: Starting

    /// Puts a transfer in its origin's queue, for its first hop or its next.
    func enqueue(_ transfer: Transfer) {
        transfer.enqueued = now
        transfer.origin = scheduler.enqueue(transfer.id, for: transfer.originKey)
        considerDeadline(of: transfer)
    }

    /// Starts whatever may start.
    func admit() {
        while scheduler.waitingCount > 0 {
            let admission = scheduler.next(
                now: now,
                takePlace: { shared.places?.take(for: loop) ?? true ? .granted : .refused },
                takeLookup: { shared.lookups.take(for: loop) ? .granted : .refused },
                giveBackPlace: { shared.places?.giveBack() }
            )
            guard let admission else { return }
            guard let transfer = transfers[admission.transfer], transfer.machine.start() else {
                if let channel = channels[admission.transfer], channel.machine.start() {
                    startConnecting(channel, admission)
                    continue
                }
                release(admission.origin, performedLookup: admission.performsLookup)
                continue
            }
            startHop(of: transfer, admission)
        }
    }

    private func startHop(of transfer: Transfer, _ admission: Admission) {
        transfer.queueTime += now.nanoseconds(since: transfer.enqueued)
        transfer.lastActivity = now
        if transfer.options.tls.evaluatesServerTrust, !transfer.trust.mustVerify,
            lenientOrigins.contains(transfer.trustOrigin)
        {
            transfer.trust.isLenient = true
        }
        do throws(TransportError) {
            let hop = Hop(
                easy: try easy(for: transfer),
                endpoint: transfer.endpoint,
                started: now,
                performsLookup: admission.performsLookup
            )
            transfer.hop = hop
            if transfer.choosesConnection {
                try hop.easy.openConnection(!admission.mayReuseConnection)
            }
            try add(hop)
            considerDeadline(of: transfer)
        } catch {
            transfer.hop = nil
            release(admission.origin, performedLookup: admission.performsLookup)
            transfer.origin = nil
            stop(transfer, with: error)
        }
    }

    /// Gives a hop to libcurl.
    func add(_ hop: Hop) throws(TransportError) {
        let code = engine.add(hop.easy)
        guard code.isOK else {
            engine.remove(hop.easy)
            hop.easy.handle.detach()
            throw .engineFailed(code)
        }
    }

    // MARK: Ending

    /// A hop is over, as libcurl says.
    func hopEnded(_ transfer: Transfer, code: CurlCode) {
        guard let hop = transfer.hop else { return }
        engine.remove(hop.easy)
        if code == .ok, transfer.failure == nil, let head = hop.provisionalHead {
            hop.provisionalHead = nil
            _ = transfer.accept(head)
        }
        transfer.tellRequestSent()
        transfer.tellEncodedBytes()
        // Asked for by the delegate in this very turn, perhaps.
        if isCancelled(transfer) { transfer.fail(.cancelled) }
        transfer.addMetrics(of: hop)
        let error = transfer.error(after: hop, code: code)
        if error != nil {
            // What failed may have left something behind in its handle.
            hop.easy.setup = nil
            streamFailed(of: transfer)
        }
        leave(hop, of: transfer)
        if let error, transfer.repeatsForTrust(after: error, code: code) {
            return repeatForTrust(transfer)
        }
        let end = error.map { TransferStateMachine.HopEnd.failure($0) } ?? .success
        // A redirect that can't be followed for a reason of our own ends the transfer.
        if let failure = transfer.failure { return stop(transfer, with: failure) }
        switch transfer.machine.hopEnded(end) {
        case .complete(let error): finish(transfer, with: error)
        case .startNextHop: startNextHop(of: transfer)
        case .wait: break
        }
    }

    /// Takes a hop out of the multi handle before its end.
    private func abandon(_ hop: Hop, of transfer: Transfer) {
        engine.remove(hop.easy)
        transfer.addMetrics(of: hop)
        hop.easy.setup = nil
        leave(hop, of: transfer)
    }

    /// Gives back what a hop held. The handle has left the multi handle already.
    private func leave(_ hop: Hop, of transfer: Transfer) {
        transfer.hop = nil
        engine.keep(hop.easy)
        if let origin = transfer.origin {
            release(origin, performedLookup: hop.performsLookup)
        }
        transfer.origin = nil
    }

    func release(_ origin: Scheduler.OriginIndex, performedLookup: Bool) {
        if performedLookup {
            scheduler.lookupEnded(of: origin, succeeded: false, now: now)
            shared.lookups.giveBack()
        }
        scheduler.ended(origin)
        shared.places?.giveBack()
    }

    /// If a hop had to look a name up, it has the answer.
    func lookupAnswered(_ hop: Hop?, at origin: Scheduler.OriginIndex?) {
        guard let hop, hop.performsLookup, let origin else { return }
        hop.performsLookup = false
        scheduler.lookupEnded(of: origin, succeeded: true, now: now)
        shared.lookups.giveBack()
    }

    /// Ends a transfer from our side, whatever it is doing.
    func stop(_ transfer: Transfer, with error: TransportError) {
        guard transfer.machine.stop() else { return }
        if let hop = transfer.hop {
            abandon(hop, of: transfer)
        } else if let origin = transfer.origin {
            transfer.queueTime += now.nanoseconds(since: transfer.enqueued)
            scheduler.withdraw(transfer.id, from: origin)
            transfer.origin = nil
        }
        finish(transfer, with: error)
    }

    /// The machine has completed. The delegate hears of it when the turn ends.
    private func finish(_ transfer: Transfer, with error: TransportError?) {
        transfers[transfer.id] = nil
        transfer.body?.stop()
        ended.append((transfer, error))
    }

    /// The last words to the delegates. The waking of those who wait comes behind all of them and in
    /// one go: threads that are woken for the first find the others too, and don't fall asleep again
    /// in between.
    func tellEnded() {
        guard !ended.isEmpty else { return }
        for (transfer, error) in ended { tellEnd(of: transfer, error) }
        for (transfer, _) in ended { transfer.delegate.transferDidCompleteTurn(transfer.handle) }
        ended.removeAll(keepingCapacity: ended.capacity <= 4096)
    }

    private func tellEnd(of transfer: Transfer, _ error: TransportError?) {
        if error == nil, let trailers = transfer.parser.trailerFields {
            transfer.delegate.transfer(transfer.handle, didReceiveTrailers: trailers)
        }
        let noted = transfer.notedFacts ?? takeFacts()
        noted.facts.complete(
            redirects: transfer.redirectCount,
            queueTime: transfer.queueTime,
            // A transfer may begin and end within one turn.
            total: MonotonicTime.now.nanoseconds(since: transfer.plan.submitted)
        )
        transfer.delegate.transfer(
            transfer.handle,
            didFinishCollecting: TransferMetrics(noted.facts)
        )
        transfer.notedFacts = nil
        keep(noted)
        transfer.delegate.transfer(
            transfer.handle,
            didCompleteWith: error?.about(transfer.redactedURL)
        )
    }

    // MARK: Redirects

    func startNextHop(of transfer: Transfer) {
        guard let redirect = transfer.redirect else { return }
        transfer.redirect = nil
        transfer.redirectHead = nil
        do {
            try transfer.follow(redirect)
            enqueue(transfer)
        } catch {
            stop(transfer, with: error)
        }
    }

    func answer(_ transfer: Transfer, redirect decision: RedirectDecision) {
        let follows: Bool
        switch decision {
        case .follow:
            follows = true
        case .followChanged(let request):
            transfer.redirect?.request = request
            follows = true
        case .refuse:
            follows = false
        case .later:
            return
        }
        let head = transfer.redirectHead
        switch transfer.machine.redirectAnswered(follows: follows) {
        case .none:
            break
        case .startNextHop:
            if let hop = transfer.hop {
                abandon(hop, of: transfer)
            }
            startNextHop(of: transfer)
        case .deliver:
            guard let head, transfer.deliver(head) == .accept else {
                return stop(transfer, with: transfer.failure ?? .cancelled)
            }
            resume(transfer)
        case .deliverAndComplete(let error):
            if let head { _ = transfer.deliver(head) }
            finish(transfer, with: transfer.failure ?? error)
        }
    }

    // MARK: Trust

    private func repeatForTrust(_ transfer: Transfer) {
        let next = transfer.trust.next
        transfer.trust.next = nil
        if next == .ask {
            // The answer comes as a command, and may be in the mailbox already.
            _ = transfer.machine.trustAsked()
        } else if transfer.machine.hopWillRepeat() {
            enqueue(transfer)
        }
    }

    func answer(_ transfer: Transfer, trust decision: TrustDecision) {
        guard let question = transfer.trust.question, transfer.machine.trustAnswered() else {
            return
        }
        transfer.trust.question = nil
        if transfer.settle(decision, on: question) {
            enqueue(transfer)
        } else {
            stop(transfer, with: transfer.failure ?? .trustRefused(url: transfer.redactedURL))
        }
    }

    // MARK: Pausing

    /// Lets flow what nothing holds back any more.
    func resume(_ transfer: Transfer) {
        transfer.lastActivity = now
        defer { considerDeadline(of: transfer) }
        guard let hop = transfer.hop, transfer.machine.isFlowing else { return }
        let receives = hop.isReceivingHeldBack && !transfer.isReceivingPaused
        let sends = hop.isSendingHeldBack && !transfer.isSendingPaused
        guard receives || sends else { return }
        if receives { hop.isReceivingHeldBack = false }
        if sends { hop.isSendingHeldBack = false }
        let code = hop.easy.handle.pause(
            receiving: hop.isReceivingHeldBack,
            sending: hop.isSendingHeldBack
        )
        // What was kept is delivered in there, and libcurl doesn't end a transfer that fails at it.
        if let error = transfer.failure ?? transfer.error(releasing: hop, code: code) {
            return stop(transfer, with: error)
        }
        // Not every release of libcurl asks to be called after this.
        curlDeadline = now
    }

    /// Lets go of an upload that waits for bytes when the response is an error already.
    ///
    /// libcurl sends nothing more then, but never ends a transfer whose sending is paused.
    func releaseUpload(of transfer: Transfer) {
        guard let hop = transfer.hop, hop.isSendingHeldBack, hop.isRefused,
            transfer.machine.isFlowing
        else { return }
        hop.isSendingHeldBack = false
        hop.easy.handle.pause(receiving: hop.isReceivingHeldBack, sending: false)
        curlDeadline = now
    }

    // MARK: Time limits

    /// Makes sure that the next sweep comes in time for `transfer`.
    func considerDeadline(of transfer: Transfer) {
        if let deadline = transfer.nextDeadline()?.time, deadline < nextSweep {
            nextSweep = deadline
        }
    }

    /// Ends the transfers whose time is over, and finds out when to look again.
    ///
    /// Time limits are long and transfers are short, so that looking at all of them now and then
    /// costs less than keeping them in order.
    func sweep() {
        nextSweep = .distantFuture
        var expired: [(Transfer, TransportError.Code)] = []
        for transfer in transfers.values {
            guard var (time, code) = transfer.nextDeadline() else { continue }
            if time <= now, transfer.hasMovedUnseen() {
                transfer.lastActivity = now
                guard let next = transfer.nextDeadline() else { continue }
                (time, code) = next
            }
            if time <= now {
                expired.append((transfer, code))
            } else {
                nextSweep = min(nextSweep, time)
            }
        }
        for (transfer, code) in expired {
            stop(transfer, with: transfer.timeout(code))
        }
        if !channels.isEmpty { sweepChannels() }
        // With very many transfers, not for each of them apart.
        let pause = Int64(transfers.count) * 1_000
        nextSweep = max(nextSweep, now.advanced(byNanoseconds: pause))
    }

    // MARK: Knowledge

    /// Remembers what an origin speaks, so that a burst needn't wait for one connection.
    func learnVersion(from head: ResponseHead, of transfer: Transfer) {
        guard let origin = transfer.origin, let hop = transfer.hop, hop.endpoint.isSecure,
            transfer.plan.options.offersHTTP2
        else { return }
        scheduler.learn(head.isMultiplexed ? .multiplexed : .http1, of: origin)
    }
}
