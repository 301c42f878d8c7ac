internal import Posix

/// Assembles a server's frames to messages: a pure value.
///
/// It rejects errors as early as possible: text at its first invalid byte, and a message at the
/// header of the frame that makes it too large. Source: RFC 6455, sections 5 and 8.1.
package struct WebSocketReader: Sendable {
    /// The maximum size of a message in bytes.
    package var maximumMessageSize: Int

    private enum State: Sendable {
        case header
        /// Within a frame, of which `left` bytes are missing.
        case payload(WebSocketFrameHeader, left: Int)
        /// The server has sent a close frame. All later bytes are ignored.
        case closed
        case failed(WebSocketViolation)
    }

    private var state = State.header
    private var header: [UInt8] = []
    /// The type of the incomplete message, and its payload so far.
    private var kind: WebSocketOpcode?
    private var message: [UInt8] = []
    private var validator = UTF8Validator()
    private var control: [UInt8] = []

    package init(maximumMessageSize: Int) {
        self.maximumMessageSize = maximumMessageSize
    }

    /// Reads bytes, and appends the resulting events.
    ///
    /// Appends the events before a violation, and then throws it. All later calls throw it too.
    package mutating func receive(
        _ bytes: Span<UInt8>,
        into events: inout [WebSocketEvent]
    ) throws(WebSocketViolation) {
        var index = 0
        do throws(WebSocketViolation) {
            while index < bytes.count {
                switch state {
                case .header:
                    header.append(bytes[index])
                    index += 1
                    try readHeader(&events)
                case .payload(let frame, let left):
                    // A frame can have up to 2^63 - 1 bytes, so adding `index` to `left` could
                    // overflow.
                    let end = left < bytes.count - index ? index + left : bytes.count
                    try take(bytes.extracting(index..<end), of: frame)
                    let rest = left - (end - index)
                    index = end
                    state = .payload(frame, left: rest)
                    if rest == 0 { try finish(frame, &events) }
                case .closed:
                    return
                case .failed(let violation):
                    throw violation
                }
            }
        } catch {
            state = .failed(error)
            message = []
            throw error
        }
    }

    // MARK: Frames

    private mutating func readHeader(
        _ events: inout [WebSocketEvent]
    ) throws(WebSocketViolation) {
        guard let size = WebSocketFrameHeader.size(header) else { return }
        if header.count == 2 { try WebSocketFrameHeader.check(header[0], header[1]) }
        guard header.count == size else { return }
        let frame = try WebSocketFrameHeader(header)
        header.removeAll(keepingCapacity: true)
        try begin(frame)
        state = .payload(frame, left: frame.length)
        if frame.length == 0 { try finish(frame, &events) }
    }

    private mutating func begin(_ frame: WebSocketFrameHeader) throws(WebSocketViolation) {
        switch frame.opcode {
        case .close, .ping, .pong:
            control.removeAll(keepingCapacity: true)
            return
        case .continuation:
            guard kind != nil else {
                throw .protocolError("a continuation frame follows no message")
            }
        case .text, .binary:
            guard kind == nil else {
                throw .protocolError("a message begins within another")
            }
            kind = frame.opcode
            validator = UTF8Validator()
        }
        guard frame.length <= max(maximumMessageSize, 0) - message.count else {
            throw .tooBig(limit: maximumMessageSize)
        }
    }

    private mutating func take(
        _ bytes: Span<UInt8>,
        of frame: WebSocketFrameHeader
    ) throws(WebSocketViolation) {
        guard !frame.opcode.isControl else { return control.append(copying: bytes) }
        if kind == .text, !validator.take(bytes) {
            throw .invalidText("a text message isn't UTF-8")
        }
        message.append(copying: bytes)
    }

    private mutating func finish(
        _ frame: WebSocketFrameHeader,
        _ events: inout [WebSocketEvent]
    ) throws(WebSocketViolation) {
        state = .header
        switch frame.opcode {
        case .ping: events.append(.ping(control))
        case .pong: events.append(.pong(control))
        case .close:
            events.append(try readClose())
            state = .closed
        case .continuation, .text, .binary:
            if frame.isFinal { try finishMessage(&events) }
        }
    }

    private mutating func finishMessage(
        _ events: inout [WebSocketEvent]
    ) throws(WebSocketViolation) {
        guard kind == .binary || validator.isComplete else {
            throw .invalidText("a text message ends within a character")
        }
        var bytes: [UInt8] = []
        swap(&bytes, &message)
        let isText = kind == .text
        kind = nil
        events.append(
            .message(isText ? .text(String(decoding: bytes, as: UTF8.self)) : .binary(bytes))
        )
    }

    /// Source: RFC 6455, section 5.5.1.
    private func readClose() throws(WebSocketViolation) -> WebSocketEvent {
        guard !control.isEmpty else { return .close(nil, reason: "") }
        guard control.count >= 2 else {
            throw .protocolError("a close frame has half a status")
        }
        let status = WebSocketStatus(rawValue: UInt16(control[0]) << 8 | UInt16(control[1]))
        guard status.isSendable else {
            throw .protocolError("a close frame has the status \(status.rawValue)")
        }
        var validator = UTF8Validator()
        let reason = Array(control[2...])
        guard validator.take(reason.span), validator.isComplete else {
            throw .invalidText("the reason of a close frame isn't UTF-8")
        }
        return .close(status, reason: String(decoding: reason, as: UTF8.self))
    }
}

/// An event that the server's frames result in.
package enum WebSocketEvent: Sendable, Hashable {
    case message(WebSocketMessage)
    case ping([UInt8])
    case pong([UInt8])
    /// The server closes; the status is nil if its close frame has none.
    case close(WebSocketStatus?, reason: String)
}
