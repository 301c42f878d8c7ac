/// What the one who started a transfer holds, to steer it.
///
/// Every method may be called on any thread, at any moment, any number of times; it posts a message
/// to the transfer's loop and returns. Nothing happens once the transfer has completed.
public struct TransferHandle: Sendable {
    /// The transfer's name, as its delegate is told it.
    public let id: TransferID

    /// Nil where the transport, or the transfer, could not start.
    let loop: EventLoop?

    /// Ends the transfer with ``TransportError/Code/cancelled``, whatever it is doing: waiting for
    /// a place, resolving, connecting, transferring, paused or stalled.
    public func cancel() {
        loop?.post(.cancel(id))
    }

    /// Stops the flow of body bytes to the delegate. What libcurl has read by then is kept.
    public func pauseReceiving() {
        loop?.post(.setReceiving(id, isPaused: true))
    }

    /// Lets body bytes flow again.
    public func resumeReceiving() {
        loop?.post(.setReceiving(id, isPaused: false))
    }

    /// Stops the sending of the request's body.
    public func pauseSending() {
        loop?.post(.setSending(id, isPaused: true))
    }

    /// Lets the request's body be sent again.
    public func resumeSending() {
        loop?.post(.setSending(id, isPaused: false))
    }

    /// Answers a redirect to which the delegate had said ``RedirectDecision/later``.
    public func answer(redirect decision: RedirectDecision) {
        loop?.post(.answerRedirect(id, decision))
    }

    /// Answers a server's trust to which the delegate had said ``TrustDecision/later``.
    public func answer(trust decision: TrustDecision) {
        loop?.post(.answerTrust(id, decision))
    }
}
