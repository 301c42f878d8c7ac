internal import Curl

// Connections for bytes: the bytes.

extension Driver {
    /// What is received at once, at most.
    static let channelMemorySize = 64 * 1024

    /// What is handed to libcurl at once, at most. A TLS connection tells how far it is only when all of
    /// it is gone.
    private static let sendSize = 64 * 1024

    /// The socket of a channel is ready.
    func work(on channel: ByteChannel, ready: SocketInterest) {
        if ready.contains(.write) || channel.isSendingBlocked { send(channel) }
        if ready.contains(.read) { receive(channel) }
    }

    func touch(_ channel: ByteChannel) {
        guard !channel.isTouched else { return }
        channel.isTouched = true
        touchedChannels.append(channel)
    }

    // MARK: Receiving

    /// Hands the delegate what has come, within bounds.
    func receive(_ channel: ByteChannel) {
        guard channel.machine.isReceiving, !channel.isReceivingPaused, let hop = channel.hop else {
            return
        }
        var memory: [UInt8] = []
        swap(&memory, &channelMemory)
        if memory.isEmpty { memory = [UInt8](repeating: 0, count: Self.channelMemorySize) }
        var share = Self.socketShare
        while channel.machine.isReceiving, !channel.isReceivingPaused, !isCancelled(channel) {
            guard share > 0 else {
                hold(channel)
                break
            }
            let (code, count) = hop.easy.handle.receive(into: &memory)
            if code == .again { break }
            guard code == .ok else {
                receivingFailed(channel, hop, code)
                break
            }
            guard count > 0 else {
                let isDrained = channel.isDrained
                carryOut(channel.machine.peerEnded(isDrained: isDrained), for: channel)
                break
            }
            share -= count
            deliver(memory.span.extracting(0..<count), to: channel)
        }
        swap(&memory, &channelMemory)
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
            // Who waits for the peer's end takes what comes before it.
            channel.isReceivingPaused = channel.closing == nil
        case .cancel:
            stop(channel, with: .cancelled)
        }
    }

    private func receivingFailed(_ channel: ByteChannel, _ hop: Hop, _ code: CurlCode) {
        let isOver = channel.machine.isClosing && channel.isDrained
        stop(channel, with: isOver ? nil : channel.error(after: hop, code: code))
    }

    /// Lets `channel` go on in the next turn.
    func hold(_ channel: ByteChannel) {
        guard !channel.isHeld else { return }
        channel.isHeld = true
        heldChannels.append(channel)
    }

    func goOnWithHeldChannels() {
        let channels = heldChannels
        heldChannels.removeAll()
        for channel in channels {
            channel.isHeld = false
            if channel.socket == nil, channel.machine.state == .open, let hop = channel.hop {
                // Its socket was closed behind its back.
                stop(channel, with: channel.error(after: hop, code: .recvError))
            } else {
                receive(channel)
            }
        }
    }

    // MARK: Sending

    /// Fetches what there is to send, and sends what goes.
    func takeOutgoing(of channel: ByteChannel) {
        guard channel.machine.state == .open else { return }
        for piece in channel.connection.takeOutgoing() { channel.outgoing.append(piece) }
        if !channel.isSendingBlocked { send(channel) }
    }

    private func send(_ channel: ByteChannel) {
        guard channel.machine.state == .open, let hop = channel.hop, !channel.isDrained else {
            return
        }
        channel.isSendingBlocked = false
        while let piece = channel.outgoing.first {
            let end = min(piece.count, channel.offset + Self.sendSize)
            let bytes = piece.span.extracting(channel.offset..<end)
            let (code, count) = hop.easy.handle.send(bytes)
            guard code != .again else {
                channel.isSendingBlocked = true
                break
            }
            guard code == .ok else { return sendingFailed(channel, hop, code) }
            sent(count, of: piece.count, on: channel)
        }
        if channel.isDrained { carryOut(channel.machine.drained(), for: channel) }
        watch(channel)
    }

    private func sent(_ count: Int, of size: Int, on channel: ByteChannel) {
        channel.offset += count
        if channel.offset == size {
            channel.outgoing.removeFirst()
            channel.offset = 0
        }
        channel.bytesSent += Int64(count)
        channel.connection.didSend(count)
        channel.lastActivity = now
        touch(channel)
    }

    /// A peer that has closed may have said why before.
    private func sendingFailed(_ channel: ByteChannel, _ hop: Hop, _ code: CurlCode) {
        let error = channel.error(after: hop, code: code)
        receive(channel)
        stop(channel, with: error)
    }

    // MARK: Watching

    /// Has the socket watched for what the channel waits for.
    func watch(_ channel: ByteChannel) {
        guard let socket = channel.socket else { return }
        var interest: SocketInterest = []
        if channel.machine.isReceiving, !channel.isReceivingPaused { interest.insert(.read) }
        if channel.isSendingBlocked { interest.insert(.write) }
        guard interest != channel.interest else { return }
        channel.interest = interest
        reactor.watch(socket, for: interest.isEmpty ? nil : interest)
    }
}
