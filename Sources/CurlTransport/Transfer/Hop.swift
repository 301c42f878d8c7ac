internal import Curl

/// One attempt at one request: an easy handle in the multi handle, and what is known of it.
///
/// A redirect, or a retry for the sake of trust, is another hop of the same transfer.
final class Hop {
    let easy: EasyBox
    let endpoint: Endpoint
    let started: MonotonicTime
    var performsLookup: Bool
    /// The connection is there, and the request goes out.
    var sendingStarted: MonotonicTime?
    /// The same, but not while libcurl connects once more, because a kept connection was dead.
    var isConnected = false
    /// What a proxy says before that, where somebody wants to know.
    var tunnelHeads: TunnelHeads?
    var hasSentRequest = false
    var hasToldRequestSent = false
    /// libcurl was told to wait before it reads on, or before it asks for more to send.
    var isReceivingHeldBack = false
    var isSendingHeldBack = false
    /// A head that counts only if libcurl doesn't answer it by itself with credentials.
    var provisionalHead: ResponseHead?
    var hasHead = false
    /// The response is an error, after which no more of the request is sent.
    var isRefused = false
    var contentLength: Int64?
    /// libcurl decodes the body.
    var isDecoded = false
    /// How far that may go.
    var expansionLimit: ExpansionLimit?
    /// The response has a body, whose length can be compared with the one announced.
    var hasBody = false
    var bodyBytes: Int64 = 0
    /// How much the delegate was told last to have come of a body that is decoded.
    var encodedBytesToldOf: Int64 = 0
    /// How much of the body was delivered in this turn of the loop.
    var turnBytes = 0
    var tls: TLSInfo?
    /// Kept only for those who ask about trust.
    var openedSockets: Set<Int32> = []
    /// The last piece of the request's head that libcurl told of ended within a line.
    var isSentLineOpen = false
    /// How far the request's body had come when a time limit was last looked at.
    var uploadProgress = UploadProgress()

    init(
        easy: EasyBox,
        endpoint: Endpoint,
        started: MonotonicTime,
        performsLookup: Bool
    ) {
        self.easy = easy
        self.endpoint = endpoint
        self.started = started
        self.performsLookup = performsLookup
    }
}

extension Hop {
    /// How much the body may have expanded by now; nil unless it has expanded further.
    var exceededLimit: ExpansionLimit? {
        guard let expansionLimit, bodyBytes > expansionLimit.bytes,
            let counted = easy.handle.get(.sizeDownload)
        else { return nil }
        // Of chunks libcurl counts a buffer's content when it is done with it.
        let received = counted + Int64(contentLength == nil ? easy.bufferSize : 0)
        guard expansionLimit.isExceeded(by: bodyBytes, from: received) else { return nil }
        return expansionLimit
    }

    /// Both ends of the connection, which name it among those that are open.
    var connectionName: String {
        func end(_ address: String?, _ port: Int?) -> String { "\(address ?? "") \(port ?? 0)" }
        return end(easy.handle.get(.localIP), easy.handle.get(.localPort)) + " "
            + end(easy.handle.get(.primaryIP), easy.handle.get(.primaryPort))
    }
}
