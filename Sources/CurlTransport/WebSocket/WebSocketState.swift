internal import DequeModule
internal import HTTPTypes

/// The state of a ``WebSocketConnection``, protected by its lock.
///
/// Bytes are passed to the connection under the lock, so that frames keep their order.
/// Notifications are queued, and are delivered without the lock.
struct WebSocketState: Sendable {
    /// A notification to deliver outside the lock.
    typealias Callback = @Sendable (WebSocketConnection) -> Void

    var machine = WebSocketStateMachine()
    /// Whether it may be connected again after an attempt that has failed.
    let allowsReconnecting: Bool
    /// The number of attempts to connect so far.
    private(set) var attempt = 0
    var connection: ByteConnection?
    /// Nil before it is connected, and after its completion was called.
    var delegate: (any WebSocketDelegate)?

    /// Nil unless it is connecting or connected.
    var opening: WebSocketOpening?
    var reader = WebSocketReader(maximumMessageSize: 1 << 20)
    var inbox = WebSocketInbox()
    /// Whether reading is paused because the inbox is full.
    var isPaused = false
    /// Whether both directions are paused by the user.
    var isSuspended = false

    var outbox = WebSocketOutbox()
    var pings = WebSocketPings()
    /// Control frames to send before messages.
    var controls = Deque<[UInt8]>()
    /// Payloads of pongs to send, in answer to the server's pings.
    var pongs = Deque<[UInt8]>()
    /// The number of bytes passed to the current connection.
    var queuedBytes: Int64 = 0
    /// The content of the close frame to send.
    var closing: (status: WebSocketStatus?, reason: String)?
    /// The status it was closed with; and the error for operations after the end.
    var closed: (status: WebSocketStatus, reason: String)?
    var end: WebSocketError?

    private var lastTicket: UInt64 = 0
    /// Tickets that were withdrawn before their operations started.
    private var withdrawn: Set<UInt64> = []

    var generator = SystemRandomNumberGenerator()
    var callbacks = CallbackQueue<Callback>()

    init(allowsReconnecting: Bool) {
        self.allowsReconnecting = allowsReconnecting
    }

    var maximumMessageSize: Int {
        get { reader.maximumMessageSize }
        set { reader.maximumMessageSize = max(0, newValue) }
    }

    mutating func notify(_ callback: @escaping Callback) {
        callbacks.append(callback)
    }

    // MARK: Connecting

    /// The destination to connect to; nil if it is connecting or connected already, or has ended.
    mutating func begin(
        _ request: WebSocketRequest,
        delegate: any WebSocketDelegate
    ) -> ByteConnectionRequest? {
        guard opening == nil, end == nil else { return nil }
        attempt += 1
        queuedBytes = 0
        opening = WebSocketOpening(request, using: &generator)
        self.delegate = delegate
        var target = ByteConnectionRequest(
            authority: request.request.authority ?? "",
            isSecure: request.isSecure,
            applicationProtocol: .http1,
            options: request.options
        )
        target.timeLimit = request.timeLimit
        return target
    }

    /// Stores the connection of the current attempt. Either side may have ended it in the meantime.
    mutating func keep(_ connection: ByteConnection) {
        guard self.connection == nil, opening != nil, machine.state != .completed else { return }
        self.connection = connection
        if isSuspended { connection.pauseReceiving() }
        if machine.isClosedLocally { connection.cancel() }
    }

    mutating func connected(_ connection: ByteConnection) {
        keep(connection)
        guard let opening, machine.connected(), !machine.isClosedLocally else { return }
        put(opening.head)
    }

    // MARK: User

    /// Whether an operation was withdrawn before it started. Forgets its ticket.
    private mutating func takeWithdrawal(of ticket: UInt64?) -> Bool {
        guard let ticket else { return false }
        return withdrawn.remove(ticket) != nil
    }

    /// Why no operation can start; nil if one can.
    private mutating func startError(for ticket: UInt64?) -> WebSocketError? {
        takeWithdrawal(of: ticket) ? .cancelled : endError
    }

