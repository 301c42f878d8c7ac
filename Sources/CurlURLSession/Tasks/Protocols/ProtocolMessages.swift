internal import CurlTransport
internal import DequeModule
internal import Foundation

/// The queue of a protocol's calls that haven't been delivered yet.
struct ProtocolMessages: Sendable {
    enum Message: Sendable {
        case response(URLResponse, URLCache.StoragePolicy)
        case data(Data)
        case redirect(URLRequest, URLResponse)
        case challenge(URLAuthenticationChallenge)
        /// The last message. `nil` for success.
        case end(LoadOutcome.Failure?)

        fileprivate var isEnd: Bool {
            if case .end = self { true } else { false }
        }
    }

    private var messages = Deque<Message>()
    private var isScheduled = false
    /// Whether the end was delivered.
    private(set) var isOver = false
    /// Whether the client has paused delivery. Only an end at the head of the queue is still
    /// delivered.
    var isHeld = false
    /// Whether a challenge is unanswered. Pauses delivery in the same way.
    var isAsking = false

    mutating func append(_ message: Message) {
        messages.append(message)
    }

    /// Replaces all pending messages with an end. Does nothing if the end was already delivered.
    ///
    /// - Returns: The removed messages; the caller must release them where no lock is held.
    mutating func cutShort(by failure: LoadOutcome.Failure) -> Deque<Message> {
        guard !isOver else { return Deque() }
        let rest = messages
        messages = Deque()
        messages.append(.end(failure))
        return rest
    }

    /// Returns whether the caller must start delivering.
    ///
    /// That is so if there are messages, and no delivery is running.
    mutating func schedule() -> Bool {
        guard !isScheduled, !messages.isEmpty else { return false }
        isScheduled = true
        return true
    }

    /// Takes the next message that may be delivered. `nil` if there is none, which ends the
    /// delivery.
    mutating func next() -> Message? {
        guard let message = messages.first, (!isHeld && !isAsking) || message.isEnd else {
            isScheduled = false
            return nil
        }
        _ = messages.popFirst()
        if message.isEnd { isOver = true }
        return message
    }
}
