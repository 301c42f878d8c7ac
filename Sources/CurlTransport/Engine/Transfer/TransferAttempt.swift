internal import Curl
internal import HTTPTypes
internal import Posix

/// One attempt to send a request: an easy handle in the multi handle, and its state.
///
/// A redirect, or a retry after a trust decision, is another attempt of the same transfer.
final class TransferAttempt {
    let easy: PooledEasyHandle
    let endpoint: Endpoint
    let started: MonotonicTime
    var connection: AttemptConnection
    var sending = RequestProgress()
    var response = AttemptResponse()
    var decoding = BodyDecoding()
    var memory = DecoderShare()
    var stream = TracedStream()
    /// Which directions libcurl was paused in, before reading more or requesting more to send.
    var heldBack = PausedDirections()
    /// How much of the body was delivered in this turn of the loop.
    var turnBytes = 0

    init(
        easy: PooledEasyHandle,
        endpoint: Endpoint,
        started: MonotonicTime,
        performsLookup: Bool,
        place: ShardPlace? = nil
    ) {
        self.easy = easy
        self.endpoint = endpoint
        self.started = started
        connection = AttemptConnection(performsLookup: performsLookup, place: place)
    }
}

/// The progress of sending the request of one attempt.
struct RequestProgress {
    var isComplete = false
    /// Whether the delegate was notified that the request was sent.
    var isReported = false
    /// Whether libcurl reported that the server didn't process the request.
    ///
    /// Such a request is sent again.
    var isUnprocessed = false
    /// Whether the last logged piece of the request head ended within a line.
    private var isLoggedLineOpen = false
    private var upload = UploadProgress()

    /// Returns whether `upload` differs from the progress at the last check of a timeout.
    mutating func advances(to upload: UploadProgress) -> Bool {
        defer { self.upload = upload }
        return upload != self.upload
    }

    /// Records a piece of the request head for the log. Returns whether it begins within a line.
    mutating func continuesLine(_ piece: Span<UInt8>) -> Bool {
        defer { isLoggedLineOpen = piece[piece.count - 1] != UInt8(ascii: "\n") }
        return isLoggedLineOpen
    }
}

/// The progress of a request's body. Equal values mean that no byte was sent in between.
struct UploadProgress: Equatable {
    /// The bytes that libcurl has passed to the kernel.
    var handedToKernel: Int64 = 0
    /// The bytes in the kernel's buffer that the peer has not acknowledged.
    var unsent = 0
}

/// The directions of a transfer that are paused.
struct PausedDirections {
    var receiving = false
    var sending = false

    /// Pauses receiving, too, if `receiving` is true.
    func adding(receiving: Bool) -> PausedDirections {
        PausedDirections(receiving: self.receiving || receiving, sending: sending)
    }

    /// Resumes the directions that `required` doesn't pause. Returns whether there were any.
    mutating func resume(except required: PausedDirections) -> Bool {
        let resumesReceiving = receiving && !required.receiving
        let resumesSending = sending && !required.sending
        if resumesReceiving { receiving = false }
        if resumesSending { sending = false }
        return resumesReceiving || resumesSending
    }
}

/// The connection of one attempt: its name lookup, its sockets, and its TLS session.
struct AttemptConnection {
    /// Whether the attempt has a place for a name lookup, which hasn't succeeded yet.
    private(set) var performsLookup: Bool

    /// When the connection was established for the first time, and sending began.
    private(set) var sendingStarted: MonotonicTime?

    /// Whether the connection is established. False while libcurl replaces a dead reused one.
    private(set) var isEstablished = false

    /// Whether the response has arrived as one of several streams of the connection.
    var isMultiplexed = false

    var tls: TLSInfo?

    /// The addresses that libcurl wasn't allowed to connect to.
    var refusals = AddressRefusals()

    /// The sockets that libcurl has opened for the attempt.
    private(set) var newSockets: [ConnectionSocket] = []

    /// The socket of the current or last connection, which may be a reused one.
    private(set) var socket: ConnectionSocket?

    /// The attempt's place in a shard; nil if its origin's connections aren't counted.
    private var place: ShardPlace?

    /// Parses the heads of the proxy's responses to `CONNECT`, if libcurl delivers them.
    private var tunnelHeads: TunnelHeads?

    /// Whether a proxy's tunnel head is arriving.
    var isReadingTunnelHead: Bool { tunnelHeads != nil && !isEstablished }

    init(performsLookup: Bool, place: ShardPlace?) {
        self.performsLookup = performsLookup
        self.place = place
    }

    /// The shard of the attempt.
    var shard: Int { place?.shard ?? 0 }