    /// The error of operations that start after the end; nil before it.
    private var endError: WebSocketError? {
        guard machine.takesMessages, !machine.isClosedLocally else {
            if let error = end ?? machine.failure { return error }
            // The server has closed the WebSocket, but the connection may not have ended yet.
            guard !machine.isClosedLocally, let status = machine.received else { return .cancelled }
            return .closed(status)
        }
        return nil
    }

    mutating func send(
        _ message: WebSocketMessage,
        ticket: UInt64? = nil,
        _ completion: @escaping WebSocketOutbox.Completion
    ) {
        if let error = startError(for: ticket) { return notify { _ in completion(error) } }
        outbox.append(message, ticket: ticket, completion)
        pump()
    }

    mutating func receive(
        ticket: UInt64? = nil,
        _ completion: @escaping WebSocketInbox.Completion
    ) {
        if takeWithdrawal(of: ticket) { return notify { _ in completion(.failure(.cancelled)) } }
        // Messages from before the end can still be read. If this side has ended the WebSocket
        // before the server, there are none.
        if let message = inbox.take() {
            notify { _ in completion(.success(message)) }
            if isPaused, inbox.hasRoom {
                isPaused = false
                if !isSuspended { connection?.resumeReceiving() }
            }
        } else if let endError {
            notify { _ in completion(.failure(endError)) }
        } else {
            inbox.wait(completion, ticket: ticket)
        }
    }

    /// Returns a new ticket, by which an operation can be withdrawn.
    mutating func makeTicket() -> UInt64 {
        lastTicket += 1
        return lastTicket
    }

    /// Withdraws a pending operation. A message that is partly sent can't be withdrawn.
    mutating func withdraw(_ ticket: UInt64) {
        if let completion = inbox.withdraw(ticket) {
            notify { _ in completion(.failure(.cancelled)) }
        } else if let completion = outbox.withdraw(ticket) ?? pings.withdraw(ticket) {
            notify { _ in completion(.cancelled) }
            pump()
        } else if !outbox.isSending(ticket) {
            withdrawn.insert(ticket)
        }
    }

    mutating func ping(
        ticket: UInt64? = nil,
        _ completion: @escaping WebSocketPings.Completion
    ) {
        if let error = startError(for: ticket) { return notify { _ in completion(error) } }
        let ping = frame(.ping, pings.add(completion, ticket: ticket))
        controls.append(ping)
        pump()
    }

    /// Pauses or resumes both directions. Queues no notification.
    mutating func setSuspended(_ isSuspended: Bool) {
        guard self.isSuspended != isSuspended else { return }
        self.isSuspended = isSuspended
        // A close waits for the server's close frame, so reading must not be paused.
        guard !machine.isClosedLocally else { return }
        if isSuspended {
            connection?.pauseReceiving()
        } else {
            if !isPaused { connection?.resumeReceiving() }
            pump()
        }
    }

    /// Returns false if it was never open, and so was cancelled.
    mutating func close(_ status: WebSocketStatus?, reason: String) -> Bool {
        let action = machine.close()
        if case .sendAllAndClose = action { closing = (status, reason) }
        carryOut(action)
        return machine.wasOpen
    }

    mutating func cancel() {
        carryOut(machine.cancel())
    }

    // MARK: Pending operations

    /// Whether the current attempt may fail without ending the pending operations.
    var canReconnect: Bool {
        allowsReconnecting && !machine.wasOpen && !machine.isClosedLocally
    }

    /// Fails all pending operations, unless it may be connected again.
    mutating func failAll(_ error: WebSocketError) {
        guard !canReconnect else { return }
        failReceivers(error)
        failSenders(error)
    }

    /// Fails all pending receives.
    mutating func failReceivers(_ error: WebSocketError) {
        for completion in inbox.giveUp() { notify { _ in completion(.failure(error)) } }
    }

    mutating func failSenders(_ error: WebSocketError) {
        for completion in outbox.giveUp() { notify { _ in completion(error) } }
        for completion in pings.giveUp() { notify { _ in completion(error) } }
        controls = Deque()
        pongs = Deque()
    }
}
