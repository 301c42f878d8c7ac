/// Messages that came and that nobody has asked for yet, and those who ask: a pure value.
struct WebSocketInbox: Sendable {
    typealias Completion = @Sendable (Result<WebSocketMessage, WebSocketError>) -> Void

    private var messages = FIFO<WebSocketMessage>()
    private var receivers = FIFO<(ticket: UInt64?, completion: Completion)>()
    private var bytes = 0

    /// What lies here before nothing more is read. A message counts for its own size and a little.
    private static let window = 256 * 1024
    private static let overhead = 64

    /// Whether reading has to wait.
    var isFull: Bool { bytes >= Self.window }

    /// Whether there is room enough to go on reading.
    var hasRoom: Bool { bytes <= Self.window / 2 }

    /// Puts a message in. Answers who has waited for it.
    mutating func append(_ message: WebSocketMessage) -> Completion? {
        if let receiver = receivers.popFirst() { return receiver.completion }
        messages.append(message)
        bytes += message.size + Self.overhead
        return nil
    }

    /// Takes the oldest message out.
    mutating func take() -> WebSocketMessage? {
        guard let message = messages.popFirst() else { return nil }
        bytes -= message.size + Self.overhead
        return message
    }

    /// Lets somebody wait.
    ///
    /// - Parameter ticket: By which he can leave.
    mutating func wait(_ completion: @escaping Completion, ticket: UInt64?) {
        receivers.append((ticket, completion))
    }

    /// Somebody waits no longer: he, if he has waited.
    mutating func withdraw(_ ticket: UInt64) -> Completion? {
        var found: Completion?
        receivers.removeAll { receiver in
            guard receiver.ticket == ticket else { return false }
            found = receiver.completion
            return true
        }
        return found
    }

    /// Gives up: those who wait.
    mutating func giveUp() -> [Completion] {
        var waiting: [Completion] = []
        while let receiver = receivers.popFirst() { waiting.append(receiver.completion) }
        return waiting
    }

    /// Forgets what came.
    mutating func removeAll() {
        messages = FIFO()
        bytes = 0
    }
}

extension WebSocketMessage {
    fileprivate var size: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .binary(let bytes): bytes.count
        }
    }
}
