package import Posix

/// The callbacks of one easy handle.
///
/// libcurl calls them on the thread that drives the handle: an implementation stores the values and
/// returns. It must not use the multi handle.
package protocol EasyCallbacks: AnyObject {
    /// Handles one line of a response head or trailer section, including its line end.
    func received(headerLine: Span<UInt8>) -> EasyDataAction

    /// Handles bytes of the response's body, decoded.
    func received(body: Span<UInt8>) -> EasyDataAction

    /// Appends bytes of the request's body to `output`.
    func fill(_ output: inout OutputSpan<UInt8>) -> EasyFillAction

    /// Rewinds the request's body to `offset`.
    func seekRequestBody(to offset: Int64) -> EasySeekAction

    /// Called before the request is sent on the connection between `ends`.
    ///
    /// False ends the transfer with `CURLE_ABORTED_BY_CALLBACK`.
    func readyToSend(between ends: ConnectionEnds) -> Bool

    /// Called before a socket is opened to `address`, which is nil for a unix socket.
    ///
    /// Names are resolved then, and the socket is connected to this very address. False ends the
    /// transfer with `CURLE_COULDNT_CONNECT`, unless libcurl may open one for another address.
    func mayOpenSocket(to address: IPAddress?) -> Bool

    /// Called after a socket was opened for this transfer; names are resolved then.
    func openedSocket(_ descriptor: Int32)

    /// Handles libcurl's log. Only called if ``EasyOption/verbose`` is set.
    func logged(_ kind: EasyLogKind, _ bytes: Span<UInt8>)
}

extension EasyCallbacks {
    /// Allows every socket.
    package func mayOpenSocket(to address: IPAddress?) -> Bool { true }
}

package enum EasyDataAction {
    case accept
    /// Keep these bytes and deliver them again when the transfer is resumed.
    case pause
    /// End the transfer with `CURLE_WRITE_ERROR`.
    case abort
}

package enum EasyFillAction {
    /// The bytes that were appended; at least one.
    case bytes
    case endOfBody
    /// No bytes yet.
    case pause
    /// End the transfer with `CURLE_ABORTED_BY_CALLBACK`.
    case abort
}

package enum EasySeekAction {
    case done
    /// libcurl tries another way, and fails with `CURLE_SEND_FAIL_REWIND` if there is none.
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
