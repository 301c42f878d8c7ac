/// A WebSocket frame, valid or not, as a test server sends or receives it.
package struct ServerFrame: Sendable, Hashable {
    package var isFinal: Bool
    /// The three reserved bits, as a number.
    package var reserved: UInt8
    package var opcode: UInt8
    package var payload: [UInt8]
    /// Whether it was masked when it was received.
    package var isMasked = false

    package init(
        _ opcode: UInt8,
        _ payload: [UInt8] = [],
        isFinal: Bool = true,
        reserved: UInt8 = 0
    ) {
        self.opcode = opcode
        self.payload = payload
        self.isFinal = isFinal
        self.reserved = reserved
    }

    package static func text(_ text: String, isFinal: Bool = true) -> Self {
        Self(1, Array(text.utf8), isFinal: isFinal)
    }

    package static func binary(_ bytes: [UInt8], isFinal: Bool = true) -> Self {
        Self(2, bytes, isFinal: isFinal)
    }

    package static func more(_ bytes: [UInt8], isFinal: Bool) -> Self {
        Self(0, bytes, isFinal: isFinal)
    }

    package static func close(_ status: Int? = nil, _ reason: [UInt8] = []) -> Self {
        Self(8, (status.map { [UInt8($0 >> 8 & 0xFF), UInt8($0 & 0xFF)] } ?? []) + reason)
    }

    package static func ping(_ payload: [UInt8] = []) -> Self { Self(9, payload) }
    package static func pong(_ payload: [UInt8] = []) -> Self { Self(10, payload) }

    /// The status of a close frame.
    package var status: Int? {
        guard opcode == 8, payload.count >= 2 else { return nil }
        return Int(payload[0]) << 8 | Int(payload[1])
    }

    package var text: String { String(decoding: payload, as: UTF8.self) }

    /// The encoded frame, unmasked, as a server sends it.
    package var bytes: [UInt8] {
        var bytes = [(isFinal ? 0x80 : 0) | reserved << 4 | opcode]
        switch payload.count {
        case ...125:
            bytes.append(UInt8(payload.count))
        case ...0xFFFF:
            bytes += [126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
        default:
            bytes.append(127)
            for shift in stride(from: 56, through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: payload.count >> shift))
            }
        }
        return bytes + payload
    }
}
