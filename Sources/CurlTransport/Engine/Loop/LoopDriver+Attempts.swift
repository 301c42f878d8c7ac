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
            let attempt = TransferAttempt(
                easy: try easy(for: transfer),
                endpoint: transfer.endpoint,
                started: now,
                performsLookup: admission.performsLookup
            )
            transfer.attempt = attempt
            try attempt.easy.openConnection(
                transfer.retries.needsNewConnection
                    || (transfer.choosesConnection && !admission.mayReuseConnection)
            )
            attempt.sending.isReported = transfer.retries.isRequestReported
            try add(attempt)
            considerDeadline(of: transfer)
        } catch {
            transfer.attempt = nil
            release(admission.origin, performedLookup: admission.performsLookup)
            transfer.entry.takeOrigin()
            stop(transfer, with: error)
        }
    }

    /// Adds an attempt to the multi handle.
    func add(_ attempt: TransferAttempt) throws(TransportError) {
        let code = handlePool.add(attempt.easy)
        guard code.isOK else {
            handlePool.remove(attempt.easy)
            attempt.easy.handle.detach()
            throw .engineFailed(code)
        }
    }

    // MARK: Ending

    /// Handles the end of an attempt that libcurl reported.
    func attemptEnded(_ transfer: Transfer, code: CurlCode) {
        guard let attempt = transfer.attempt else { return }
        handlePool.remove(attempt.easy)
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

    /// Removes an attempt from the multi handle before its end.
    private func abandon(_ attempt: TransferAttempt, of transfer: Transfer) {
        retireConnection(of: transfer)
        handlePool.remove(attempt.easy)
        transfer.addMetrics(of: attempt)
        attempt.easy.setup = nil
        leave(attempt, of: transfer)
    }

    /// Releases the resources of an attempt that has left the multi handle.
    func leave(_ attempt: TransferAttempt, of transfer: Transfer) {
        transfer.attempt = nil
        endDecoding(of: attempt)
        attempt.connection.leave(closesConnection: attempt.easy.closesConnection)
        handlePool.keep(attempt.easy)
        releasePlace(of: attempt, &transfer.entry)
    }

    /// Releases the place of an attempt that has left the multi handle.
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

    // MARK: Pausing

    /// Whether libcurl reads once more after a call that resumes, although the callback has paused
    /// receiving again inside of the call, unless sending is paused as well.
    ///
    /// It keeps what it reads, so a body that is resumed often would fill the memory. Since 8.4
    /// (`select_bits_paused` in `transfer.c`).
    private static let readsUnlessBothArePaused = CurlVersion.current.isAtLeast(8, 4)

    /// Resumes receiving and sending in libcurl, unless they are still paused.
    func resume(_ transfer: Transfer) {
        transfer.lastActivity = now
        defer { considerDeadline(of: transfer) }
        guard let attempt = transfer.attempt, transfer.machine.isFlowing else { return }
        let required = transfer.paused.adding(receiving: attempt.memory.isWaiting)
        guard attempt.heldBack.resume(except: required) else { return }
        let code = attempt.easy.handle.pause(
            receiving: attempt.heldBack.receiving,
            sending: attempt.heldBack.sending
        )
        if Self.readsUnlessBothArePaused, attempt.heldBack.receiving, attempt.sending.isComplete {
            // Only until the next call: libcurl doesn't end a transfer whose sending is paused.
            attempt.easy.handle.pause(receiving: true, sending: true)
        }
        // libcurl delivers the bytes that it kept inside this call, and doesn't end a transfer that
        // fails at it.
        if let error = transfer.failure ?? transfer.error(releasing: attempt, code: code) {
            return stop(transfer, with: error)
        }
        // Some versions of libcurl don't set a timer after this.
        deadlines.curl = now
    }

    /// Resumes an upload that waits for bytes, if the response is already an error.
    ///
    /// libcurl then sends nothing more, but it never ends a transfer whose sending is paused.
    func releaseUpload(of transfer: Transfer) {
        guard let attempt = transfer.attempt, attempt.heldBack.sending, attempt.response.isRefusal,
            transfer.machine.isFlowing
        else { return }
        attempt.heldBack.sending = false
        attempt.easy.handle.pause(receiving: attempt.heldBack.receiving, sending: false)
        deadlines.curl = now
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

    // MARK: Protocol versions

    /// Records which HTTP version an origin speaks.
    ///
    /// A burst of requests then doesn't wait for one connection.
    func learnVersion(of transfer: Transfer) {
        guard let origin = transfer.origin, let attempt = transfer.attempt,
            attempt.endpoint.isSecure,
            transfer.plan.options.offersHTTP2
        else { return }
        scheduler.learn(attempt.connection.isMultiplexed ? .multiplexed : .http1, of: origin)
    }
}
