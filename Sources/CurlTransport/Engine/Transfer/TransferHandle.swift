/// Controls a transfer from any thread.
///
/// Every method posts a message to the transfer's loop and returns. It may be called at any time
/// and repeatedly. It has no effect after the transfer has completed.
public struct TransferHandle: Sendable {
    /// The transfer's identifier, which its delegate gets, too.
    public let id: TransferID

    /// Nil if the transport or the transfer couldn't start.
    let loop: EventLoop?

    /// Ends the transfer with ``TransportError/Code/cancelled``, in any state.
    ///
    /// It may be queued, resolving, connecting, transferring, paused or stalled.
    public func cancel() {
        loop?.post(.cancel(id))
    }

    /// Pauses the delivery of body bytes to the delegate. libcurl keeps those it has already read.
    public func pauseReceiving() {
        loop?.post(.setReceiving(id, isPaused: true))
    }

    /// Resumes the delivery of body bytes.
    public func resumeReceiving() {
        loop?.post(.setReceiving(id, isPaused: false))
    }

    /// Pauses sending the request's body.
    public func pauseSending() {
        loop?.post(.setSending(id, isPaused: true))
    }

    /// Resumes sending the request's body.
    public func resumeSending() {
        loop?.post(.setSending(id, isPaused: false))
    }

    /// Calls a waker at the end of the first turn in which nothing was ready, and after at most 16
    /// turns.
    ///
    /// Called on the transfer's loop, in ``TransferDelegate/transferDidEndTurn(_:)``.
    ///
    /// - Parameter mayPause: whether the waker can also wait until nothing has been ready for a
    ///   millisecond.
    /// - Returns: False if there is no loop.
    package func wakeWhenIdle(_ waker: any Waker, mayPause: Bool) -> Bool {
        loop?.wakeUps.appendDeferred(waker, mayPause: mayPause)
        return loop != nil
    }

    /// Decides on a redirect after the delegate has returned ``RedirectDecision/later``.
    public func answer(redirect decision: RedirectDecision) {
        loop?.post(.answerRedirect(id, decision))
    }

    /// Decides on a server's trust after the delegate has returned ``TrustDecision/later``.
    public func answer(trust decision: TrustDecision) {
        loop?.post(.answerTrust(id, decision))
    }
}
