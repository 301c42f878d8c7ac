/// The header of a frame. Source: RFC 6455, section 5.2.
package struct WebSocketFrameHeader: Sendable, Hashable {
    package var isFinal: Bool
    package var opcode: WebSocketOpcode
    package var length: Int

    package init(isFinal: Bool, opcode: WebSocketOpcode, length: Int) {
        self.isFinal = isFinal
        self.opcode = opcode
        self.length = length
    }

    /// The maximum size of a header from a server, in bytes.
    static let maximumSize = 10

    /// The size of the header that starts with these bytes; nil if more bytes are needed.
    static func size(_ bytes: [UInt8]) -> Int? {
        guard bytes.count >= 2 else { return nil }
        return switch bytes[1] & 0x7F {
        case 126: 4
        case 127: 10
        default: 2
        }
    }

    /// Validates the first two bytes of a server's frame.
    static func check(_ first: UInt8, _ second: UInt8) throws(WebSocketViolation) {
        guard first & 0x70 == 0 else {
            throw .protocolError("a frame has reserved bits set, which no extension was agreed for")
        }
        guard let opcode = WebSocketOpcode(rawValue: first & 0x0F) else {
            throw .protocolError("a frame has the reserved opcode \(first & 0x0F)")
        }
        // Source: RFC 6455, section 5.1.
        guard second & 0x80 == 0 else {
            throw .protocolError("a frame of the server is masked")
        }
        guard opcode.isControl else { return }
        guard first & 0x80 != 0 else {
            throw .protocolError("a control frame is fragmented")
        }
        guard second & 0x7F <= 125 else {
            throw .protocolError("a control frame has more than 125 bytes")
        }
    }

    /// Parses a complete header of a server's frame.
    init(_ bytes: [UInt8]) throws(WebSocketViolation) {
        guard bytes.count >= 2, bytes.count == Self.size(bytes),
            let opcode = WebSocketOpcode(rawValue: bytes[0] & 0x0F)
        else {
            throw .protocolError("a frame has no header")
        }
        try Self.check(bytes[0], bytes[1])
        let short = UInt64(bytes[1] & 0x7F)
        let long = bytes[2...].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let length: UInt64
        switch bytes.count {
        case 4:
            guard long >= 126 else { throw Self.notMinimal }
            length = long
        case 10:
            guard long > 0xFFFF else { throw Self.notMinimal }
            guard long < 1 << 63 else {
                throw .protocolError("a frame's length has its highest bit set")
            }
            length = long
        default:
            length = short
        }
        self.init(
            isFinal: bytes[0] & 0x80 != 0,
            opcode: opcode,
            length: Int(clamping: length)
        )
    }

    private static var notMinimal: WebSocketViolation {
        .protocolError("a frame's length is not written in the fewest bytes")
    }
}

extension WebSocketFrameHeader {
    /// Appends the header of a client's frame with this masking key, lowest byte first.
    func write(to bytes: inout [UInt8], maskingKey: UInt32) {
        bytes.append((isFinal ? 0x80 : 0) | opcode.rawValue)
        switch length {
        case ...125:
            bytes.append(0x80 | UInt8(truncatingIfNeeded: length))
        case ...0xFFFF:
            bytes.append(0x80 | 126)
            append(length, bytes: 2, to: &bytes)
        default:
            bytes.append(0x80 | 127)
            append(length, bytes: 8, to: &bytes)
        }
        for shift in stride(from: UInt32(0), to: 32, by: 8) {
            bytes.append(UInt8(truncatingIfNeeded: maskingKey >> shift))
        }
    }

    private func append(_ value: Int, bytes count: Int, to bytes: inout [UInt8]) {
        for shift in stride(from: (count - 1) * 8, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> shift))
        }
    }
}

/// The type of a frame. Source: RFC 6455, section 5.2.
package enum WebSocketOpcode: UInt8, Sendable {
    /// Continues a fragmented message.
    case continuation = 0x0
    case text = 0x1
    case binary = 0x2
    case close = 0x8
    case ping = 0x9
    case pong = 0xA

    /// Whether the frame is a control frame, and not part of a message.
    package var isControl: Bool { rawValue & 0x8 != 0 }
}
