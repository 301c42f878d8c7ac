internal import Curl
internal import Posix

// Operations on the transfers that share a connection.

extension LoopDriver {
    /// Ends the transfers and channels on sockets that the kernel refused to watch. They would wait
    /// endlessly.
    func stopUnwatched() {
        for refused in reactor.takeRefused() {
            let error = TransportError.unwatched(refused.failure)
            for transfer in transfers.values {
                guard let attempt = transfer.attempt else { continue }
                // libcurl reports a transfer's socket only when the transfer is done with it. Until
                // then, the transfer that had the socket opened is its user.
                let usesSocket =
                    attempt.easy.handle.activeSocket.map { $0 == refused.descriptor }
                    ?? (refused.owner == transfer.id.rawValue)
                if usesSocket { stop(transfer, with: error) }
            }
            for channel in channels.all where channel.attempt != nil {
                if (channel.socket ?? refused.descriptor) == refused.descriptor,
                    refused.owner == channel.id.rawValue
                {
                    stop(channel, with: error)
                }
            }
        }
    }

    /// Makes libcurl report HTTP/2 frames. Any handle that reads the connection reports the frames
    /// of all its streams.
    func watchStreamEnds() {
        guard streamEnds.watch() else { return }
        for transfer in transfers.values where transfer.mayUseHTTP2 {
            // libcurl accepts this option for every handle.
            try? transfer.attempt?.easy.handle.set(.verbose, true)
        }
    }

    /// Whether libcurl has to report the transfer's HTTP/3 stream from the beginning.
    ///
    /// With OpenSSL's QUIC, libcurl may have read the whole response before it delivers the head.
    func tracesHTTP3(of transfer: Transfer) -> Bool {
        transfer.mayUseHTTP3 && CurlVersion.current.usesOpenSSLQUIC && CurlGlobal.tracesStreams
    }

    /// Closes a connection on which an HTTP/3 response isn't read to its end.
    ///
    /// With OpenSSL's QUIC, the unread bytes that the server has sent count against the
    /// connection's flow control window permanently. After several such responses the server may
    /// send nothing more.
    func retireConnection(of transfer: Transfer) {
        guard CurlVersion.current.usesOpenSSLQUIC, let socket = transfer.attempt?.connection.socket,
            socket.isHTTP3, !socket.isRetired
        else { return }
        socket.isRetired = true
        for other in transfers.values {
            guard let attempt = other.attempt, attempt.connection.socket === socket else {
                continue
            }
            attempt.easy.setup = nil
            // The last transfer on the connection closes it.
            closeConnection(after: attempt)
        }
    }

    /// Records that a transfer failed whose connection may have other transfers.
    ///
    /// If a server ends a connection with a TLS alert and leaves TCP open, the socket has one
    /// event. libcurl passes it to one of the streams. The others would wait until they time out
    /// (seen with 7.88.1).
    func streamFailed(of transfer: Transfer) {
        guard let origin = transfer.origin, scheduler.knownVersion(of: origin) == .multiplexed
        else { return }
        streamChecks.failed(at: origin)
    }

    /// Makes libcurl check the other transfers to the origins of failed ones.
    func checkSuspectStreams() {
        let origins = streamChecks.takeOrigins()
        guard !origins.isEmpty else { return }
        for transfer in transfers.values {
            guard let origin = transfer.origin, origins.contains(origin),
                let attempt = transfer.attempt
            else { continue }
            look(at: attempt, of: transfer)
        }
    }

    /// Makes libcurl deliver the rest of heads that are larger than its buffer.
    ///
    /// libcurl before 8.0 keeps the rest of an HTTP/2 head until the socket's next event. If the
    /// server has sent everything, there is no such event.
    func checkPartialHeads() {
        for transfer in streamChecks.takeHeads() {
            guard let attempt = transfer.attempt else { continue }
            let isPartial = transfer.parser.hasBegun && !attempt.response.hasHead
            // The last piece may also close the stream. libcurl notices this when it reads once
            // more.
            let size = attempt.easy.handle.get(.headerSize) ?? 0
            if isPartial || size >= attempt.easy.bufferSize { look(at: attempt, of: transfer) }
        }
    }

    private func look(at attempt: TransferAttempt, of transfer: Transfer) {
        guard transfer.machine.isFlowing, !attempt.heldBack.receiving else { return }
        // libcurl checks the transfer only if its pause state changes.
        attempt.easy.handle.pause(receiving: false, sending: !attempt.heldBack.sending)
        attempt.easy.handle.pause(receiving: false, sending: attempt.heldBack.sending)
        wakeShard(of: attempt)
    }
}

/// The streams that a loop checks at the end of the turn, because libcurl may not continue them.
struct StreamChecks {
    /// Origins with a shared connection on which a transfer failed in this turn.
    private var origins: Set<Scheduler.OriginIndex> = []

    /// Transfers that received head lines in this turn. libcurl may keep the rest of their heads.
    private var heads: [Transfer] = []

    /// Transfers that found no free stream in this turn. They aren't queued yet.
    private var withoutStream: [Transfer] = []

    /// Transfers that weren't allowed to open a socket in this turn. Their attempts end.
    private var refused: [Transfer] = []

    mutating func failed(at origin: Scheduler.OriginIndex) {
        origins.insert(origin)
    }

    mutating func receivedHeadLine(of transfer: Transfer) {
        if heads.last !== transfer { heads.append(transfer) }
    }

    /// Removes and returns the origins of failed transfers.
    mutating func takeOrigins() -> Set<Scheduler.OriginIndex> {
        defer { origins = [] }
        return origins
    }

    mutating func lackedStream(_ transfer: Transfer) {
        withoutStream.append(transfer)
    }

    mutating func refusedSocket(of transfer: Transfer) {
        refused.append(transfer)
    }

    /// Removes and returns the transfers that weren't allowed to open a socket.
    mutating func takeRefused() -> [Transfer] {
        guard !refused.isEmpty else { return [] }
        defer { refused = [] }
        return refused
    }

    /// Removes and returns the transfers without a stream, in the order of their attempts' ends.
    mutating func takeWithoutStream() -> [Transfer] {
        guard !withoutStream.isEmpty else { return [] }
        defer { withoutStream = [] }
        return withoutStream
    }

    /// Removes and returns the transfers with head lines.
    mutating func takeHeads() -> [Transfer] {
        defer { heads = [] }
        return heads
    }
}
