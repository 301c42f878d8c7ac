internal import Posix

extension ServerConnection {
    func send(_ bytes: [UInt8], _ start: Int) -> Outcome? {
        var offset = start
        while offset < bytes.count {
            let outcome = write(bytes, offset, min(bytes.count - offset, 1 << 18)) {
                offset += $0
            }
            activity = .send(bytes, offset: offset)
            if let outcome { return outcome }
        }
        return nil
    }

    func sendRepeating(_ block: [UInt8], _ start: Int, _ total: Int?) -> Outcome? {
        var (offset, left) = (start, total)
        while left != 0 {
            let count = min(block.count - offset, left ?? .max)
            let outcome = write(block, offset, count) {
                offset = (offset + $0) % block.count
                left = left.map { [sent = $0] in $0 - sent }
            }
            activity = .repeat(block, offset: offset, left: left)
            if let outcome { return outcome }
        }
        return nil
    }

    /// Writes once; returns nil to continue.
    private func write(
        _ bytes: [UInt8],
        _ offset: Int,
        _ count: Int,
        _ advance: (Int) -> Void
    ) -> Outcome? {
        // The poller's report doesn't show whether the peer is slow; only a write does.
        guard budget > 0 else { return .yields }
        let sent: Int
        switch LoopbackSocket.send(descriptor, bytes.span.extracting(offset..<offset + count)) {
        case .moved(let count): sent = count
        case .ended: return .ended(.peer)
        case .wouldBlock:
            core.watched.update { $0.connections[id].isBlocked = true }
            return .wants(.writable)
        }
        budget -= sent
        advance(sent)
        core.watched.update { state in
            state.connections[id].bytesSent += sent
            state.connections[id].isBlocked = false
        }
        return nil
    }
}
