internal import Curl
internal import HTTPTypes
internal import Posix

// Starting and ending attempts, and what follows them.

extension LoopDriver {
    // MARK: Starting

    /// Queues a transfer at its origin, for its first or next attempt.
    ///
    /// - Parameter isFirst: Whether it starts before the others of its origin.
    @discardableResult
    func enqueue(_ transfer: Transfer, isFirst: Bool = false) -> Scheduler.OriginIndex {
        let origin = scheduler.enqueue(transfer.id, for: transfer.originKey, isFirst: isFirst)
        transfer.entry.entered(origin, at: now)
        considerDeadline(of: transfer)
        return origin
    }

    /// Starts all queued transfers and channels that may start.
    func admit() {
        while scheduler.waitingCount > 0 {
            let admission = scheduler.next(
                now: now,
                takePlace: { limits.takePlace() },
                takeLookup: { limits.takeLookup() },
                releasePlace: { limits.releasePlace() }
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
            startAttempt(of: transfer, admission)
        }
    }

    private func startAttempt(of transfer: Transfer, _ admission: Admission) {
        transfer.entry.leftQueue(at: now)
        transfer.lastActivity = now
        transfer.mayReuseConnection = admission.mayReuseConnection
        if transfer.options.tls.evaluatesServerTrust, !transfer.trust.mustVerify,
            trustCache.isLenient(transfer.trustOrigin)
        {
            transfer.trust.isLenient = true
        }
        do throws(TransportError) {
            // Nothing is sent if its response would be too late.
            if transfer.plan.isDeadlinePassed(at: now) { throw transfer.timeout(.deadlineExceeded) }
            let easy = try easy(for: transfer)
            let choosesConnection = transfer.choosesConnection
            let opensConnection =
                transfer.retries.needsNewConnection
                || (choosesConnection && !admission.mayReuseConnection)
            try easy.openConnection(opensConnection)
            let attempt = TransferAttempt(
                easy: easy,
                endpoint: transfer.endpoint,
                started: now,
                performsLookup: admission.performsLookup,
                place: shardPlace(
                    of: transfer,
                    admission,
                    isDivisible: choosesConnection,
                    opensConnection: opensConnection
                )
            )
            transfer.attempt = attempt
            attempt.sending.isReported = transfer.retries.isRequestReported
            try add(attempt)
            considerDeadline(of: transfer)
        } catch {
            transfer.attempt?.connection.leave(closesConnection: false)
            transfer.attempt = nil
            release(admission.origin, performedLookup: admission.performsLookup)
            transfer.entry.takeOrigin()
            stop(transfer, with: error)
        }
    }

    /// Adds an attempt to the multi handle of its shard.
    func add(_ attempt: TransferAttempt) throws(TransportError) {
        let shard = attempt.connection.shard
        let code: MultiCode
        do {
            code = try handlePool.add(attempt.easy, to: shard, loop: self, at: now)
        } catch {
            attempt.easy.handle.detach()
            throw .resourceExhausted("libcurl can't create a multi handle: \(error)")
        }
        if shard > 0 { closeIdleShardsLater() }
        guard code.isOK else {
            handlePool.remove(attempt.easy, at: now)
            attempt.easy.handle.detach()
            throw .engineFailed(code)
        }
    }

    // MARK: Ending

    /// Handles the end of an attempt that libcurl reported.
    func attemptEnded(_ transfer: Transfer, code: CurlCode) {
        guard let attempt = transfer.attempt else { return }
        handlePool.remove(attempt.easy, at: now)
        if transfer.retries.lacksStream, transfer.failure == nil,
            transfer.machine.attemptWillRepeat()
        {
            return endWithoutStream(attempt, of: transfer)
        }
        let code = transfer.cause(of: code, in: attempt)
        if code == .ok, transfer.failure == nil, let head = attempt.response.takeHeldHead() {
            // libcurl has closed the connection already, or kept it.
            let closesConnection = attempt.easy.closesConnection
            _ = transfer.accept(head)
            try? attempt.easy.closeConnection(closesConnection)
        }
        transfer.reportRequestSent()
        transfer.reportEncodedBytes()
        // The delegate may have cancelled during this turn.
        if isCancelled(transfer) { transfer.fail(.cancelled) }
        transfer.addMetrics(of: attempt)
        let error = transfer.error(after: attempt, code: code)
        if error != nil, transfer.repeatsForLoss(of: attempt, code: code) {
            transfer.retries.isRequestReported = attempt.sending.isReported
        }
        if error != nil {
            // A failed attempt may have left state in its handle.
            attempt.easy.setup = nil
            countFailedLookup(error, at: transfer.origin)
            streamFailed(of: transfer)
        }
        leave(attempt, of: transfer)
        if let error, transfer.repeatsForTrust(after: error, code: code) {
            return repeatForTrust(transfer)
        }
        if transfer.failure == nil, transfer.retries.begin() {
            // The request is sent again, or for the first time if its connection was unfit for it.
            if transfer.machine.attemptWillRepeat() { enqueue(transfer) }
            return
        }
        let end = error.map { TransferStateMachine.AttemptEnd.failure($0) } ?? .success
        // A redirect that this client refuses to follow ends the transfer.
        if let failure = transfer.failure { return stop(transfer, with: failure) }
        switch transfer.machine.attemptEnded(end) {
        case .complete(let error): finish(transfer, with: error)
        case .startNextAttempt: startNextAttempt(of: transfer)
        case .wait: break
        }
    }

    /// Removes an attempt from its multi handle before its end.
    private func abandon(_ attempt: TransferAttempt, of transfer: Transfer) {
        retireConnection(of: transfer)
        handlePool.remove(attempt.easy, at: now)
        transfer.addMetrics(of: attempt)
        attempt.easy.setup = nil
        leave(attempt, of: transfer)
    }

    /// Releases the resources of an attempt that has left its multi handle.
    func leave(_ attempt: TransferAttempt, of transfer: Transfer) {
        transfer.attempt = nil
        endDecoding(of: attempt)
        attempt.connection.leave(closesConnection: attempt.easy.closesConnection)
        handlePool.keep(attempt.easy)
        releasePlace(of: attempt, &transfer.entry)
    }

    /// Releases the place of an attempt that has left its multi handle.
    func releasePlace(of attempt: TransferAttempt, _ entry: inout SchedulerEntry) {
        guard let origin = entry.takeOrigin() else { return }
        release(origin, performedLookup: attempt.connection.performsLookup)
    }

    /// Removes the queued entry of the transfer or channel `id` from the scheduler's queue.
    func withdraw(_ id: TransferID, _ entry: inout SchedulerEntry) {
        guard let origin = entry.takeOrigin() else { return }
        entry.leftQueue(at: now)
        scheduler.withdraw(id, from: origin)
    }

    func release(_ origin: Scheduler.OriginIndex, performedLookup: Bool) {
        if performedLookup {
            scheduler.lookupEnded(of: origin, succeeded: false, now: now)
            limits.releaseLookup()
        }
        scheduler.ended(origin)
        limits.releasePlace()
    }

    /// Records that an attempt's name lookup has succeeded, if it had to do one.
    func lookupAnswered(_ attempt: TransferAttempt?, at origin: Scheduler.OriginIndex?) {
        guard let attempt, let origin, attempt.connection.lookupEnded() else { return }
        scheduler.lookupEnded(of: origin, succeeded: true, now: now)
        limits.releaseLookup()
    }

    /// Ends a transfer in any phase.
    func stop(_ transfer: Transfer, with error: TransportError) {
        guard transfer.machine.stop() else { return }
        if let attempt = transfer.attempt {
            abandon(attempt, of: transfer)
        } else {
            withdraw(transfer.id, &transfer.entry)
        }
        finish(transfer, with: error)
    }

    /// Removes a completed transfer. The delegate is called at the end of the turn.
    private func finish(_ transfer: Transfer, with error: TransportError?) {
        transfers[transfer.id] = nil
        transfer.body?.stop()
        transferTurn.end(transfer, with: error)
    }

    /// Calls the delegates of all completed transfers.
    ///
    /// Waiting tasks are woken in one go after all of these calls. Threads woken for the first task
    /// then find the others too, instead of falling asleep in between.
    func notifyEnded() {
        guard !transferTurn.ended.isEmpty else { return }
        for (transfer, error) in transferTurn.ended { notifyEnd(of: transfer, error) }
        for (transfer, _) in transferTurn.ended {
            transfer.delegate.transferDidCompleteTurn(transfer.handle)
        }
        transferTurn.removeEnded()
    }

    private func notifyEnd(of transfer: Transfer, _ error: TransportError?) {
        if error == nil, let trailers = transfer.parser.trailerFields {
            transfer.delegate.transfer(transfer.handle, didReceiveTrailers: trailers)
        }
        let metrics = metrics.finish(
            &transfer.metricsBuilder,
            submitted: transfer.plan.submitted,
            entry: transfer.entry,
            redirects: transfer.redirects.count
        )
        transfer.delegate.transfer(transfer.handle, didFinishCollecting: metrics)
        transfer.delegate.transfer(
            transfer.handle,
            didCompleteWith: error?.about(transfer.redactedURL).ending(transfer.id, metrics)
        )
    }

    // MARK: Redirects

    func startNextAttempt(of transfer: Transfer) {
        guard let redirect = transfer.redirects.take() else { return }
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
            transfer.redirects.change(request)
            follows = true
        case .refuse:
            follows = false
        case .later:
            return
        }
        let head = transfer.redirects.head
        switch transfer.machine.redirectAnswered(follows: follows) {
        case .none:
            break
        case .startNextAttempt:
            if let attempt = transfer.attempt {
                abandon(attempt, of: transfer)
            }
            startNextAttempt(of: transfer)
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
            // The answer arrives as a command, and may be in the mailbox already.
            _ = transfer.machine.trustAsked()
        } else if transfer.machine.attemptWillRepeat() {
            enqueue(transfer)
        }
    }

