/// Messages on their way to become frames: a pure value.
///
/// Long messages go out in several frames, so that a pong needn't wait for the end of one.
struct WebSocketOutbox: Sendable {
    typealias Completion = @Sendable (WebSocketError?) -> Void

    private struct Message: Sendable {
        let opcode: WebSocketOpcode
        let payload: [UInt8]
        var offset = 0
        let ticket: UInt64?
        let completion: Completion
    }

    /// As much of a message goes into one frame.
    static let frameSize = 64 * 1024

    private var messages = FIFO<Message>()
    /// The message under way, taken out of the queue.
    private var current: Message?
    /// Where in the stream messages end that are on their way.
    private var marks = FIFO<(end: Int64, ticket: UInt64?, completion: Completion)>()

    /// Whether every message has become frames.
    var isEmpty: Bool { current == nil && messages.isEmpty }

    /// - Parameter ticket: By which it can be taken back.
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

    /// Takes a message back, unless some of it is on its way.
    mutating func withdraw(_ ticket: UInt64) -> Completion? {
        var found: Completion?
        messages.removeAll { message in
            guard message.ticket == ticket else { return false }
            found = message.completion
            return true
        }
        return found
    }

    /// Whether a message is on its way.
    func isSending(_ ticket: UInt64) -> Bool {
        current?.ticket == ticket || marks.contains { $0.ticket == ticket }
    }

    /// The next frame, which ends the message if it is its last.
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

    /// The message whose last frame was made ends there in the stream.
    mutating func ended(at position: Int64) {
        guard let message = current else { return }
        current = nil
        marks.append((position, message.ticket, message.completion))
    }

    /// Those whose messages are sent, now that the stream is sent up to there.
    mutating func sent(upTo position: Int64) -> [Completion] {
        var completions: [Completion] = []
        while let mark = marks.first, mark.end <= position {
            completions.append(mark.completion)
            marks.removeFirst()
        }
        return completions
    }

    /// Gives up: those who wait for anything.
    mutating func giveUp() -> [Completion] {
        var completions: [Completion] = []
        while let mark = marks.popFirst() { completions.append(mark.completion) }
        if let current { completions.append(current.completion) }
        current = nil
        while let message = messages.popFirst() { completions.append(message.completion) }
        return completions
    }
}
