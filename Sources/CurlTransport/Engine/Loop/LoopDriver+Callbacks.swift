internal import Curl
internal import Posix

// Callbacks of the multi handle, called while libcurl works.

extension LoopDriver: MultiCallbacks {
    func watch(_ descriptor: Int32, for interest: SocketInterest?) {
        reactor.watch(descriptor, for: interest)
    }

    func setTimer(milliseconds: Int?) {
        // Zero is by far the most frequent value, and needs no clock.
        deadlines.curl = milliseconds.map { milliseconds in
            milliseconds == 0
                ? now : MonotonicTime.now.advanced(byNanoseconds: Int64(milliseconds) * 1_000_000)
        }
    }

    func closeSocket(_ descriptor: Int32) {
        channelClosed(descriptor)
        sockets.closed(descriptor)
        streamEnds.connectionClosed(descriptor)
        reactor.closeSocket(descriptor)
    }
}

// The number of queued transfers and its limit.

extension LoopDriver {
    /// Whether more transfers are queued than allowed, after starting all that can start.
    func isQueueExceeded() -> Bool {
        guard limits.announceQueue(of: scheduler.waitingCount) else { return false }
        admit()
        return limits.announceQueue(of: scheduler.waitingCount)
    }
}
