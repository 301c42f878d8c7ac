internal import HTTPTypes

/// All that a ``WebSocketConnection`` knows, under its lock.
///
/// What goes out over the connection is handed to it here, so that frames keep their order; what is to
/// be told to others is put aside, to be told without the lock.
struct WebSocketState: Sendable {
    /// Something to tell, outside the lock.
    typealias News = @Sendable (WebSocketConnection) -> Void

    var machine = WebSocketStateMachine()
    /// Whether there may be another attempt to connect after one that came to nothing.
    let outlastsAttempts: Bool
    /// How many were begun.
    private(set) var attempt = 0
    var connection: ByteConnection?
    /// Nil before it is connected, and once it was told the completion.
    var delegate: (any WebSocketDelegate)?

    /// Nil unless it is connected, or being so.
    var opening: WebSocketOpening?
    var reader = WebSocketReader(maximumMessageSize: 1 << 20)
    var inbox = WebSocketInbox()
    /// Nothing more is read as long as there is no room.
    var isPaused = false
    /// Nothing is to flow.
    var isSuspended = false

    var outbox = WebSocketOutbox()
    var pings = WebSocketPings()
    /// Frames that go ahead of messages.
    var controls = FIFO<[UInt8]>()
    /// What pings of the server have to be answered with.
    var pongs = FIFO<[UInt8]>()
    /// How many bytes were handed to the present connection.
    var queuedBytes: Int64 = 0
    /// What the close frame will say, once it is its turn.
    var closing: (status: WebSocketStatus?, reason: String)?
    /// What it was closed with, and what those are told who come when it is over.
    var closed: (status: WebSocketStatus, reason: String)?
    var end: WebSocketError?

    private var lastTicket: UInt64 = 0
    /// Those who left before they came.
    private var withdrawn: Set<UInt64> = []

    var generator = SystemRandomNumberGenerator()
    var news = NewsQueue<News>()

    init(outlastsAttempts: Bool) {
        self.outlastsAttempts = outlastsAttempts
    }

    var maximumMessageSize: Int {
        get { reader.maximumMessageSize }
        set { reader.maximumMessageSize = max(0, newValue) }
    }

    mutating func tell(_ news: @escaping News) {
        self.news.append(news)
    }

    // MARK: Connecting

    /// What to connect to; nil where it was begun before, or ended.
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

    /// The connection that is being made. It may have been ended meanwhile, on either side.
    mutating func keep(_ connection: ByteConnection) {
        guard self.connection == nil, opening != nil, machine.state != .completed else { return }
        self.connection = connection
        if isSuspended { connection.pauseReceiving() }
        if machine.isEndedHere { connection.cancel() }
    }

    mutating func connected(_ connection: ByteConnection) {
        keep(connection)
        guard let opening, machine.connected(), !machine.isEndedHere else { return }
        put(opening.head)
    }

    // MARK: What the user does

    /// Why nobody can begin to wait for anything.
    private mutating func obstacle(for ticket: UInt64?) -> WebSocketError? {
        if let ticket, withdrawn.remove(ticket) != nil { return .cancelled }
        guard machine.takesMessages, !machine.isEndedHere else {
            return end ?? machine.failure ?? .cancelled
        }
        return nil
    }

    mutating func send(
        _ message: WebSocketMessage,
        ticket: UInt64? = nil,
        _ completion: @escaping WebSocketOutbox.Completion
    ) {
        if let error = obstacle(for: ticket) { return tell { _ in completion(error) } }
        outbox.append(message, ticket: ticket, completion)
        pump()
    }

    mutating func receive(
        ticket: UInt64? = nil,
        _ completion: @escaping WebSocketInbox.Completion
    ) {
        let obstacle = obstacle(for: ticket)
        // What came before the end is there still. Who has left takes nothing.
        if obstacle != .cancelled, let message = inbox.take() {
            tell { _ in completion(.success(message)) }
            if isPaused, inbox.hasRoom {
                isPaused = false
                if !isSuspended { connection?.resumeReceiving() }
            }
        } else if let obstacle {
            tell { _ in completion(.failure(obstacle)) }
        } else {
            inbox.wait(completion, ticket: ticket)
        }
    }

    /// A number for somebody who may leave again.
    mutating func makeTicket() -> UInt64 {
        lastTicket += 1
        return lastTicket
    }

    /// Somebody waits no longer. A message that is on its way can't be taken back.
    mutating func withdraw(_ ticket: UInt64) {
        if let completion = inbox.withdraw(ticket) {
            tell { _ in completion(.failure(.cancelled)) }
        } else if let completion = outbox.withdraw(ticket) ?? pings.withdraw(ticket) {
            tell { _ in completion(.cancelled) }
            pump()
        } else if !outbox.isSending(ticket) {
            withdrawn.insert(ticket)
        }
    }

    mutating func ping(
        ticket: UInt64? = nil,
        _ completion: @escaping WebSocketPings.Completion
    ) {
        if let error = obstacle(for: ticket) { return tell { _ in completion(error) } }
        let ping = frame(.ping, pings.add(completion, ticket: ticket))
        controls.append(ping)
        pump()
    }

    /// Has nothing to tell.
    mutating func setSuspended(_ isSuspended: Bool) {
        guard self.isSuspended != isSuspended else { return }
        self.isSuspended = isSuspended
        // Whoever closes waits for the server to do so.
        guard !machine.isEndedHere else { return }
        if isSuspended {
            connection?.pauseReceiving()
        } else {
            if !isPaused { connection?.resumeReceiving() }
            pump()
        }
    }

    /// False if it wasn't open, and was cancelled.
    mutating func close(_ status: WebSocketStatus?, reason: String) -> Bool {
        let action = machine.close()
        if case .sendAllAndClose = action { closing = (status, reason) }
        carryOut(action)
        return machine.wasOpen
    }

    mutating func cancel() {
        carryOut(machine.cancel())
    }

    // MARK: Telling those who wait

    /// Whether the present attempt to connect may come to nothing without those who wait being told.
    var mayBeAttemptedAnew: Bool {
        outlastsAttempts && !machine.wasOpen && !machine.isEndedHere
    }

    /// Nobody gets what he waits for any more.
    mutating func failAll(_ error: WebSocketError) {
        guard !mayBeAttemptedAnew else { return }
        failReceivers(error)
        failSenders(error)
    }

    /// Nobody who waits for a message gets one any more.
    mutating func failReceivers(_ error: WebSocketError) {
        for completion in inbox.giveUp() { tell { _ in completion(.failure(error)) } }
    }

    mutating func failSenders(_ error: WebSocketError) {
        for completion in outbox.giveUp() { tell { _ in completion(error) } }
        for completion in pings.giveUp() { tell { _ in completion(error) } }
        controls = FIFO()
        pongs = FIFO()
    }
}
