internal import HTTPTypes

/// All that a ``WebSocketConnection`` knows, under its lock.
///
/// What goes out over the connection is handed to it here, so that frames keep their order; what is to
/// be told to others is put aside, to be told without the lock.
struct WebSocketState: Sendable {
    /// Something to tell, outside the lock.
    typealias News = @Sendable (WebSocketConnection) -> Void

    var machine = WebSocketStateMachine()
    var connection: ByteConnection?
    /// Nil before it is connected, and once it was told the completion.
    var delegate: (any WebSocketDelegate)?

    /// Nil before it is connected.
    var opening: WebSocketOpening?
    var reader = WebSocketReader(maximumMessageSize: 1 << 20)
    var inbox = WebSocketInbox()
    var isPaused = false

    var outbox = WebSocketOutbox()
    var pings = WebSocketPings()
    /// Frames that go ahead of messages.
    var controls = FIFO<[UInt8]>()
    /// What pings of the server have to be answered with.
    var pongs = FIFO<[UInt8]>()
    /// How many bytes were handed to the connection.
    var queuedBytes: Int64 = 0
    /// What the close frame will say, once it is its turn.
    var closing: (status: WebSocketStatus?, reason: String)?
    /// What it was closed with, and what those are told who come when it is over.
    var closed: (status: WebSocketStatus, reason: String)?
    var end: WebSocketError?

    var generator = SystemRandomNumberGenerator()
    var news: [News] = []

    var maximumMessageSize: Int {
        get { reader.maximumMessageSize }
        set { reader.maximumMessageSize = max(0, newValue) }
    }

    mutating func takeNews() -> [News] {
        guard !news.isEmpty else { return [] }
        defer { news = [] }
        return news
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
        guard self.connection == nil, machine.state != .completed else { return }
        self.connection = connection
        if machine.isEndedHere { connection.cancel() }
    }

    mutating func connected(_ connection: ByteConnection) {
        keep(connection)
        guard let opening, machine.connected(), !machine.isEndedHere else { return }
        put(opening.head)
    }

    // MARK: What the user does

    mutating func send(
        _ message: WebSocketMessage,
        _ completion: @escaping WebSocketOutbox.Completion
    ) {
        guard machine.takesMessages, !machine.isEndedHere else {
            let error = end ?? machine.failure ?? .cancelled
            return tell { _ in completion(error) }
        }
        outbox.append(message, completion)
        pump()
    }

    mutating func receive(
        ticket: UInt64? = nil,
        _ completion: @escaping WebSocketInbox.Completion
    ) {
        if let message = inbox.take() {
            tell { _ in completion(.success(message)) }
            if isPaused, inbox.hasRoom {
                isPaused = false
                connection?.resumeReceiving()
            }
        } else if machine.takesMessages, !machine.isEndedHere {
            let isWaiting = inbox.wait(completion, ticket: ticket ?? inbox.makeTicket())
            if !isWaiting { tell { _ in completion(.failure(.cancelled)) } }
        } else {
            let error = end ?? machine.failure ?? .cancelled
            tell { _ in completion(.failure(error)) }
        }
    }

    mutating func makeTicket() -> UInt64 { inbox.makeTicket() }

    /// Somebody waits for a message no longer.
    mutating func withdraw(_ ticket: UInt64) {
        guard let completion = inbox.withdraw(ticket) else { return }
        tell { _ in completion(.failure(.cancelled)) }
    }

    mutating func ping(_ completion: @escaping WebSocketPings.Completion) {
        guard machine.takesMessages, !machine.isEndedHere else {
            let error = end ?? machine.failure ?? .cancelled
            return tell { _ in completion(error) }
        }
        let ping = frame(.ping, pings.add(completion))
        controls.append(ping)
        pump()
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
