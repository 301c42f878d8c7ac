internal import Curl
internal import Posix

// The limits of HTTP/2: how many streams a server allows on a connection, and how many connections
// an origin may have.
//
// libcurl keeps to a server's limit once it has read the connection's first frame. Requests that it
// sends before may exceed it (RFC 9113, section 3.4), and servers refuse their streams. For a
// transfer that finds no free stream it opens another connection. Measured with a limit of 2 and 40
// requests: 7.88 opens a connection for each, 33 to 39 in all. 8.14 and 8.23 open one, and all
// others that wait are sent on it at once; a request that is refused six times fails, which were up
// to 34 of the 40.

extension LoopDriver {
    /// Whether libcurl may open a connection for `transfer`.
    ///
    /// False if the transfer could share one, and as many as allowed are in use. It then waits in
    /// its queue until another transfer of the origin ends.
    func mayOpenConnection(for transfer: Transfer) -> Bool {
        guard let origin = transfer.origin, let attempt = transfer.attempt, transfer.mayUseHTTP2,
            transfer.mayShareConnection
        else { return true }
        let version = scheduler.knownVersion(of: origin)
        guard version != .http1 else { return true }
        // Another attempt wouldn't know that the request was sent before, and would send it twice.
        guard attempt.connection.sendingStarted == nil else {
            // Others still use the connection: the server has refused this stream.
            if let former = attempt.connection.socket, former.userCount > 1 {
                watchStreamLimit(of: origin)
            }
            return true
        }
        // The next address of the same connection is always tried.
        guard version == .multiplexed, attempt.connection.newSockets.isEmpty else { return true }
        let count = sockets.usedCount(of: origin)
        if count > 0 { watchStreamLimit(of: origin) }
        let allowed = scheduler.share(of: origin)?.allowed
        guard let maximum = allowed ?? scheduler.maximumConnections(of: origin) else { return true }
        // It waits only if there is another transfer that will end.
        return count < maximum || scheduler.activeCount(of: origin) <= 1
    }

    /// Makes libcurl report the limit of the origin's next connection.
    private func watchStreamLimit(of origin: Scheduler.OriginIndex) {
        guard CurlGlobal.tracesStreams else { return }
        var isNew = false
        scheduler.changeStreamLimit(of: origin) { isNew = $0.watch() }
        guard isNew else { return }
        for transfer in transfers.values where transfer.origin == origin && transfer.mayUseHTTP2 {
            guard let attempt = transfer.attempt else { continue }
            attempt.easy.setup = nil
            // libcurl accepts this option for every handle.
            try? attempt.easy.handle.set(.verbose, true)
        }
    }

    /// Whether libcurl has to report the limits of a transfer's connections.
    func watchesStreamLimit(of transfer: Transfer) -> Bool {
        guard transfer.mayUseHTTP2, let origin = transfer.origin else { return false }
        return scheduler.streamLimit(of: origin).isWatched
    }

    /// Stores a server's limit that libcurl has reported to the handle of `transfer`.
    func learnStreamLimit(_ limit: Int, of transfer: Transfer) {
        // While libcurl searches for a connection, it also reads those to other origins.
        // It does so before an answer to a challenge, too.
        guard let origin = transfer.origin, let attempt = transfer.attempt,
            attempt.connection.sendingStarted != nil || !attempt.connection.newSockets.isEmpty,
            attempt.response.provisionalHead == nil
        else { return }
        if attempt.endpoint.isSecure { scheduler.learn(.multiplexed, of: origin) }
        scheduler.changeStreamLimit(of: origin) { $0.announce(limit) }
    }

    /// Whether more transfers use the attempt's connection than the server allows streams.
    func exceedsStreamLimit(_ attempt: TransferAttempt, at origin: Scheduler.OriginIndex?) -> Bool {
        guard let socket = attempt.connection.socket, socket.userCount > 1, let origin,
            let limit = scheduler.streamLimit(of: origin).announced
        else { return false }
        return socket.userCount > limit
    }

    // MARK: Waiting for a stream

    /// Records that libcurl finds no free stream for `transfer`, whose attempt ends soon.
    fileprivate func noteMissingStream(of transfer: Transfer) {
        transfer.retries.lacksStream = true
        if let origin = transfer.origin {
            scheduler.changeStreamLimit(of: origin) { $0.lacksStream() }
        }
    }

    /// Ends an attempt whose request wasn't sent for lack of a stream.
    func endWithoutStream(_ attempt: TransferAttempt, of transfer: Transfer) {
        transfer.retries.lacksStream = false
        if attempt.sending.isReported { transfer.retries.isRequestReported = true }
        attempt.easy.setup = nil
        let origin = transfer.origin
        leave(attempt, of: transfer)
        if let origin { scheduler.changeStreamLimit(of: origin) { $0.leftWithoutStream() } }
        streamChecks.lackedStream(transfer)
    }

    /// Queues the transfers again that found no free stream in this turn.
    ///
    /// They come before all others of their origins, in their former order.
    func requeueWithoutStream() {
        // libcurl ends the attempt after 200 ms if the host has addresses of both families.
        for transfer in streamChecks.takeRefused() where transfer.retries.lacksStream {
            attemptEnded(transfer, code: .couldntConnect)
        }
        for transfer in streamChecks.takeWithoutStream().reversed() {
            let origin = enqueue(transfer, isFirst: true)
            let active = scheduler.activeCount(of: origin)
            scheduler.changeStreamLimit(of: origin) { $0.foundNone(active: active) }
        }
    }
}

extension Transfer {
    func mayOpenSocket(to address: IPAddress?) -> Bool {
        guard mayConnect(to: address) else { return false }
        let mayOpen = driver.mayOpenConnection(for: self)
        if mayOpen {
            retries.lacksStream = false
        } else if !retries.lacksStream {
            driver.noteMissingStream(of: self)
            driver.streamChecks.refusedSocket(of: self)
            driver.lookupAnswered(attempt, at: origin)
        }
        return mayOpen
    }

    /// Whether the current attempt may use another transfer's connection.
    fileprivate var mayShareConnection: Bool {
        options.reusesConnection && !retries.needsNewConnection && !trust.needsFreshConnection
            && !usesAltSvc
    }

    /// Lets the transfer wait for a free stream, before its request is sent. Returns false.
    func waitForStream() -> Bool {
        // libcurl may have read a part of the body for another connection.
        if body?.rewind() ?? true {
            driver.noteMissingStream(of: self)
        } else {
            fail(.unanswered)
        }
        return false
    }

    /// Handles a line of libcurl's trace about a connection that the transfer uses.
    func received(_ trace: StreamTrace) {
        if case .limit(let limit) = trace { return driver.learnStreamLimit(limit, of: self) }
        guard driver.streamEnds.areWatched,
            driver.streamEnds.note(trace, on: attempt?.connection.socket?.descriptor)
        else { return }
        attempt?.stream.noteReset()
    }
}
