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

    private var messages: [Message?] = []
    private var position = 0
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
    mutating func cutShort(by failure: LoadOutcome.Failure) -> [Message?] {
        guard !isOver else { return [] }
        let rest = messages
        clear()
        messages.append(.end(failure))
        return rest
    }

    private mutating func clear() {
        messages = []
        position = 0
    }

    /// Whether to begin to tell: there is something, and nobody tells it already.
    mutating func schedule() -> Bool {
        guard !isScheduled, position < messages.count else { return false }
        isScheduled = true
        return true
    }

    /// The next message that may be told; `nil` if there is none, and then nobody tells any more.
    mutating func next() -> Message? {
        guard position < messages.count, let message = messages[position],
            (!isHeld && !isAsking) || message.isEnd
        else {
            isScheduled = false
            if position == messages.count { clear() }
            return nil
        }
        messages[position] = nil
        position += 1
        if message.isEnd { isOver = true }
        return message
    }
}