    /// Parses a line of the proxy's response to `CONNECT`. Returns the head that it completes.
    mutating func receive(
        tunnelLine line: Span<UInt8>,
        limits: ResponseHeadLimits
    ) throws(TransportError) -> ResponseHead? {
        let heads = tunnelHeads ?? TunnelHeads(limits: limits)
        tunnelHeads = heads
        return try heads.receive(line)
    }

    /// Ends the name lookup. Returns false if there is none.
    mutating func lookupEnded() -> Bool {
        guard performsLookup else { return false }
        performsLookup = false
        return true
    }

    /// Records a socket that libcurl has opened.
    mutating func opened(_ socket: ConnectionSocket) {
        newSockets.append(socket)
        place?.chose()
        isEstablished = false
    }

    /// Records that libcurl is about to send the request.
    mutating func established(at now: MonotonicTime) {
        isEstablished = true
        refusals.connected()
        if sendingStarted == nil { sendingStarted = now }
    }

    /// Changes the socket, and the number of attempts that use either one.
    mutating func use(_ socket: ConnectionSocket?) {
        guard self.socket !== socket else { return }
        place?.chose()
        self.socket?.removeUser()
        self.socket = socket
        socket?.addUser()
    }

    /// Leaves the connection at the end of the attempt.
    ///
    /// - Parameter closesConnection: Whether libcurl closes it, unless another attempt uses it.
    mutating func leave(closesConnection: Bool) {
        socket?.removeUser(closesConnection: closesConnection)
        socket = nil
        place?.leave()
        place = nil
    }
}

// Decides when a request may use a reused connection, and when it may be retried.

extension Transfer {
    /// The connection for a request that libcurl is about to send.
    enum Sending {
        /// The connection that libcurl has chosen.
        case here
        case overNewConnection
        case never(TransportError)
    }

    /// Decides whether libcurl may send the request on the connection between `ends`.
    ///
    /// - Parameter resending: The result of ``resending(of:)``.
    func sending(
        of attempt: TransferAttempt,
        between ends: ConnectionEnds,
        after resending: Sending
    ) -> Sending {
        guard case .here = resending else { return resending }
        if attempt.connection.socket?.isRetired == true || mayHideBytes(attempt, between: ends) {
            return .overNewConnection
        }
        guard !isClean(attempt, between: ends) else { return .here }
        guard retries.noteUnsolicitedBytes() else {
            return .never(
                .invalidResponse(
                    "the server sends unsolicited bytes after each response",
                    url: redactedURL
                )
            )
        }
        return .overNewConnection
    }

    // MARK: Before the request is sent

    /// Whether the connection between `ends` has no unread bytes.
    ///
    /// They would look like the response. Bytes after the end of a response belong to no request
    /// (RFC 9112, section 6.3). libcurl before 8.0 treats them as the response to the next request.
    /// Later versions check, but earlier than this. With TLS, the bytes may be a session ticket.
    /// That isn't distinguished, because a new connection is cheap compared to the response of
    /// another request. New connections aren't checked, nor multiplexed ones, whose streams are
    /// separate.
    private func isClean(_ attempt: TransferAttempt, between ends: ConnectionEnds) -> Bool {
        guard let socket = attempt.connection.socket else {
            // All unix sockets have the same ends.
            return ends.localPort > 0
                || !driver.sockets.hasInputOnIdleConnection { driver.reactor.isWatched($0) }
        }
        guard socket.hasServed else {
            socket.hasServed = true
            return true
        }
        guard socket.isExclusive else { return true }
        let isSecure = attempt.endpoint.isSecure
        let usesTLS = isSecure || plan.options.usesTLSProxy(between: ends, isSecure: isSecure)
        return !SocketInput.isWaiting(on: socket.descriptor)
            && !(usesTLS && attempt.easy.handle.hasUnreadTLSBytes)
    }

    /// Whether the used connection may have unread bytes that can't be detected.
    ///
    /// To an `https` server behind a proxy with TLS of its own, there are two layers of TLS. The
    /// outer one may buffer bytes, but libcurl gives access to the inner one only. So a connection
    /// serves only the attempt that has opened it, unless it multiplexes. This attempt may send
    /// several requests, to answer challenges.
    private func mayHideBytes(
        _ attempt: TransferAttempt,
        between ends: ConnectionEnds
    ) -> Bool {
        guard attempt.endpoint.isSecure, let socket = attempt.connection.socket,
            plan.options.usesTLSProxy(between: ends, isSecure: true)
        else { return false }
        return socket.hasServed && socket.isExclusive
            && !attempt.connection.newSockets.contains { $0 === socket }
    }