    func answer(_ transfer: Transfer, trust decision: TrustDecision) {
        guard let question = transfer.trust.question, transfer.machine.trustAnswered() else {
            return
        }
        transfer.trust.question = nil
        switch transfer.settle(decision, on: question) {
        case .accepted, .verifyAgain:
            transfer.trust.next = nil
            enqueue(transfer)
        case .refused:
            stop(transfer, with: transfer.failure ?? .trustRefused(url: transfer.redactedURL))
        }
    }

    // MARK: Timeouts

    /// Schedules the next sweep in time for the deadline of `transfer`.
    func considerDeadline(of transfer: Transfer) {
        if let deadline = transfer.nextDeadline() { deadlines.considerSweep(at: deadline.time) }
    }

    /// Ends the transfers whose deadlines have passed, and schedules the next sweep.
    ///
    /// Timeouts are long and transfers are short. So checking all of them from time to time costs
    /// less than keeping them sorted.
    func sweep() {
        deadlines.beginSweep()
        var expired: [(Transfer, TransportError.Code)] = []
        for transfer in transfers.values {
            guard var next = transfer.nextDeadline() else { continue }
            if next.time <= now, transfer.hasSentInBackground() {
                transfer.lastActivity = now
                guard let later = transfer.nextDeadline() else { continue }
                next = later
            }
            if next.time <= now {
                expired.append((transfer, next.code))
            } else {
                deadlines.considerSweep(at: next.time)
            }
        }
        for (transfer, code) in expired {
            stop(transfer, with: transfer.timeout(code))
        }
        if !channels.isEmpty { sweepChannels() }
        // With very many transfers, one sweep checks several deadlines.
        let pause = Int64(transfers.count) * 1_000
        deadlines.delaySweep(until: now.advanced(byNanoseconds: pause))
    }
}
