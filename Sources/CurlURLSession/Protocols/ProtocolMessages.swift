internal import CurlTransport
internal import Foundation

/// What a protocol has said and its loader's client hasn't been told yet, in order.
struct ProtocolMessages: Sendable {
    enum Message: Sendable {
        case response(URLResponse, URLCache.StoragePolicy)
        case data(Data)
        case redirect(URLRequest, URLResponse)
        case challenge(URLAuthenticationChallenge)
        /// The last one. `nil` for success.
        case end(LoadOutcome.Failure?)

        fileprivate var isEnd: Bool {
            if case .end = self { true } else { false }
        }
    }

    private var messages = FIFO<Message>()
    private var isScheduled = false
    /// The end was told.
    private(set) var isOver = false
    /// Nothing is told meanwhile but an end that nothing comes before.
    var isHeld = false
    /// The same as long as a challenge isn't answered.
    var isAsking = false

    mutating func append(_ message: Message) {
        messages.append(message)
    }

    /// Lets nothing follow but an end, unless the end was told before.
    ///
    /// - Returns: What isn't told any more, to be let go of where no lock is held.
    mutating func cutShort(by failure: LoadOutcome.Failure) -> FIFO<Message> {
        guard !isOver else { return FIFO() }
        let rest = messages
        messages = FIFO()
        messages.append(.end(failure))
        return rest
    }

    /// Whether to begin to tell: there is something, and nobody tells it already.
    mutating func schedule() -> Bool {
        guard !isScheduled, !messages.isEmpty else { return false }
        isScheduled = true
        return true
    }

    /// The next message that may be told; `nil` if there is none, and then nobody tells any more.
    mutating func next() -> Message? {
        guard let message = messages.first, (!isHeld && !isAsking) || message.isEnd else {
            isScheduled = false
            return nil
        }
        messages.popFirst()
        if message.isEnd { isOver = true }
        return message
    }
}
