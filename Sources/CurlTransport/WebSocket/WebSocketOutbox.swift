internal import DequeModule

/// The queue of messages to send as frames: a pure value.
///
/// Long messages are sent in several frames, so that a pong doesn't have to wait for the message's
/// end.
struct WebSocketOutbox: Sendable {
    typealias Completion = @Sendable (WebSocketError?) -> Void

    private struct Message: Sendable {
        let opcode: WebSocketOpcode
        let payload: [UInt8]
        var offset = 0
        let ticket: UInt64?
        let completion: Completion
    }

    /// The maximum payload of one frame in bytes.
    static let frameSize = 64 * 1024

    private var messages = Deque<Message>()
    /// The message that is being split into frames; it isn't in the queue any more.
    private var current: Message?
    /// The positions in the byte stream at which completely framed messages end.
    private var marks = Deque<(end: Int64, ticket: UInt64?, completion: Completion)>()

    /// Whether all messages have been split into frames.
    var isEmpty: Bool { current == nil && messages.isEmpty }

    /// - Parameter ticket: identifies the message for ``withdraw(_:)``.
    mutating func append(
        _ message: WebSocketMessage,
        ticket: UInt64? = nil,
        _ completion: @escaping Completion
    ) {
        let (opcode, payload) =
            switch message {
            case .text(let text): (WebSocketOpcode.text, Array(text.utf8))
            case .binary(let bytes): (.binary, bytes)
            }
        messages.append(
            Message(opcode: opcode, payload: payload, ticket: ticket, completion: completion)
        )
    }

    /// Removes and returns a message, unless a frame of it has been created.
    mutating func withdraw(_ ticket: UInt64) -> Completion? {
        var found: Completion?
        messages.removeAll { message in
            guard message.ticket == ticket else { return false }
            found = message.completion
            return true
        }
        return found
    }

    /// Whether frames of the message have been created, and it isn't completely sent.
    func isSending(_ ticket: UInt64) -> Bool {
        current?.ticket == ticket || marks.contains { $0.ticket == ticket }
    }

    /// The next frame, and whether it is the last one of its message.
    mutating func nextFrame(maskingKey: UInt32) -> (bytes: [UInt8], isLast: Bool)? {
        guard var message = current ?? messages.popFirst() else { return nil }
        let end = min(message.payload.count, message.offset + Self.frameSize)
        let isLast = end == message.payload.count
        let bytes = WebSocketFrame.bytes(
            message.offset == 0 ? message.opcode : .continuation,
            isFinal: isLast,
            payload: message.payload.span.extracting(message.offset..<end),
            maskingKey: maskingKey
        )
        message.offset = end
        current = message
        return (bytes, isLast)
    }

    /// Records the position in the byte stream at which the message with the last frame ends.
    mutating func ended(at position: Int64) {
        guard let message = current else { return }
        current = nil
        marks.append((position, message.ticket, message.completion))
    }

    /// Removes and returns the completions of messages that end by this position.
    mutating func sent(upTo position: Int64) -> [Completion] {
        var completions: [Completion] = []
        while let mark = marks.first, mark.end <= position {
            completions.append(mark.completion)
            _ = marks.popFirst()
        }
        return completions
    }

    /// Removes all messages and returns their completions.
    mutating func giveUp() -> [Completion] {
        var completions: [Completion] = []
        while let mark = marks.popFirst() { completions.append(mark.completion) }
        if let current { completions.append(current.completion) }
        current = nil
        while let message = messages.popFirst() { completions.append(message.completion) }
        return completions
    }
}