    /// Whether the attempt's connection multiplexes several transfers.
    ///
    /// The version in the head alone doesn't say so: a server may write any into a response of
    /// HTTP/1, and libcurl accepts it.
    func isMultiplexed(_ attempt: TransferAttempt, _ head: ResponseHead) -> Bool {
        guard head.isMultiplexed else { return false }
        if attempt.connection.socket?.isMultiplexed == true { return true }
        // libcurl ignores it where a proxy is asked for whole URLs.
        let hasPriorKnowledge =
            options.httpVersion == .http2PriorKnowledge
            && (endpoint.isSecure || !plan.options.asksProxyForURLs)
        guard endpoint.isSecure else { return hasPriorKnowledge }
        return switch attempt.easy.handle.agreedProtocol {
        case .http1: false
        case .noProtocol: hasPriorKnowledge
        case .other, .unknown: mayUseHTTP2 || mayUseHTTP3
        }
    }

    // MARK: Retries

    /// Decides on a request that libcurl sends for the first time, or again.
    ///
    /// libcurl sends it again with credentials in answer to a challenge, or because the connection
    /// was lost.
    func resending(of attempt: TransferAttempt) -> Sending {
        guard attempt.connection.sendingStarted != nil else { return .here }
        if attempt.response.answerChallenge() { return .here }
        // libcurl counts repeated requests for the handle, not for each transfer.
        attempt.easy.setup = nil
        guard mayResend || attempt.sending.isUnprocessed else { return .never(.unanswered) }
        // libcurl itself retries and counts only streams that the server hasn't processed.
        guard !isMultiplexed, !attempt.sending.isUnprocessed else {
            // A further repetition needs another report: the server may act on this one.
            attempt.sending.isUnprocessed = false
            return .here
        }
        guard retries.lossCount < RequestRetries.maximumLosses else { return .never(.unanswered) }
        return retries.connectionLost() == .anyConnection ? .here : .overNewConnection
    }

    /// Whether the request may be retried though the server may have acted on it.
    var mayResend: Bool {
        switch options.retriesOnReusedConnectionLoss {
        case .never: false
        case .idempotent: isIdempotent
        case .always: plan.idempotency != .no
        }
    }

    private var isIdempotent: Bool { plan.idempotency.allowsRepeating(request) }

    /// Whether libcurl's log is needed to detect streams that the server refused unprocessed.
    var asksForRefusals: Bool {
        options.retriesOnReusedConnectionLoss == .idempotent && !isIdempotent
            && endpoint.isSecure && plan.options.offersHTTP2
    }

    /// Detects in libcurl's log that the server hasn't processed the request.
    ///
    /// The server refused the stream (RFC 9113, section 8.7), or requires HTTP/1.1 instead.
    func noteUnprocessed(_ line: Span<UInt8>) {
        guard StreamTrace.isRefusal(line), let attempt, attempt.connection.sendingStarted != nil,
            asksForRefusals
        else { return }
        attempt.sending.isUnprocessed = true
    }

    /// Whether a failed attempt is retried because its connection was lost.
    ///
    /// The connection must have been used before, or speak HTTP/2, and must have been lost before
    /// the first byte of the response. libcurl itself retries if it detects the end of the
    /// connection, but not for each kind of end, and at most five times. A stream that the server
    /// has reset isn't retried here: its connection still works, and five more requests would
    /// burden an overloaded server. libcurl does retry refused streams that weren't processed.
    func repeatsForLoss(of attempt: TransferAttempt, code: CurlCode) -> Bool {
        guard failure == nil, mayResend, attempt.connection.sendingStarted != nil,
            retries.lossCount < maximumLosses(of: attempt, after: code),
            !attempt.response.hasBegun, !parser.hasBegun, attempt.response.bodyBytes == 0,
            body?.rewind() ?? true
        else { return false }
        retries.repetition = retries.connectionLost()
        return true
    }

    private func maximumLosses(of attempt: TransferAttempt, after code: CurlCode) -> UInt8 {
        // Without a head, only HTTP/2 returns these codes.
        let isHTTP2 = code == .http2 || code == .partialFile
        guard isHTTP2 || code == .gotNothing || code == .sendError || code == .recvError else {
            return 0
        }
        if attempt.usesServedConnection || isMultiplexed { return RequestRetries.maximumLosses }
        // A server that shuts down also closes HTTP/2 connections that it has just accepted.
        return isHTTP2 ? 1 : 0
    }

    private var isMultiplexed: Bool {
        guard let origin else { return false }
        return driver.scheduler.knownVersion(of: origin) == .multiplexed
    }
}

extension TransferAttempt {
    fileprivate var usesServedConnection: Bool { easy.handle.get(.numConnects) == 0 }
}
