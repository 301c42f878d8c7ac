public import HTTPTypes

/// What a transfer tells, to the object that was given when it was started.
///
/// **Thread.** Every method is called on the transfer's loop thread, on which hundreds of other
/// transfers wait: record and return. Never block, never wait for a lock that is held for long.
/// Handing over to a queue or a task is the implementer's part. The one exception:
/// the last three words of a transfer that can't even be handed to a loop (its file is missing,
/// the transport has ended) are told on the thread that starts it.
///
/// **Order.** For each attempt: request sent, informational heads, then a proposed redirect or the
/// response head, body, trailers; then once metrics, and last, once and always, completion. Behind
/// it nothing more is told of the transfer, but that the turn in which it completed is over.
/// Progress of the request's body is told from its first byte on, and may overlap with the
/// response. After ``TransferHandle/cancel()`` nothing but metrics, completion and that turn's end
/// follows.
///
/// **Lifetime.** The transport holds the delegate until the turn in which it was told the completion
/// is over.
public protocol TransferDelegate: AnyObject, Sendable {
    /// The whole request was handed to a connection.
    func transferDidSendRequest(_ transfer: TransferHandle)

    /// So many bytes of the request's body were handed to libcurl, of so many in all (nil: unknown).
    func transfer(_ transfer: TransferHandle, didSendBodyBytes sent: Int64, of expected: Int64?)

    /// The head with which a proxy answered the request for a tunnel (`CONNECT`, RFC 9110 section
    /// 9.3.6); of each round, where credentials take several. Unless the last one's status is 2xx, the
    /// transfer fails. Told only where ``TransferOptions/reportsTunnels`` is set, before the request
    /// is sent.
    func transfer(_ transfer: TransferHandle, didReceiveTunnelHead head: ResponseHead)

    /// An informational head (1xx, RFC 9110 section 15.2) came before the response's own.
    func transfer(_ transfer: TransferHandle, didReceiveInformational head: ResponseHead)

    /// The server redirects. Asked for each redirect that the options' ``RedirectPolicy`` lets pass.
    func transfer(_ transfer: TransferHandle, willFollow redirect: Redirect) -> RedirectDecision

    /// The server presented its certificates, and the request waits for an answer. Asked only where
    /// ``TLSConfiguration/evaluatesServerTrust`` is set, once for each new chain of an origin.
    func transfer(_ transfer: TransferHandle, didReceive trust: ServerTrust) -> TrustDecision

    /// The response's head. Its body, if it has one, follows.
    func transfer(_ transfer: TransferHandle, didReceive head: ResponseHead) -> DeliveryDecision

    /// Bytes of the response's body, decoded. They are gone when the method returns.
    func transfer(_ transfer: TransferHandle, didReceiveBody bytes: Span<UInt8>) -> DeliveryDecision

    /// So many bytes of a body that libcurl decodes have come over the connection, as they are encoded:
    /// what the `Content-Length` counts. Told behind what was made of them, at the end of a turn; not
    /// at all of a body that isn't encoded. Of chunks libcurl counts some only when the next ones come.
    func transfer(_ transfer: TransferHandle, didReceiveEncodedBodyBytes received: Int64)

    /// The fields that followed the body (RFC 9110 section 6.5).
    func transfer(_ transfer: TransferHandle, didReceiveTrailers fields: HTTPFields)

    /// One turn of the loop that delivered something of this transfer is over, and the transfer is
    /// not: the moment to wake a consumer once, instead of once for each piece.
    func transferDidEndTurn(_ transfer: TransferHandle)

    /// What libcurl said about its work, without credentials. Only where
    /// ``TransferOptions/isVerbose`` is set.
    func transfer(_ transfer: TransferHandle, didLog line: TransferLogLine)

    /// How long each phase took, and over which connection; told for failures too.
    func transfer(_ transfer: TransferHandle, didFinishCollecting metrics: TransferMetrics)

    /// The transfer is over: nil for success. Told exactly once, as the last word.
    func transfer(_ transfer: TransferHandle, didCompleteWith error: TransportError?)

    /// All transfers that are over with this turn of the loop have been told so: the moment to wake
    /// who waits for this one. A thread that is woken for the first finds the others done, too.
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

    /// Follows.
    public func transfer(_ transfer: TransferHandle, willFollow redirect: Redirect)
        -> RedirectDecision
    {
        .follow
    }

    /// Goes by the verdict.
    public func transfer(_ transfer: TransferHandle, didReceive trust: ServerTrust) -> TrustDecision
    {
        .useVerdict
    }

    /// Lets the body flow.
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
    /// Tells the end of a transfer that was never begun, and for which no loop will do anything more.
    func tellRefusal(of id: TransferID, _ error: TransportError) {
        let transfer = TransferHandle(id: id, loop: nil)
        self.transfer(transfer, didFinishCollecting: TransferMetrics())
        self.transfer(transfer, didCompleteWith: error)
        transferDidCompleteTurn(transfer)
    }
}
