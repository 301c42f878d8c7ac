/// What libcurl asks and tells while it works on one easy handle.
///
/// Everything is called on the thread that drives the handle, from inside libcurl: an
/// implementation records and returns. It may not call into the multi handle.
package protocol EasyCallbacks: AnyObject {
    /// One line of a response head or trailer section, its line end included.
    func received(headerLine: Span<UInt8>) -> EasyDataAction

    /// Bytes of the response's body, decoded.
    func received(body: Span<UInt8>) -> EasyDataAction

    /// Room for bytes of the request's body.
    func fill(_ output: inout OutputSpan<UInt8>) -> EasyFillAction

    /// The request's body is wanted from `offset` on again.
    func seekRequestBody(to offset: Int64) -> EasySeekAction

    /// A connection is there and the request is about to be sent on it. False ends the transfer
    /// with `CURLE_ABORTED_BY_CALLBACK`.
    func readyToSend() -> Bool

    /// A socket was opened for this transfer; names are resolved by now.
    func openedSocket(_ descriptor: Int32)

    /// What libcurl says about its work, only where ``EasyOption/verbose`` is set.
    func said(_ kind: EasyLogKind, _ bytes: Span<UInt8>)
}

package enum EasyDataAction {
    case accept
    /// Keep these bytes and hand them out again when the transfer goes on.
    case pause
    /// End the transfer with `CURLE_WRITE_ERROR`.
    case abort
}

package enum EasyFillAction {
    /// The bytes that were appended; at least one.
    case bytes
    case endOfBody
    /// No bytes for now.
    case pause
    /// End the transfer with `CURLE_ABORTED_BY_CALLBACK`.
    case abort
}

package enum EasySeekAction {
    case done
    /// libcurl will try another way, and end with `CURLE_SEND_FAIL_REWIND` if there is none.
    case impossible
}

package enum EasyLogKind {
    case text
    case headerReceived
    case headerSent
    case bodyReceived
    case bodySent
    case tlsReceived
    case tlsSent
}
