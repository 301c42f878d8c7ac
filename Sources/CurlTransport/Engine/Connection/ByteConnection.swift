internal import Posix
internal import Synchronization

/// A connection that carries bytes in both directions, without HTTP.
///
/// libcurl resolves the host, connects through proxies and does the TLS handshake. The user of the
/// connection speaks the protocol.
///
/// Every method may be called on any thread, at any time and any number of times; none of them
/// waits. Results are reported to the ``ByteConnectionDelegate``. The connection lives until it is
/// closed or cancelled, or fails, whether or not it is referenced.
///
/// A transport's connection limits apply until the connection is open. An open connection doesn't
/// count towards them.
public final class ByteConnection: Sendable {
    /// The result of sending bytes.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum SendResult: Sendable, Hashable {
        /// The bytes will be sent, after those accepted before.
        case accepted
        /// The send buffer has no room. ``ByteConnectionDelegate/connection(_:didSend:)`` reports
        /// when there is room again.
        case full
        /// The sending side is closed.
        case closed
    }

    /// The connection's identifier, unique among the process's connections and transfers.
    public let id: TransferID

    /// Nil if the transport couldn't start.
    private let loop: EventLoop?
    private let outbox: Mutex<ByteOutbox>

    init(id: TransferID, loop: EventLoop?, sendBufferSize: Int) {
        self.id = id
        self.loop = loop
        outbox = Mutex(ByteOutbox(capacity: sendBufferSize))
    }

    // MARK: Sending

    /// Sends `bytes` after all earlier ones. They are buffered until the connection is open.
    public func send(_ bytes: [UInt8]) -> SendResult {
        switch outbox.withLock({ $0.append(bytes) }) {
        case .accepted(let notifiesLoop):
            if notifiesLoop { loop?.post(.connection(id, .send)) }
            return .accepted
        case .full: return .full
        case .closed: return .closed
        }
    }

    /// The number of accepted bytes that haven't been handed to the system yet.
    public var waitingBytes: Int { outbox.withLock { $0.waitingBytes } }

    /// Ends the sending side after all accepted bytes are sent.
    ///
    /// The peer can still send bytes. The connection completes when the peer has ended its side as
    /// well.
    ///
    /// Over TLS, or through a proxy that is reached over TLS, the peer learns of the end only when
    /// the connection is closed: libcurl can't end one side of such connections.
    public func finishSending() {
        outbox.withLock { $0.close() }
        loop?.post(.connection(id, .finishSending))
    }

    // MARK: Receiving

    /// Pauses the delivery of bytes to the delegate.
    ///
    /// The peer can send until the system's own buffers are full.
    public func pauseReceiving() {
        loop?.post(.connection(id, .setReceiving(isPaused: true)))
    }

    /// Resumes the delivery of bytes.
    public func resumeReceiving() {
        loop?.post(.connection(id, .setReceiving(isPaused: false)))
    }

    // MARK: Control

    /// Answers a trust question for which the delegate returned ``TrustDecision/later``.
    public func answer(trust decision: TrustDecision) {
        loop?.post(.connection(id, .answerTrust(decision)))
    }

    /// Sets how long the connection may be idle in both directions; nil for no limit.
    ///
    /// It counts from now, and replaces the limit in the options.
    public func setIdleLimit(_ limit: Duration?) {
        loop?.post(.connection(id, .setIdleLimit(limit?.wholeNanoseconds)))
    }

    // MARK: Ending

    /// Closes the connection after all accepted bytes are sent.
    ///
    /// A connection that isn't open yet ends at once.
    ///
    /// - Parameters:
    ///   - limit: how long closing may take; 5 seconds by default. With zero, only bytes that can
    ///     be sent without waiting are sent. If bytes remain unsent, the connection completes with
    ///     an error.
    ///   - awaitsPeer: whether to continue receiving, within the limit, until the peer has ended
    ///     its side. Use this for protocols in which the peer closes. Otherwise nothing more is
    ///     received.
    public func close(within limit: Duration = .seconds(5), awaitsPeer: Bool = false) {
        outbox.withLock { $0.close() }
        loop?.post(
            .connection(id, .close(within: max(0, limit.wholeNanoseconds), awaitsPeer: awaitsPeer))
        )
    }

    /// Ends the connection with ``TransportError/Code/cancelled``, in every phase.
    ///
    /// The phases are: queued, resolving, connecting, TLS handshake, sending, paused and stalled.
    public func cancel() {
        outbox.withLock { $0.close() }
        loop?.post(.cancel(id))
    }

    // MARK: Loop

    func takeOutgoing() -> [[UInt8]] {
        outbox.withLock { $0.take() }
    }

    func didSend(_ count: Int) {
        outbox.withLock { $0.left(count) }
    }

    /// Closes the sending side.
    func end() {
        outbox.withLock { $0.close() }
    }
}
