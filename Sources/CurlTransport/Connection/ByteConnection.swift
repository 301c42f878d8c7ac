internal import Curl
internal import Synchronization

/// A connection that carries bytes in both directions, without HTTP: libcurl finds the host, goes
/// through proxies and makes TLS, and what is spoken then is up to who uses it.
///
/// Every method may be called on any thread, at any moment, any number of times; none of them waits.
/// What becomes of it is told to the ``ByteConnectionDelegate``. The connection lives until it is
/// closed or cancelled, or fails, however many hold it.
///
/// A transport's limits hold while the connection is being made. Once it is open it takes no place of
/// those that requests wait for.
public final class ByteConnection: Sendable {
    /// What became of bytes that were to be sent.
    public enum SendResult: Sendable, Hashable {
        /// They will be sent, behind what was accepted before.
        case accepted
        /// There is no room for them. ``ByteConnectionDelegate/connection(_:didSend:)`` tells when
        /// there is.
        case full
        /// Nothing can be sent any more.
        case closed
    }

    /// The connection's name, unique in the process among connections and transfers.
    public let id: TransferID

    /// Nil where the transport could not start.
    private let loop: EventLoop?
    private let outbox: Mutex<ByteOutbox>

    init(id: TransferID, loop: EventLoop?, sendBufferSize: Int) {
        self.id = id
        self.loop = loop
        outbox = Mutex(ByteOutbox(capacity: sendBufferSize))
    }

    // MARK: Sending

    /// Sends `bytes` behind what was sent before; before the connection is open they wait for it.
    public func send(_ bytes: [UInt8]) -> SendResult {
        switch outbox.withLock({ $0.append(bytes) }) {
        case .accepted(let tellsLoop):
            if tellsLoop { loop?.post(.connection(id, .send)) }
            return .accepted
        case .full: return .full
        case .closed: return .closed
        }
    }

    /// The bytes that were accepted and have not been handed to the system yet.
    public var waitingBytes: Int { outbox.withLock { $0.waitingBytes } }

    /// Ends the sending side: the peer is told so once all bytes are sent, and bytes can still come
    /// from it. The connection completes when the peer has ended its side as well.
    ///
    /// Over TLS, or through a proxy that is spoken to over TLS, the peer hears of it only when the
    /// connection is closed: libcurl can't end one side of those.
    public func finishSending() {
        outbox.withLock { $0.close() }
        loop?.post(.connection(id, .finishSending))
    }

    // MARK: Receiving

    /// Stops the flow of bytes to the delegate. It doesn't hold up the peer before the system's own
    /// buffers are full.
    public func pauseReceiving() {
        loop?.post(.connection(id, .setReceiving(isPaused: true)))
    }

    /// Lets bytes flow again.
    public func resumeReceiving() {
        loop?.post(.connection(id, .setReceiving(isPaused: false)))
    }

    // MARK: Steering

    /// Answers a server's trust to which the delegate had said ``TrustDecision/later``.
    public func answer(trust decision: TrustDecision) {
        loop?.post(.connection(id, .answerTrust(decision)))
    }

    /// Sets how long no byte may move in either direction; nil: as long as it pleases. It counts from
    /// now, and replaces what the options say.
    public func setIdleLimit(_ limit: Duration?) {
        loop?.post(.connection(id, .setIdleLimit(limit?.wholeNanoseconds)))
    }

    // MARK: Ending

    /// Ends the connection once what was accepted is sent. A connection that isn't open yet ends at
    /// once.
    ///
    /// - Parameters:
    ///   - limit: How long that may take. With zero, what can be sent without waiting is sent. Bytes
    ///     that couldn't be sent make the completion an error.
    ///   - awaitsPeer: Whether to go on receiving, within the limit, until the peer has ended its
    ///     side, for protocols in which it is the one to do so. Otherwise nothing more is received.
    public func close(within limit: Duration = .seconds(5), awaitsPeer: Bool = false) {
        outbox.withLock { $0.close() }
        loop?.post(
            .connection(id, .close(within: max(0, limit.wholeNanoseconds), awaitsPeer: awaitsPeer))
        )
    }

    /// Ends the connection with ``TransportError/Code/cancelled``, whatever it is doing: waiting for
    /// a place, resolving, connecting, shaking hands, sending, paused or stalled.
    public func cancel() {
        outbox.withLock { $0.close() }
        loop?.post(.cancel(id))
    }

    // MARK: The loop's part

    func takeOutgoing() -> [[UInt8]] {
        outbox.withLock { $0.take() }
    }

    func didSend(_ count: Int) {
        outbox.withLock { $0.left(count) }
    }

    /// Nothing can be sent any more.
    func end() {
        outbox.withLock { $0.close() }
    }
}
