public import HTTPTypes

/// Receives the events of a transfer. It is passed when the transfer is started.
///
/// **Thread.** Every method is called on the transfer's loop thread, which hundreds of other
/// transfers share: store the values and return. Never block, and never wait for a lock that is
/// held for long. To continue elsewhere, the implementation dispatches to a queue or task itself.
/// There is one exception: the last three calls for a transfer that can't be passed to a loop (its
/// file is missing, the transport is shut down) are made on the thread that starts it.
///
/// **Order.** For each attempt: request sent, informational heads, then a proposed redirect or the
/// response head, body, trailers. Then once metrics and, exactly once, completion. The only later
/// call is the one for the end of the turn with the completion. The progress of the request's body
/// is reported from its first byte on, and may overlap with the response. After
/// ``TransferHandle/cancel()``, only metrics, completion and the end of that turn follow.
///
/// **Lifetime.** The transport retains the delegate until the end of the turn with the completion.
public protocol TransferDelegate: AnyObject, Sendable {
    /// The whole request was passed to a connection.
    func transferDidSendRequest(_ transfer: TransferHandle)

    /// `sent` bytes of the request's body were passed to libcurl; `expected` is nil if unknown.
    func transfer(_ transfer: TransferHandle, didSendBodyBytes sent: Int64, of expected: Int64?)

    /// A proxy responded to a request for a tunnel (`CONNECT`).
    ///
    /// Source: RFC 9110, section 9.3.6. Called before the request is sent, and only if
    /// ``TransferOptions/reportsTunnels`` is set. Called for each round if credentials need
    /// several. If the status of the last one isn't 2xx, the transfer fails.
    func transfer(_ transfer: TransferHandle, didReceiveTunnelHead head: ResponseHead)

    /// An informational head (1xx) was received before the final one.
    ///
    /// Source: RFC 9110, section 15.2.
    func transfer(_ transfer: TransferHandle, didReceiveInformational head: ResponseHead)

    /// Decides whether to follow a redirect that the options' ``RedirectPolicy`` allows.
    func transfer(_ transfer: TransferHandle, willFollow redirect: Redirect) -> RedirectDecision

    /// Decides whether to trust the server's certificates, before the request is sent.
    ///
    /// Called for each new connection, only if ``TLSConfiguration/evaluatesServerTrust`` is set.
    func transfer(_ transfer: TransferHandle, didReceive trust: ServerTrust) -> TrustDecision

    /// The response's head was received. The body follows, if there is one.
    func transfer(_ transfer: TransferHandle, didReceive head: ResponseHead) -> DeliveryDecision

    /// Decoded bytes of the response's body were received. They are valid only during the call.
    func transfer(_ transfer: TransferHandle, didReceiveBody bytes: Span<UInt8>) -> DeliveryDecision

    /// Encoded bytes of a decoded body were processed.
    ///
    /// `received` is their total, as counted by `Content-Length`. Called before the resulting bytes
    /// are delivered, or at the end of a turn if there are none. Never called for a body that isn't
    /// decoded.
    func transfer(_ transfer: TransferHandle, didReceiveEncodedBodyBytes received: Int64)

    /// Trailer fields were received after the body (RFC 9110, section 6.5).
    func transfer(_ transfer: TransferHandle, didReceiveTrailers fields: HTTPFields)

    /// The body waits for memory to decode it, or no longer does.
    ///
    /// Called only with ``TransportConfiguration/maximumDecoderMemory``. A body that waits isn't
    /// idle, but its total timeout runs.
    func transfer(_ transfer: TransferHandle, didChangeWaitForMemory isWaiting: Bool)

    /// A loop turn with calls for this transfer has ended.
    ///
    /// The transfer continues. Use it to wake a consumer once for each turn, instead of once for
    /// each piece.
    func transferDidEndTurn(_ transfer: TransferHandle)

    /// libcurl logged a line, without credentials. Only if ``TransferOptions/isVerbose`` is set.
    func transfer(_ transfer: TransferHandle, didLog line: TransferLogLine)

    /// The metrics are available: phase durations and connection. Called for failures, too.
    func transfer(_ transfer: TransferHandle, didFinishCollecting metrics: TransferMetrics)

