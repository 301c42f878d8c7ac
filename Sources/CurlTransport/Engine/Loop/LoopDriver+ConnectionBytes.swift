internal import Curl
internal import DequeModule
internal import Posix

// Connections for bytes: receiving and sending.

extension LoopDriver {
    /// The maximum number of bytes handed to libcurl at once. Over TLS, libcurl reports progress
    /// only when all of them are sent.
    private static let sendSize = 64 * 1024

    /// Handles a ready socket of a channel.
    func work(on channel: ByteChannel, ready: SocketInterest) {
        if ready.contains(.write) || channel.outgoing.isBlocked { send(channel) }
        if ready.contains(.read) { receive(channel) }
    }

    func touch(_ channel: ByteChannel) {
        channelTurn.touch(channel)
    }

    // MARK: Receiving

    /// Delivers received bytes to the delegate, up to the channel's share of the turn.
    func receive(_ channel: ByteChannel) {
        guard channel.machine.isReceiving, !channel.isReceivingPaused, let attempt = channel.attempt
        else {
            return
        }
        var memory: [UInt8] = []
        swap(&memory, &buffers.received)
        if memory.isEmpty { memory = [UInt8](repeating: 0, count: LoopBuffers.receivedSize) }
        var share = Self.socketShare
        while channel.machine.isReceiving, !channel.isReceivingPaused, !isCancelled(channel) {
            guard share > 0 else {
                hold(channel)
                break
            }
            let (code, count) = attempt.easy.handle.receive(into: &memory)
            if code == .again { break }
            guard code == .ok else {
                receivingFailed(channel, attempt, code)
                break
            }
            guard count > 0 else {
                let isDrained = channel.outgoing.isEmpty
                carryOut(channel.machine.peerEnded(isDrained: isDrained), for: channel)
                break
            }
            share -= count
            deliver(memory.span.extracting(0..<count), to: channel)
        }
        swap(&memory, &buffers.received)
        watch(channel)
    }

    private func deliver(_ bytes: Span<UInt8>, to channel: ByteChannel) {
        channel.lastActivity = now
        channel.bytesReceived += Int64(bytes.count)
        touch(channel)
        switch channel.delegate.connection(channel.connection, didReceive: bytes) {
        case .proceed:
            break
        case .pause:
            // A close that waits for the peer's end ignores pauses.
            channel.isReceivingPaused = channel.closing == nil
        case .cancel:
            stop(channel, with: .cancelled)
        }
    }

    private func receivingFailed(
        _ channel: ByteChannel,
        _ attempt: TransferAttempt,
        _ code: CurlCode
    ) {
        let isClosed = channel.machine.isClosing && channel.outgoing.isEmpty
        stop(channel, with: isClosed ? nil : channel.error(after: attempt, code: code))
    }

    /// Continues with `channel` in the next round.
    func hold(_ channel: ByteChannel) {
        channelTurn.hold(channel)
    }

    func resumeHeldChannels() {
        for channel in channelTurn.takeHeld() {
            channel.turn.isHeld = false
            if channel.socket == nil, channel.machine.state == .open, let attempt = channel.attempt
            {
                // libcurl has closed the socket without being asked to.
                stop(channel, with: channel.error(after: attempt, code: .recvError))
            } else {
                receive(channel)
            }
        }
    }

    // MARK: Sending

    /// Takes queued bytes from the connection, and sends as many as possible.
    func takeOutgoing(of channel: ByteChannel) {
        guard channel.machine.state == .open else { return }
        channel.outgoing.append(channel.connection.takeOutgoing())
        if !channel.outgoing.isBlocked { send(channel) }
    }

    private func send(_ channel: ByteChannel) {
        guard channel.machine.state == .open, let attempt = channel.attempt,
            !channel.outgoing.isEmpty
        else {
            return
        }
        channel.outgoing.isBlocked = false
        while let piece = channel.outgoing.first {
            let end = min(piece.count, channel.outgoing.offset + Self.sendSize)
            let bytes = piece.span.extracting(channel.outgoing.offset..<end)
            let (code, count) = attempt.easy.handle.send(bytes)
            guard code != .again else {
                channel.outgoing.isBlocked = true
                break
            }
            guard code == .ok else { return sendingFailed(channel, attempt, code) }
            sent(count, of: piece.count, on: channel)
        }
        if channel.outgoing.isEmpty { carryOut(channel.machine.drained(), for: channel) }
        watch(channel)
    }

    private func sent(_ count: Int, of size: Int, on channel: ByteChannel) {
        channel.outgoing.sent(count, of: size)
        channel.connection.didSend(count)
        channel.lastActivity = now
        touch(channel)
    }

    /// A peer that has closed the connection may have sent its reason before, so receive first.
    private func sendingFailed(_ channel: ByteChannel, _ attempt: TransferAttempt, _ code: CurlCode)
    {
        let error = channel.error(after: attempt, code: code)
        receive(channel)
        stop(channel, with: error)
    }

    // MARK: Watching

    /// Updates the events that the socket is watched for.
    func watch(_ channel: ByteChannel) {
        guard let socket = channel.socket else { return }
        var interest: SocketInterest = []
        if channel.machine.isReceiving, !channel.isReceivingPaused { interest.insert(.read) }
        if channel.outgoing.isBlocked { interest.insert(.write) }
        guard interest != channel.interest else { return }
        channel.interest = interest
        reactor.watch(socket, for: interest.isEmpty ? nil : interest)
    }
}
