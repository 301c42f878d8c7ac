internal import DequeModule

/// Unread messages and pending receivers: a pure value.
struct WebSocketInbox: Sendable {
    typealias Completion = @Sendable (Result<WebSocketMessage, WebSocketError>) -> Void

    private var messages = Deque<WebSocketMessage>()
    private var receivers = Deque<(ticket: UInt64?, completion: Completion)>()
    private var bytes = 0

    /// The size from which on reading is paused. Each message counts with its size and an overhead.
    private static let window = 256 * 1024
    private static let overhead = 64

    /// Whether no message is unread.
    var isEmpty: Bool { messages.isEmpty }

    /// Whether reading must be paused.
    var isFull: Bool { bytes >= Self.window }

    /// Whether there is enough room to resume reading.
    var hasRoom: Bool { bytes <= Self.window / 2 }

    /// Adds a message, or returns the receiver that was waiting for it.
    mutating func append(_ message: WebSocketMessage) -> Completion? {
        if let receiver = receivers.popFirst() { return receiver.completion }
        messages.append(message)
        bytes += message.size + Self.overhead
        return nil
    }

    /// Removes and returns the oldest message.
    mutating func take() -> WebSocketMessage? {
        guard let message = messages.popFirst() else { return nil }
        bytes -= message.size + Self.overhead
        return message
    }

    /// Adds a pending receiver.
    ///
    /// - Parameter ticket: identifies the receiver for ``withdraw(_:)``.
    mutating func wait(_ completion: @escaping Completion, ticket: UInt64?) {
        receivers.append((ticket, completion))
    }

    /// Removes the receiver with this ticket, and returns it if it was waiting.
    mutating func withdraw(_ ticket: UInt64) -> Completion? {
        var found: Completion?
        receivers.removeAll { receiver in
            guard receiver.ticket == ticket else { return false }
            found = receiver.completion
            return true
        }
        return found
    }

    /// Removes and returns all receivers.
    mutating func giveUp() -> [Completion] {
        var waiting: [Completion] = []
        while let receiver = receivers.popFirst() { waiting.append(receiver.completion) }
        return waiting
    }

    /// Removes all messages.
    mutating func removeAll() {
        messages = Deque()
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