    /// The transfer has completed; `error` is nil on success.
    ///
    /// Called exactly once. Only ``transferDidCompleteTurn(_:)`` follows.
    func transfer(_ transfer: TransferHandle, didCompleteWith error: TransportError?)

    /// All transfers that completed in this turn of the loop were notified.
    ///
    /// Use it to wake threads that wait for this transfer. They then find the others completed,
    /// too.
    func transferDidCompleteTurn(_ transfer: TransferHandle)
}

extension TransferDelegate {
    /// Does nothing.
    public func transferDidSendRequest(_ transfer: TransferHandle) {}

    /// Does nothing.
    public func transfer(
        _ transfer: TransferHandle,
        didSendBodyBytes sent: Int64,
        of expected: Int64?
    ) {}

    /// Does nothing.
    public func transfer(_ transfer: TransferHandle, didReceiveTunnelHead head: ResponseHead) {}

    /// Does nothing.
    public func transfer(_ transfer: TransferHandle, didReceiveInformational head: ResponseHead) {}

    /// Follows the redirect.
    public func transfer(_ transfer: TransferHandle, willFollow redirect: Redirect)
        -> RedirectDecision
    {
        .follow
    }

    /// Uses the result of the verification.
    public func transfer(_ transfer: TransferHandle, didReceive trust: ServerTrust) -> TrustDecision
    {
        .performDefaultHandling
    }

    /// Continues with the body.
    public func transfer(_ transfer: TransferHandle, didReceive head: ResponseHead)
        -> DeliveryDecision
    {
        .proceed
    }

    /// Does nothing.
    public func transfer(_ transfer: TransferHandle, didReceiveEncodedBodyBytes received: Int64) {}

    /// Does nothing.
    public func transfer(_ transfer: TransferHandle, didReceiveTrailers fields: HTTPFields) {}

    /// Does nothing.
    public func transfer(_ transfer: TransferHandle, didChangeWaitForMemory isWaiting: Bool) {}

    /// Does nothing.
    public func transferDidEndTurn(_ transfer: TransferHandle) {}

    /// Does nothing.
    public func transferDidCompleteTurn(_ transfer: TransferHandle) {}

    /// Does nothing.
    public func transfer(_ transfer: TransferHandle, didLog line: TransferLogLine) {}

    /// Does nothing.
    public func transfer(_ transfer: TransferHandle, didFinishCollecting metrics: TransferMetrics) {
    }
}

extension TransferDelegate {
    /// Reports the failure of a transfer that never started and has no loop.
    func reportRefusal(of id: TransferID, _ error: TransportError) {
        let transfer = TransferHandle(id: id, loop: nil)
        let metrics = TransferMetrics()
        self.transfer(transfer, didFinishCollecting: metrics)
        self.transfer(transfer, didCompleteWith: error.ending(id, metrics))
        transferDidCompleteTurn(transfer)
    }
}

/// A delegate's answer to a delivered part: whether to continue.
public enum DeliveryDecision: Sendable {
    /// Continue.
    case proceed

    /// Keep the delivered part, but deliver no more before ``TransferHandle/resumeReceiving()``.
    case pause

    /// Cancel the transfer, which fails with ``TransportError/Code/cancelled``.
    case cancel
}

/// A delegate's answer to a proposed redirect.
public enum RedirectDecision: Sendable {
    /// Send the proposed request.
    case follow

    /// Send this request instead. Its scheme must be `http` or `https`.
    case followChanged(HTTPRequest)

    /// Deliver the redirect itself as the response, including its body.
    case refuse

    /// Decide later through ``TransferHandle/answer(redirect:)``.
    ///
    /// The transfer waits, and its total timeout continues to run.
    case later
}

/// A delegate's decision on a server's certificates.
public enum TrustDecision: Sendable, Hashable {
    /// Use the result of the verification with the configured CA certificates.
    case performDefaultHandling

    /// Send the request, even if the verification failed.
    case accept

    /// Don't send the request: the transfer fails with ``TransportError/Code/trustRefused``.
    case reject

    /// Decide later through ``TransferHandle/answer(trust:)``.
    case later
}
