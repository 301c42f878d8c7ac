internal import Posix

/// Creates a client's frames, which are masked with an unpredictable key.
///
/// Source: RFC 6455, section 5.3.
package enum WebSocketFrame {
    /// The bytes of one frame.
    package static func bytes(
        _ opcode: WebSocketOpcode,
        isFinal: Bool = true,
        payload: Span<UInt8>,
        maskingKey: UInt32
    ) -> [UInt8] {
        let header = WebSocketFrameHeader(
            isFinal: isFinal,
            opcode: opcode,
            length: payload.count
        )
        var bytes: [UInt8] = []
        bytes.reserveCapacity(payload.count + 14)
        header.write(to: &bytes, maskingKey: maskingKey)
        let start = bytes.count
        bytes.append(copying: payload)
        bytes.combine(from: start, with: maskingKey)
        return bytes
    }

    /// The maximum length of a close frame's reason in bytes (RFC 6455, section 5.5).
    static let maximumReasonLength = 123

    /// The payload of a close frame. A reason that is too long is cut between two characters.
    static func closePayload(_ status: WebSocketStatus?, reason: String) -> [UInt8] {
        guard let status else { return [] }
        var payload = [
            UInt8(truncatingIfNeeded: status.rawValue >> 8),
            UInt8(truncatingIfNeeded: status.rawValue),
        ]
        for scalar in reason.unicodeScalars {
            let bytes = Array(String(scalar).utf8)
            guard payload.count + bytes.count <= maximumReasonLength + 2 else { break }
            payload += bytes
        }
        return payload
    }
}
